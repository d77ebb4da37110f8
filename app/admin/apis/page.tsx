import { LinkButton } from '@/app/_ui/link-button'
import { adminPage } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import { listSpaces } from '@/lib/admin/spaces'
import { listAllResources } from '@/lib/api/permissions/resource-overview'
import type { ResourceWire } from '@/lib/api/permissions/resources'
import type { SpaceWire } from '@/lib/api/permissions/spaces'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { createdColumn, enabledColumn, Mono } from '../_ui/columns'
import { enabledFilter } from '../_ui/enabled'
import { ListPage } from '../_ui/list-page'
import type { Column } from '../_ui/table'

export const generateMetadata = pageTitle(({ admin }) => admin.apis.title)

export default async function ApisPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/apis')
  const params = await searchParams
  const asked = askedOf(params, ['space', 'enabled'])
  const { admin } = await currentMessages()
  const { apis: words } = admin
  const [list, spaces] = await Promise.all([
    api.get(listAllResources, { query: { count: true, ...asked } }),
    listSpaces(api),
  ])
  const next = api.may('resources:write') && (
    <LinkButton href="/admin/apis/new">{words.new}</LinkButton>
  )
  return (
    <ListPage
      api={api}
      page="/admin/apis"
      words={words}
      asked={asked}
      params={params}
      list={list}
      columns={columnsOf(admin, spaces)}
      usualSort="name"
      filters={filtersOf(admin, spaces)}
      create={next}
    />
  )
}

function columnsOf(admin: Messages['admin'], spaces: SpaceWire[]): Column<ResourceWire>[] {
  const { apis: words } = admin
  const names = new Map(spaces.map(({ id, name }) => [id, name]))
  return [
    { id: 'name', label: words.name, sort: 'name', cell: ({ name }) => name },
    {
      id: 'prefix',
      label: words.prefix,
      sort: 'prefix',
      cell: ({ prefix }) => <Mono>{prefix}</Mono>,
    },
    {
      id: 'audience',
      label: words.audience,
      sort: 'audience',
      cell: ({ audience }) => <Mono>{audience}</Mono>,
    },
    { id: 'space', label: words.space, cell: ({ space }) => names.get(space) ?? space },
    {
      id: 'lifetime',
      label: words.lifetime,
      cell: ({ tokenSeconds }) => fill(words.seconds, { count: String(tokenSeconds) }),
    },
    enabledColumn(words.state),
    createdColumn(words.created),
  ]
}

function filtersOf(admin: Messages['admin'], spaces: SpaceWire[]) {
  return [
    {
      name: 'space',
      label: admin.apis.space,
      options: spaces.map(({ key, name }) => [key, name] as const),
    },
    enabledFilter(admin.apis.state, admin),
  ] as const
}
