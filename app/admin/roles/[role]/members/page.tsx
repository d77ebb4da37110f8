import { LinkButton } from '@/app/_ui/link-button'
import { adminPage } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import { SUBJECTS } from '@/lib/api/permissions/assignments'
import { getRoleById, listMembers, type MemberWire } from '@/lib/api/permissions/role-overview'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { choices } from '@/lib/i18n/choices'
import { fill } from '@/lib/i18n/fill'
import { createdColumn } from '../../../_ui/columns'
import { Empty } from '../../../_ui/empty'
import { type Column, DataTable } from '../../../_ui/table'
import { Terms } from '../../../_ui/terms'
import { RoleFrame } from '../frame'

export const generateMetadata = pageTitle(({ admin }) => admin.rolePages.membersTab)

export default async function MembersPage({ params, searchParams }: PageProps<'role'>) {
  const api = await adminPage('/admin/roles/[role]/members')
  const { role: id } = await params
  const query = await searchParams
  const asked = askedOf(query, ['type'])
  const { rolePages: words } = (await currentMessages()).admin
  const role = await api.get(getRoleById, { params: { role: id } })
  const path = `/admin/roles/${role.id}/members`
  const list = await api.get(listMembers, {
    params: { role: role.id },
    query: { count: true, ...asked },
  })
  const add = api.may('assignments:write') && (
    <LinkButton href={`${path}/new`}>{words.addMember}</LinkButton>
  )
  return (
    <RoleFrame api={api} role={role} tab="/members" done={query.done} action={add}>
      <p className="text-muted">{words.membersText}</p>
      <DataTable
        path={path}
        asked={asked}
        params={query}
        list={list}
        columns={columnsOf(words)}
        keyOf={({ id: assignment }) => assignment}
        nameOf={({ subject }) => subject.name ?? subject.id}
        hrefOf={({ id: assignment }) => `${path}/${assignment}`}
        searchable={false}
        filters={[{ name: 'type', label: words.kind, options: choices(SUBJECTS, words.kinds) }]}
        empty={
          <Empty title={words.membersEmptyTitle} text={words.membersEmpty}>
            {add}
          </Empty>
        }
      />
    </RoleFrame>
  )
}

function columnsOf(words: Messages['admin']['rolePages']): Column<MemberWire>[] {
  return [
    { id: 'member', label: words.member, cell: ({ subject }) => subject.name ?? subject.id },
    { id: 'kind', label: words.kind, cell: ({ subject }) => words.kinds[subject.type] },
    {
      id: 'terms',
      label: words.terms,
      cell: (member) => (
        <span className="grid gap-0.5">
          <Terms terms={member} />
          {member.instance !== null && (
            <span className="text-small">{fill(words.onlyFor, { instance: member.instance })}</span>
          )}
        </span>
      ),
    },
    createdColumn(words.since, 'since'),
  ]
}
