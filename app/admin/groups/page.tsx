import type { Metadata } from 'next'
import { LinkButton } from '@/app/_ui/link-button'
import { When } from '@/app/_ui/when'
import { adminPage } from '@/lib/admin/api'
import { askedOf, type SearchParams } from '@/lib/admin/list'
import { type GroupWire, listGroups } from '@/lib/api/routes/groups'
import { currentMessages } from '@/lib/browser/locale'
import { Empty } from '../_ui/empty'
import { AdminFrame } from '../_ui/frame'
import { type Column, DataTable } from '../_ui/table'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.groups.title }
}

type Props = { searchParams: Promise<SearchParams> }

export default async function GroupsPage({ searchParams }: Props) {
  const api = await adminPage('/admin/groups')
  const params = await searchParams
  const asked = askedOf(params)
  const { groups: words } = (await currentMessages()).admin
  const list = await api.get(listGroups, { query: { count: true, ...asked } })
  const add = api.may('users:write') && (
    <LinkButton href="/admin/groups/new">{words.new}</LinkButton>
  )
  const columns: Column<GroupWire>[] = [
    { id: 'name', label: words.name, sort: 'name', cell: ({ name }) => name },
    {
      id: 'key',
      label: words.key,
      sort: 'key',
      cell: ({ key }) => <code className="code">{key}</code>,
    },
    {
      id: 'created',
      label: words.created,
      sort: 'createdAt',
      cell: ({ createdAt }) => <When at={new Date(createdAt)} />,
    },
  ]
  return (
    <AdminFrame
      api={api}
      page="/admin/groups"
      title={words.title}
      intro={words.intro}
      done={params.done}
      action={add}
    >
      <DataTable
        path="/admin/groups"
        asked={asked}
        params={params}
        list={list}
        columns={columns}
        usualSort="key"
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        hrefOf={({ id }) => `/admin/groups/${id}`}
        empty={
          <Empty title={words.emptyTitle} text={words.empty}>
            {add}
          </Empty>
        }
      />
    </AdminFrame>
  )
}
