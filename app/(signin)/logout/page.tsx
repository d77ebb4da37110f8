import type { Metadata } from 'next'
import { EmptyState } from '@/app/_ui/empty-state'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { SubmitButton } from '@/app/_ui/submit-button'
import { fill } from '@/lib/i18n/fill'
import { currentMessages, currentPath } from '@/lib/locale'
import { currentSession, type Session } from '@/lib/session'
import { signOut } from './actions'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).logout.title }
}

/** What an application asked of /oidc/session/end, to be taken up again there. */
async function currentRequest(): Promise<string> {
  return (await currentPath()).split('?')[1] ?? ''
}

export default async function LogoutPage() {
  const session = await currentSession()
  return (
    <PageFrame gate={session ? 'open' : 'shut'}>
      {session ? <Question user={session.user} request={await currentRequest()} /> : <SignedOut />}
    </PageFrame>
  )
}

async function Question({ user, request }: { user: Session['user']; request: string }) {
  const { logout } = await currentMessages()
  const who = user.email ?? user.name ?? user.id
  return (
    <form action={signOut} className="grid gap-8">
      <input type="hidden" name="request" value={request} />
      <Heading title={logout.question} text={fill(logout.as, { who })} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton label={logout.submit} busyLabel={logout.submitting} />
        <LinkButton href="/" tone="quiet">
          {logout.stay}
        </LinkButton>
      </div>
    </form>
  )
}

async function SignedOut() {
  const { logout, common } = await currentMessages()
  return (
    <EmptyState title={logout.doneTitle} text={logout.done}>
      <div className="flex flex-wrap gap-3">
        <LinkButton href="/login">{logout.again}</LinkButton>
        <LinkButton href="/" tone="quiet">
          {common.backToFront}
        </LinkButton>
      </div>
    </EmptyState>
  )
}
