import { LinkButton } from '@/app/_ui/link-button'
import { ADMIN_ROLES } from '@/lib/access/authority'
import { type AdminApi, adminPage, withQuery } from '@/lib/admin/api'
import { foundIn, meantIn, type TypedChoice } from '@/lib/admin/choice'
import { askedOf, type ListQuery } from '@/lib/admin/list'
import { listUsers, type UserWire } from '@/lib/api/users/users'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { choices } from '@/lib/i18n/choices'
import { createdColumn, enabledColumn } from '../_ui/columns'
import { enabledFilter } from '../_ui/enabled'
import { ListPage } from '../_ui/list-page'
import type { Column } from '../_ui/table'
import type { Filter } from '../_ui/table-search'
import { bulkActionsFor } from './bulk/bulk-actions'

export const generateMetadata = pageTitle(({ admin }) => admin.users.title)

const MAX_ID_LENGTH = 255

export default async function UsersPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/users')
  const params = await searchParams
  const typed = askedOf(params, ['enabled', 'adminRole', 'group'])
  const meant = await meantIn(api, { group: 'group' }, typed)
  const group = foundIn(meant.group)
  // What is longer than any ID names no group either.
  const unknown = typed.group?.slice(0, MAX_ID_LENGTH)
  const asked = { ...typed, ...(unknown && { group: group?.id ?? unknown }) }
  const { admin } = await currentMessages()
  const { users: words } = admin
  const list = await api.get(listUsers, { query: { count: true, ...asked } })
  const mayWrite = api.may('users:write')
  return (
    <ListPage
      api={api}
      page="/admin/users"
      words={words}
      asked={asked}
      params={params}
      list={list}
      columns={columnsOf(admin)}
      usualSort="createdAt"
      nameOf={(user) => nameOf(user) ?? words.noName}
      filters={[...filtersOf(admin), groupFilter(admin, meant.group)]}
      {...(mayWrite && { bulk: bulkOf(api, words) })}
      exports={exportsOf(asked)}
      create={mayWrite && <Actions words={words} />}
    />
  )
}

function Actions({ words }: { words: Messages['admin']['users'] }) {
  return (
    <div className="flex flex-wrap gap-3">
      <LinkButton href="/admin/users/new">{words.new}</LinkButton>
      <LinkButton href="/admin/users/import" tone="quiet">
        {words.import}
      </LinkButton>
    </div>
  )
}

function bulkOf(api: AdminApi, { bulk }: Messages['admin']['users']) {
  const options = bulkActionsFor(api).map((action) => [action, bulk.actions[action]] as const)
  return { page: '/admin/users/bulk', options }
}

/** What is shown, and no more. */
function exportsOf({ q, enabled, adminRole, group }: ListQuery) {
  const href = (format: string) =>
    withQuery('/api/v1/users:export', { format, q, enabled, adminRole, group })
  return [
    ['CSV', href('csv')],
    ['JSON', href('json')],
  ] as const
}

function nameOf({ name, email, username }: UserWire): string | null {
  return name ?? email ?? username
}

function columnsOf(admin: Messages['admin']): Column<UserWire>[] {
  const { users: words } = admin
  return [
    { id: 'name', label: words.name, sort: 'name', cell: (user) => nameOf(user) ?? words.noName },
    { id: 'email', label: words.email, sort: 'email', cell: ({ email }) => email },
    { id: 'username', label: words.username, sort: 'username', cell: ({ username }) => username },
    enabledColumn(words.state),
    { id: 'role', label: words.role, cell: ({ adminRole }) => adminRole && admin.roles[adminRole] },
    createdColumn(words.created),
  ]
}

function groupFilter(admin: Messages['admin'], meant: TypedChoice | undefined): Filter {
  return { name: 'group', label: admin.users.bulk.group, kind: 'group', meant }
}

function filtersOf(admin: Messages['admin']) {
  return [
    enabledFilter(admin.users.state, admin),
    { name: 'adminRole', label: admin.users.role, options: choices(ADMIN_ROLES, admin.roles) },
  ] as const
}
