import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { currentMessages } from '@/lib/browser/locale'

/** What pages show whose request is over, or somebody else's. */
export async function Expired() {
  const { consent, common } = await currentMessages()
  return (
    <EmptyState title={consent.expiredTitle} text={consent.expired}>
      <LinkButton href="/" tone="quiet">
        {common.backToFront}
      </LinkButton>
    </EmptyState>
  )
}
