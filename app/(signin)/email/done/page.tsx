import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'

export const generateMetadata = pageTitle(({ mail }) => mail.changeEmail.doneTitle)

export default async function EmailDonePage() {
  const { changeEmail: words } = (await currentMessages()).mail
  return (
    <PageFrame gate="open">
      <EmptyState title={words.doneTitle} text={words.done}>
        <div>
          <LinkButton href="/account">{words.goOn}</LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
