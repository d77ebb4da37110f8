import { lookedFor } from '@/lib/admin/looked-for'
import { currentMessages, currentPath, pageTitle } from '@/lib/browser/locale'
import { sentenceOf } from '@/lib/i18n/error-message'
import { EmptyState } from './_ui/empty-state'
import { LinkButton } from './_ui/link-button'
import { PageFrame } from './_ui/page-frame'

export const generateMetadata = pageTitle(({ notFound }) => notFound.title)

export default async function NotFound() {
  const { notFound, common, admin } = await currentMessages()
  const wanted = lookedFor(await currentPath())
  const text = wanted ? sentenceOf(wanted, admin.problems.errorMessages) : notFound.body
  return (
    <PageFrame>
      <EmptyState title={notFound.title} text={text}>
        <div>
          <LinkButton href="/">{common.backToFront}</LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
