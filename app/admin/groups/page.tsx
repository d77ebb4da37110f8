import { LinkButton } from '@/app/_ui/link-button'
import { adminPage } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import { type GroupWire, listGroups } from '@/lib/api/permissions/groups'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { Code, createdColumn } from '../_ui/columns'
import { ListPage } from '../_ui/list-page'
import type { Column } from '../_ui/table'

export const generateMetadata = pageTitle(({ admin }) => admin.groups.title)

export default async function GroupsPage({ searchParams }: PageProps) {
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
    { id: 'key', label: words.key, sort: 'key', cell: ({ key }) => <Code>{key}</Code> },
    createdColumn(words.created),
  ]
  return (
    <ListPage
      api={api}
      page="/admin/groups"
      words={words}
      asked={asked}
      params={params}
      list={list}
      columns={columns}
      usualSort="key"
      create={add}
    />
  )
}
