import { redirect } from 'next/navigation'
import { EmptyState } from '@/app/_ui/empty-state'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { QuietLink } from '@/app/_ui/quiet-link'
import { SubmitButton } from '@/app/_ui/submit-button'
import { openVerification, unverifiedAddress } from '@/lib/accounts/verify-email'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo, returnToOf } from '@/lib/browser/return-to'
import { currentSession } from '@/lib/browser/session'
import { mailMode } from '@/lib/delivery/mail/mode'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { AskToSignIn, wayToSignIn } from '../link-owner'
import { confirmAddress } from './actions'
import { SendForm } from './form'
import { verifyLink } from './link'

export const generateMetadata = pageTitle(({ mail }) => mail.verify.title)

/**
 * With a good link: a question to the account itself, and the way to sign in for everybody else.
 * Without one: a new link, for whoever is signed in and needs it.
 */
export default async function VerifyPage({ searchParams }: PageProps) {
  const query = await searchParams
  const returnTo = returnToOf(query)
  const token = typeof query.token === 'string' ? query.token : null
  return <PageFrame>{await contentFor(token, returnTo)}</PageFrame>
}

async function contentFor(token: string | null, returnTo: string) {
  const portal = await op()
  const session = await currentSession()
  if (token !== null) {
    const bearer = await openVerification(portal, token)
    if (!bearer) return <ClosedLink />
    const Content = session?.user.id === bearer.userId ? Question : SignInFirst
    return <Content token={token} returnTo={returnTo} {...bearer} />
  }
  if (!session) redirect(returningTo('/login', '/verify'))
  const email = await unverifiedAddress(portal, session.user.id)
  if (email === null) return <NothingToDo returnTo={returnTo} />
  const hasMail = mailMode(portal) !== 'off'
  return hasMail ? <NewLink email={email} returnTo={returnTo} /> : <NoMail />
}

type OpenLink = { token: string; userId: string; email: string; returnTo: string }

async function SignInFirst({ token, returnTo, userId, email }: OpenLink) {
  const { verify } = (await currentMessages()).mail
  const more = (
    <div>
      <QuietLink href="/forgot">{verify.takeAddress}</QuietLink>
    </div>
  )
  return (
    <AskToSignIn
      title={verify.title}
      text={fill(verify.signInIntro, { email })}
      href={await wayToSignIn(userId, verifyLink(token, returnTo), email)}
      signIn={verify.signIn}
      notYou={{ title: verify.notYouTitle, text: verify.notYou, more }}
    />
  )
}

async function Question(link: OpenLink) {
  const { verify } = (await currentMessages()).mail
  return (
    <form action={confirmAddress} className="grid gap-8">
      <Heading title={verify.title} text={fill(verify.intro, { email: link.email })} />
      <input type="hidden" name="token" value={link.token} />
      <input type="hidden" name="returnTo" value={link.returnTo} />
      <div>
        <SubmitButton label={verify.submit} busyLabel={verify.submitting} />
      </div>
    </form>
  )
}

async function NewLink({ email, returnTo }: { email: string; returnTo: string }) {
  const { verify, slowDown, slowDownNext } = (await currentMessages()).mail
  const { send, sending } = verify
  return (
    <div className="grid gap-8">
      <Heading title={verify.title} text={fill(verify.sendIntro, { email })} />
      <SendForm returnTo={returnTo} words={{ send, sending, slowDown, slowDownNext }} />
    </div>
  )
}

async function ClosedLink() {
  const { verify } = (await currentMessages()).mail
  const href = (await currentSession()) ? '/verify' : returningTo('/login', '/verify')
  return (
    <EmptyState title={verify.closedTitle} text={verify.closed}>
      <div>
        <LinkButton href={href}>{verify.newLink}</LinkButton>
      </div>
    </EmptyState>
  )
}

async function NothingToDo({ returnTo }: { returnTo: string }) {
  const { verify } = (await currentMessages()).mail
  return (
    <EmptyState title={verify.doneTitle} text={verify.already}>
      <div>
        <LinkButton href={returnTo}>{verify.goOn}</LinkButton>
      </div>
    </EmptyState>
  )
}

async function NoMail() {
  const { mail, common } = await currentMessages()
  return (
    <EmptyState title={mail.verify.title} text={mail.off}>
      <div>
        <LinkButton href="/" tone="quiet">
          {common.backToFront}
        </LinkButton>
      </div>
    </EmptyState>
  )
}
