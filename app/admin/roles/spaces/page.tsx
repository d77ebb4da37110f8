import type { Metadata } from 'next'
import { LinkButton } from '@/app/_ui/link-button'
import { When } from '@/app/_ui/when'
import { adminPage } from '@/lib/admin/api'
import { askedOf, type SearchParams } from '@/lib/admin/list'
import { listSpaces, type SpaceWire } from '@/lib/api/routes/spaces'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { Empty } from '../../_ui/empty'
import { AdminFrame } from '../../_ui/frame'
import { type Column, DataTable } from '../../_ui/table'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.spaces.title }
}

type Props = { searchParams: Promise<SearchParams> }

export default async function SpacesPage({ searchParams }: Props) {
  const api = await adminPage('/admin/roles/spaces')
  const params = await searchParams
  const asked = askedOf(params)
  const { spaces: words, rolePages } = (await currentMessages()).admin
  const list = await api.get(listSpaces, { query: { count: true, ...asked } })
  const create = api.may('spaces:write') && (
    <LinkButton href="/admin/roles/spaces/new">{words.new}</LinkButton>
  )
  return (
    <AdminFrame
      api={api}
      page="/admin/roles"
      title={words.title}
      intro={words.intro}
      above={{ href: '/admin/roles', label: rolePages.title }}
      done={params.done}
      action={create}
    >
      <DataTable
        path="/admin/roles/spaces"
        asked={asked}
        params={params}
        list={list}
        columns={columnsOf(words)}
        usualSort="key"
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        hrefOf={({ id }) => `/admin/roles/spaces/${id}`}
        empty={
          <Empty title={words.emptyTitle} text={words.empty}>
            {create}
          </Empty>
        }
      />
    </AdminFrame>
  )
}

function columnsOf(words: Messages['admin']['spaces']): Column<SpaceWire>[] {
  return [
    { id: 'name', label: words.name, sort: 'name', cell: ({ name }) => name },
    {
      id: 'key',
      label: words.key,
      sort: 'key',
      cell: ({ key }) => <code className="font-mono text-small">{key}</code>,
    },
    {
      id: 'created',
      label: words.created,
      sort: 'createdAt',
      cell: ({ createdAt }) => <When at={new Date(createdAt)} />,
    },
  ]
}
