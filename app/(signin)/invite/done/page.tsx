import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'

export const generateMetadata = pageTitle(({ mail }) => mail.invite.doneTitle)

export default async function InviteDonePage() {
  const { mail } = await currentMessages()
  return (
    <PageFrame gate="open">
      <EmptyState title={mail.invite.doneTitle} text={mail.invite.done}>
        <div>
          <LinkButton href="/login">{mail.signIn}</LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
