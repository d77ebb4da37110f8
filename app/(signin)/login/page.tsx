import type { Metadata } from 'next'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { QuietLink } from '@/app/_ui/quiet-link'
import { currentMessages } from '@/lib/locale'
import { op } from '@/lib/op'
import { returningTo, returnToOf } from '@/lib/return-to'
import { LoginForm } from './form'
import { Providers, SignInProblem } from './providers'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).login.title }
}

const LONGEST_HINT = 254

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function LoginPage({ searchParams }: Props) {
  const query = await searchParams
  const returnTo = returnToOf(query)
  const hint = query.login_hint
  const identifier = typeof hint === 'string' && hint.length <= LONGEST_HINT ? hint : ''
  const { registration } = (await op()).config
  const { login, mail, common } = await currentMessages()
  return (
    <PageFrame plain>
      <div className="grid max-w-[26rem] gap-8">
        <Heading title={login.title} text={returnTo === '/' ? login.intro : login.introContinue} />
        <SignInProblem query={query} />
        <LoginForm returnTo={returnTo} identifier={identifier} words={login} common={common} />
        <div className="flex flex-wrap justify-between gap-x-6">
          <QuietLink href={returningTo('/forgot', returnTo)}>{mail.forgot.link}</QuietLink>
          {registration === 'open' && (
            <QuietLink href={returningTo('/register', returnTo)}>{mail.register.link}</QuietLink>
          )}
        </div>
        <Providers returnTo={returnTo} />
      </div>
    </PageFrame>
  )
}
