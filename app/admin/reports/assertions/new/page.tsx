import { notFound } from 'next/navigation'
import { adminPage, withQuery } from '@/lib/admin/api'
import { listAssertions } from '@/lib/api/permissions/assertions'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { CreatePage } from '../../../_ui/create-page'
import { saveAssertion } from '../actions'
import { AssertionFields } from '../fields'
import { chosenSpace, spacesOf } from '../spaces'

export const generateMetadata = pageTitle(({ admin }) => admin.access.assertions.newTitle)

export default async function NewAssertionPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/reports/assertions/new')
  const space = chosenSpace(await spacesOf(api), (await searchParams).space)
  if (!space) notFound()
  const { access, governance } = (await currentMessages()).admin
  const { version } = await api.read(listAssertions, { params: { space: space.id } })
  const back = withQuery('/admin/reports/assertions', { space: space.id })
  return (
    <CreatePage
      api={api}
      page="/admin/governance"
      title={access.assertions.newTitle}
      intro={`${access.assertions.space}: ${space.name}`}
      above={{ href: back, label: governance.parts.assertions }}
      action={saveAssertion}
      hidden={{ space: space.id, version: version ?? '' }}
    >
      <AssertionFields api={api} />
    </CreatePage>
  )
}
