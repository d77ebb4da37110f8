import { LinkButton } from '@/app/_ui/link-button'
import { adminPage } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import { listSpaces, type SpaceWire } from '@/lib/api/permissions/spaces'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { createdColumn, Mono } from '../../_ui/columns'
import { ListPage } from '../../_ui/list-page'
import type { Column } from '../../_ui/table'

export const generateMetadata = pageTitle(({ admin }) => admin.spaces.title)

export default async function SpacesPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/roles/spaces')
  const params = await searchParams
  const asked = askedOf(params)
  const { spaces: words, rolePages } = (await currentMessages()).admin
  const list = await api.get(listSpaces, { query: { count: true, ...asked } })
  const create = api.may('spaces:write') && (
    <LinkButton href="/admin/roles/spaces/new">{words.new}</LinkButton>
  )
  return (
    <ListPage
      api={api}
      page="/admin/roles"
      path="/admin/roles/spaces"
      above={{ href: '/admin/roles', label: rolePages.title }}
      words={words}
      asked={asked}
      params={params}
      list={list}
      columns={columnsOf(words)}
      usualSort="key"
      create={create}
    />
  )
}

function columnsOf(words: Messages['admin']['spaces']): Column<SpaceWire>[] {
  return [
    { id: 'name', label: words.name, sort: 'name', cell: ({ name }) => name },
    { id: 'key', label: words.key, sort: 'key', cell: ({ key }) => <Mono>{key}</Mono> },
    createdColumn(words.created),
  ]
}
