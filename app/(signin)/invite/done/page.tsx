import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { currentSession } from '@/lib/browser/session'

export const generateMetadata = pageTitle(({ mail }) => mail.invite.doneTitle)

export default async function InviteDonePage() {
  const { mail } = await currentMessages()
  const { doneTitle, done, toAccount, signedOut } = mail.invite
  const isSignedIn = (await currentSession()) !== null
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
