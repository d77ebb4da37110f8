import { lookedFor } from '@/lib/admin/looked-for'
import { currentMessages, currentPath, currentSettings, pageTitle } from '@/lib/browser/locale'
import { sentenceOf } from '@/lib/i18n/error-message'
import { EmptyState } from './_ui/empty-state'
import { FailureFrame } from './_ui/failure-frame'
import { LinkButton } from './_ui/link-button'

export const generateMetadata = pageTitle(({ notFound }) => notFound.title)

export default async function NotFound() {
  const { notFound, common, admin } = await currentMessages()
  const { branding } = await currentSettings()
  const wanted = lookedFor(await currentPath())
  const text = wanted ? sentenceOf(wanted, admin.problems.errorMessages) : notFound.body
  return (
    <FailureFrame name={branding.name}>
      <EmptyState title={notFound.title} text={text}>
        <div>
          <LinkButton href="/">{common.backToFront}</LinkButton>
        </div>
      </EmptyState>
    </FailureFrame>
  )
}
