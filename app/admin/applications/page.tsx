import { LinkButton } from '@/app/_ui/link-button'
import { adminPage } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import { type ApplicationWire, listApplications } from '@/lib/api/applications/applications'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { choices } from '@/lib/i18n/choices'
import { APPLICATION_KINDS } from '@/lib/oidc/client'
import { Code, enabledColumn, updatedColumn } from '../_ui/columns'
import { enabledFilter } from '../_ui/enabled'
import { ListPage } from '../_ui/list-page'
import type { Column } from '../_ui/table'

export const generateMetadata = pageTitle(({ admin }) => admin.applications.title)

export default async function ApplicationsPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/applications')
  const params = await searchParams
  const asked = askedOf(params, ['kind', 'enabled', 'owner'])
  const { admin } = await currentMessages()
  const { applications: words } = admin
  const list = await api.get(listApplications, { query: { count: true, ...asked } })
  const create = api.may('applications:write') && (
    <LinkButton href="/admin/applications/new">{words.new}</LinkButton>
  )
  return (
    <ListPage
      api={api}
      page="/admin/applications"
      words={words}
      asked={asked}
      params={params}
      list={list}
      columns={columnsOf(admin)}
      usualSort="name"
      filters={filtersOf(admin)}
      create={create}
    />
  )
}

function columnsOf(admin: Messages['admin']): Column<ApplicationWire>[] {
  const { applications: words } = admin
  return [
    { id: 'name', label: words.name, sort: 'name', cell: ({ name }) => name },
    { id: 'kind', label: words.kind, cell: ({ kind }) => words.kinds[kind] },
    { id: 'id', label: words.overview.clientId, cell: ({ id }) => <Code>{id}</Code> },
    enabledColumn(words.state),
    { id: 'publisher', label: words.publisher, cell: ({ publisher }) => publisher },
    updatedColumn(words.updated),
  ]
}

function filtersOf(admin: Messages['admin']) {
  return [
    {
      name: 'kind',
      label: admin.applications.kind,
      options: choices(APPLICATION_KINDS, admin.applications.kinds),
    },
    enabledFilter(admin.applications.state, admin),
  ] as const
}
