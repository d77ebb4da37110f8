import type { Metadata } from 'next'
import { LinkButton } from '@/app/_ui/link-button'
import { When } from '@/app/_ui/when'
import { adminPage } from '@/lib/admin/api'
import { askedOf, type SearchParams } from '@/lib/admin/list'
import { listSpaces } from '@/lib/admin/spaces'
import { listAllResources } from '@/lib/api/routes/resource-overview'
import type { ResourceWire } from '@/lib/api/routes/resources'
import type { SpaceWire } from '@/lib/api/routes/spaces'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { Empty } from '../_ui/empty'
import { EnabledBadge, enabledFilter } from '../_ui/enabled'
import { AdminFrame } from '../_ui/frame'
import { type Column, DataTable } from '../_ui/table'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.apis.title }
}

type Props = { searchParams: Promise<SearchParams> }

export default async function ApisPage({ searchParams }: Props) {
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
    <AdminFrame
      api={api}
      page="/admin/apis"
      title={words.title}
      intro={words.intro}
      done={params.done}
      action={next}
    >
      <DataTable
        path="/admin/apis"
        asked={asked}
        params={params}
        list={list}
        columns={columnsOf(admin, spaces)}
        usualSort="name"
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        hrefOf={({ id }) => `/admin/apis/${id}`}
        filters={filtersOf(admin, spaces)}
        empty={
          <Empty title={words.emptyTitle} text={words.empty}>
            {next}
          </Empty>
        }
      />
    </AdminFrame>
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
      cell: ({ prefix }) => <code className="font-mono text-small">{prefix}</code>,
    },
    {
      id: 'audience',
      label: words.audience,
      sort: 'audience',
      cell: ({ audience }) => <code className="font-mono text-small">{audience}</code>,
    },
    { id: 'space', label: words.space, cell: ({ space }) => names.get(space) ?? space },
    {
      id: 'lifetime',
      label: words.lifetime,
      cell: ({ tokenSeconds }) => fill(words.seconds, { count: String(tokenSeconds) }),
    },
    {
      id: 'state',
      label: words.state,
      cell: ({ enabled }) => <EnabledBadge enabled={enabled} />,
    },
    {
      id: 'created',
      label: words.created,
      sort: 'createdAt',
      cell: ({ createdAt }) => <When at={new Date(createdAt)} />,
    },
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
