import { currentMessages, currentSettings, pageTitle } from '@/lib/browser/locale'
import { EmptyState } from './_ui/empty-state'
import { FailureFrame } from './_ui/failure-frame'
import { LinkButton } from './_ui/link-button'

export const generateMetadata = pageTitle(({ admin }) => admin.forbidden.title)

export default async function Forbidden() {
  const { admin, common } = await currentMessages()
  const { branding } = await currentSettings()
  return (
    <FailureFrame name={branding.name}>
      <EmptyState title={admin.forbidden.title} text={admin.forbidden.text}>
        <div>
          <LinkButton href="/">{common.backToFront}</LinkButton>
        </div>
      </EmptyState>
    </FailureFrame>
  )
}
