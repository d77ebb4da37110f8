import type { Metadata } from 'next'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages } from '@/lib/locale'
import { safeReturnTo } from '@/lib/return-to'
import { LoginForm } from './form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).login.title }
}

const LONGEST_HINT = 254

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function LoginPage({ searchParams }: Props) {
  const { returnTo: asked, login_hint: hint } = await searchParams
  const returnTo = safeReturnTo(typeof asked === 'string' ? asked : null)
  const identifier = typeof hint === 'string' && hint.length <= LONGEST_HINT ? hint : ''
  const { login, common } = await currentMessages()
  return (
    <PageFrame plain>
      <div className="grid max-w-[26rem] gap-8">
        <Heading title={login.title} text={returnTo === '/' ? login.intro : login.introContinue} />
        <LoginForm returnTo={returnTo} identifier={identifier} words={login} common={common} />
      </div>
    </PageFrame>
  )
}
