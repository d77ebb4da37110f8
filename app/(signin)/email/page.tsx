import { EmptyState } from '@/app/_ui/empty-state'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { SubmitButton } from '@/app/_ui/submit-button'
import { openEmailChange } from '@/lib/accounts/change-email'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { currentSession } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { AskToSignIn, wayToSignIn } from '../link-owner'
import { takeAddress } from './actions'
import { emailLink } from './link'

export const generateMetadata = pageTitle(({ mail }) => mail.changeEmail.title)

export default async function EmailLinkPage({ searchParams }: PageProps) {
  const query = await searchParams
  const token = typeof query.token === 'string' ? query.token : ''
  return <PageFrame>{await contentFor(token)}</PageFrame>
}

async function contentFor(token: string) {
  const bearer = await openEmailChange(await op(), token)
  if (!bearer) return <ClosedLink />
  const session = await currentSession()
  if (session?.user.id !== bearer.userId) return <SignInFirst token={token} {...bearer} />
  return <Question token={token} email={bearer.email} />
}

type OpenLink = { token: string; userId: string; email: string }

async function SignInFirst({ token, userId, email }: OpenLink) {
  const { changeEmail: words } = (await currentMessages()).mail
  return (
    <AskToSignIn
      title={words.title}
      text={fill(words.signInIntro, { email })}
      href={await wayToSignIn(userId, emailLink(token))}
      signIn={words.signIn}
      notYou={{ title: words.notYouTitle, text: words.notYou }}
    />
  )
}

async function Question({ token, email }: { token: string; email: string }) {
  const { changeEmail: words } = (await currentMessages()).mail
  return (
    <form action={takeAddress} className="grid gap-8">
      <Heading title={words.title} text={fill(words.intro, { email })} />
      <input type="hidden" name="token" value={token} />
      <div>
        <SubmitButton label={words.submit} busyLabel={words.submitting} />
      </div>
    </form>
  )
}

async function ClosedLink() {
  const { changeEmail: words } = (await currentMessages()).mail
  return (
    <EmptyState title={words.closedTitle} text={words.closed}>
      <div>
        <LinkButton href="/account">{words.again}</LinkButton>
      </div>
    </EmptyState>
  )
}
