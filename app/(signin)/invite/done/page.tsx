import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { currentSession } from '@/lib/browser/session'

export const generateMetadata = pageTitle(({ mail }) => mail.invite.doneTitle)

/** `next=login`: the invited user has to sign in; somebody else may be signed in here. */
export default async function InviteDonePage({ searchParams }: PageProps) {
  const { mail } = await currentMessages()
  const { doneTitle, done, toAccount, signedOut } = mail.invite
  const { next } = await searchParams
  const isSignedIn = next !== 'login' && (await currentSession()) !== null
  return (
    <PageFrame gate="open">
      <EmptyState title={doneTitle} text={isSignedIn ? done : signedOut}>
        <div>
          {isSignedIn ? (
            <LinkButton href="/account">{toAccount}</LinkButton>
          ) : (
            <LinkButton href="/login">{mail.signIn}</LinkButton>
          )}
        </div>
      </EmptyState>
    </PageFrame>
  )
}
