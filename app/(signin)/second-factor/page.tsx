import type { Metadata } from 'next'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { isOwnInteraction } from '@/lib/interaction'
import { currentMessages } from '@/lib/locale'
import { Expired } from '../expired'
import { SecondFactorForm } from './form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).secondFactor.title }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SecondFactorPage({ searchParams }: Props) {
  const { interaction: id } = await searchParams
  const open = typeof id === 'string' && (await isOwnInteraction(id)) ? id : null
  return <PageFrame plain>{open ? <Question interaction={open} /> : <Expired />}</PageFrame>
}

async function Question({ interaction }: { interaction: string }) {
  const { secondFactor } = await currentMessages()
  return (
    <div className="grid max-w-[26rem] gap-8">
      <Heading title={secondFactor.title} text={secondFactor.intro} />
      <SecondFactorForm interaction={interaction} words={secondFactor} />
    </div>
  )
}
