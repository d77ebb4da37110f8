import type { Metadata } from 'next'
import { LinkButton } from '@/app/_ui/link-button'
import { When } from '@/app/_ui/when'
import { adminPage } from '@/lib/admin/api'
import { askedOf, listPage, type SearchParams } from '@/lib/admin/list'
import type { UserWire } from '@/lib/api/routes/users'
import type { Messages } from '@/lib/i18n'
import { currentMessages } from '@/lib/locale'
import { Empty } from '../_ui/empty'
import { AdminFrame } from '../_ui/frame'
import { StateBadge } from '../_ui/state-badge'
import { type Column, DataTable } from '../_ui/table'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.users.title }
}

type Props = { searchParams: Promise<SearchParams> }

export default async function UsersPage({ searchParams }: Props) {
  const api = await adminPage('/admin/users')
  const params = await searchParams
  const asked = askedOf(params, ['enabled', 'adminRole'])
  const { admin } = await currentMessages()
  const { users: words } = admin
  const list = await listPage<UserWire>(api, '/users', asked)
  const mayWrite = api.may('users:write')
  return (
    <AdminFrame
      api={api}
      page="/admin/users"
      title={words.title}
      intro={words.intro}
      done={params.done}
      action={mayWrite && <Actions words={words} />}
    >
      <DataTable
        path="/admin/users"
        asked={asked}
        params={params}
        list={list}
        columns={columnsOf(admin)}
        keyOf={({ id }) => id}
        nameOf={(user) => nameOf(user) ?? words.noName}
        hrefOf={({ id }) => `/admin/users/${id}`}
        filters={filtersOf(admin)}
        empty={
          <Empty title={words.emptyTitle} text={words.empty}>
            {mayWrite && <Actions words={words} />}
          </Empty>
        }
      />
    </AdminFrame>
  )
}

function Actions({ words }: { words: Messages['admin']['users'] }) {
  return (
    <div className="flex flex-wrap gap-3">
      <LinkButton href="/admin/users/new">{words.new}</LinkButton>
    </div>
  )
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
    {
      id: 'state',
      label: words.state,
      cell: ({ enabled }) => (
        <StateBadge tone={enabled ? 'good' : 'bad'}>
          {enabled ? admin.enabled : admin.disabled}
        </StateBadge>
      ),
    },
    {
      id: 'role',
      label: words.role,
      cell: ({ adminRole }) => adminRole && admin.roles[adminRole],
    },
    {
      id: 'created',
      label: words.created,
      sort: 'createdAt',
      cell: ({ createdAt }) => <When at={new Date(createdAt)} />,
    },
  ]
}

function filtersOf(admin: Messages['admin']) {
  return [
    {
      name: 'enabled',
      label: admin.users.state,
      options: [
        ['true', admin.enabled],
        ['false', admin.disabled],
      ],
    },
    { name: 'adminRole', label: admin.users.role, options: Object.entries(admin.roles) },
  ] as const
}
