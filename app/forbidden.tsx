import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { EmptyState } from './_ui/empty-state'
import { LinkButton } from './_ui/link-button'
import { PageFrame } from './_ui/page-frame'

export const generateMetadata = pageTitle(({ admin }) => admin.forbidden.title)

export default async function Forbidden() {
  const { admin, common } = await currentMessages()
  return (
    <PageFrame>
      <EmptyState title={admin.forbidden.title} text={admin.forbidden.text}>
        <div>
          <LinkButton href="/">{common.backToFront}</LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
