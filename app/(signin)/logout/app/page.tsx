import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, currentPath, pageTitle } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { findAsker } from '@/lib/oidc/end-session'
import { op } from '@/lib/op'

export const generateMetadata = pageTitle(({ logout }) => logout.title)

/** Signed out of one app and of nothing else; the way back is one that the app has registered. */
export default async function LeftAppPage() {
  const { logout, common } = await currentMessages()
  const asker = await findAsker(await op(), (await currentPath()).split('?')[1] ?? '')
  const app = asker?.application.name ?? logout.someApp
  return (
    <PageFrame gate="open">
      <EmptyState title={fill(logout.leftTitle, { app })} text={fill(logout.left, { app })}>
        <div className="flex flex-wrap gap-3">
          {asker?.backTo && (
            <LinkButton href={asker.backTo}>{fill(logout.backTo, { app })}</LinkButton>
          )}
          <LinkButton href="/" tone="quiet">
            {common.backToFront}
          </LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
