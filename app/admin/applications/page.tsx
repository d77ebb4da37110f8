import type { Metadata } from 'next'
import { LinkButton } from '@/app/_ui/link-button'
import { When } from '@/app/_ui/when'
import { adminPage } from '@/lib/admin/api'
import { askedOf, type SearchParams } from '@/lib/admin/list'
import { type ApplicationWire, listApplications } from '@/lib/api/routes/applications'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { choices } from '@/lib/i18n/choices'
import { APPLICATION_KINDS } from '@/lib/oidc/client'
import { Empty } from '../_ui/empty'
import { EnabledBadge, enabledFilter } from '../_ui/enabled'
import { AdminFrame } from '../_ui/frame'
import { type Column, DataTable } from '../_ui/table'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.applications.title }
}

type Props = { searchParams: Promise<SearchParams> }

export default async function ApplicationsPage({ searchParams }: Props) {
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
    <AdminFrame
      api={api}
      page="/admin/applications"
      title={words.title}
      intro={words.intro}
      done={params.done}
      action={create}
    >
      <DataTable
        path="/admin/applications"
        asked={asked}
        params={params}
        list={list}
        columns={columnsOf(admin)}
        usualSort="name"
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        hrefOf={({ id }) => `/admin/applications/${encodeURIComponent(id)}`}
        filters={filtersOf(admin)}
        empty={
          <Empty title={words.emptyTitle} text={words.empty}>
            {create}
          </Empty>
        }
      />
    </AdminFrame>
  )
}

function columnsOf(admin: Messages['admin']): Column<ApplicationWire>[] {
  const { applications: words } = admin
  return [
    { id: 'name', label: words.name, sort: 'name', cell: ({ name }) => name },
    { id: 'kind', label: words.kind, cell: ({ kind }) => words.kinds[kind] },
    {
      id: 'id',
      label: words.overview.clientId,
      cell: ({ id }) => <code className="code">{id}</code>,
    },
    {
      id: 'state',
      label: words.state,
      cell: ({ enabled }) => <EnabledBadge enabled={enabled} />,
    },
    { id: 'publisher', label: words.publisher, cell: ({ publisher }) => publisher },
    {
      id: 'updated',
      label: words.updated,
      sort: 'updatedAt',
      cell: ({ updatedAt }) => <When at={new Date(updatedAt)} />,
    },
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
