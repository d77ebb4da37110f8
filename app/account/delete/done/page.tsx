import type { Metadata } from 'next'
import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { WAITING_DAYS } from '@/lib/accounts/delete-account'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).account.delete.doneTitle }
}

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
