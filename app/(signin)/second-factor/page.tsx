import type { Metadata } from 'next'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { requestOptions } from '@/lib/accounts/passkeys'
import { currentMessages } from '@/lib/locale'
import { op } from '@/lib/op'
import { returnToOf } from '@/lib/return-to'
import { type Asked, askedForFactor } from '@/lib/second-factor'
import { Expired } from '../expired'
import { SecondFactorForm } from './form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).secondFactor.title }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SecondFactorPage({ searchParams }: Props) {
  const query = await searchParams
  const { interaction } = query
  const asked = await askedForFactor(typeof interaction === 'string' ? interaction : null)
  return (
    <PageFrame plain>
      {asked ? <Question asked={asked} returnTo={returnToOf(query)} /> : <Expired />}
    </PageFrame>
  )
}

async function Question({ asked, returnTo }: { asked: Asked; returnTo: string }) {
  const { userId, interaction } = asked
  const { secondFactor } = await currentMessages()
  const house = await op()
  const hasPasskey = await house.passkeys.any(userId)
  const intro = interaction ? secondFactor.introStepUp : secondFactor.intro
  return (
    <div className="grid max-w-[26rem] gap-8">
      <Heading title={secondFactor.title} text={intro} />
      <SecondFactorForm
        interaction={interaction ?? ''}
        returnTo={returnTo}
        hasApp={await house.totps.anyConfirmed(userId)}
        passkey={hasPasskey ? await requestOptions(house, { for: 'second_factor', userId }) : null}
        words={secondFactor}
      />
    </div>
  )
}
