import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { WAITING_DAYS } from '@/lib/accounts/delete-account'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'

export const generateMetadata = pageTitle(({ account }) => account.delete.doneTitle)

/** Nobody is signed in any more: it says what everybody may know. */
export default async function DeleteDonePage() {
  const { account, common } = await currentMessages()
  const { delete: words } = account
  return (
    <PageFrame>
      <EmptyState title={words.doneTitle} text={fill(words.done, { days: String(WAITING_DAYS) })}>
        <div>
          <LinkButton href="/" tone="quiet">
            {common.backToFront}
          </LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
