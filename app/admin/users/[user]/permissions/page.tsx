import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import * as memberships from '@/lib/api/users/user-memberships'
import { getUser, type UserWire } from '@/lib/api/users/users'
import type { FormState } from '@/lib/browser/api-form'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { type Clock, written } from '@/lib/i18n/moments'
import { Choose } from '../../../_ui/choose'
import { AdminForm } from '../../../_ui/form'
import { Rows } from '../../../_ui/rows'
import { ShowMore, shownCount } from '../../../_ui/shown-part'
import { UserFrame } from '../user-frame'
import { addGroup, giveRole, leaveGroup, takeRole } from './actions'
import { Effective } from './effective'

export const generateMetadata = pageTitle(({ admin }) => admin.users.permissionsTab)

export default async function UserPermissionsPage({ params, searchParams }: PageProps<'user'>) {
  const api = await adminPage('/admin/users/[user]/permissions')
  const { user: id } = await params
  const { done, roles: shownRoles, permissions: shownPermissions } = await searchParams
  const user = await api.get(getUser, { params: { user: id } })
  const groups = await api.get(memberships.listUserGroups, { params: { user: user.id } })
  const roles = await api.get(memberships.listUserRoles, { params: { user: user.id } })
  return (
    <UserFrame api={api} user={user} tab="/permissions" done={done}>
      <Roles
        api={api}
        user={user}
        roles={roles.data}
        groups={groups.data}
        shown={shownCount(shownRoles)}
      />
      <Groups api={api} user={user} groups={groups.data} />
      <Effective api={api} user={user} groups={groups.data} shown={shownCount(shownPermissions)} />
    </UserFrame>
  )
}

type Part = { api: AdminApi; user: UserWire; groups: memberships.GroupOf[] }

async function Roles({
  api,
  user,
  roles,
  groups,
  shown,
}: Part & { roles: memberships.RoleOf[]; shown: number }) {
  const { permissions: words } = (await currentMessages()).admin.users
  const clock = await currentClock()
  const mayWrite = api.may('assignments:write')
  return (
    <Section id="roles" title={words.roles}>
      <Rows none={words.rolesNone}>
        {roles.slice(0, shown).map((role) => ({
          key: role.assignment,
          title: (
            <a href={`/admin/roles/${role.role}`} className="text-link">
              {role.name}
            </a>
          ),
          facts: [role.key, ...termsOf(role, groups, words, clock)].map(
            (text) => [text, ''] as const,
          ),
          action: mayWrite && role.group === null && (
            <OneButton
              action={takeRole}
              user={user}
              id={role.role}
              label={words.take}
              name={role.name}
            />
          ),
        }))}
      </Rows>
      <ShowMore
        total={roles.length}
        shown={shown}
        path={`/admin/users/${user.id}/permissions`}
        name="roles"
      />
      {mayWrite && <Adding action={giveRole} user={user} label={words.addRole} name="role" />}
    </Section>
  )
}

type Words = Messages['admin']['users']['permissions']

function termsOf(
  { group, validFrom, validUntil, condition, effect, instance }: memberships.RoleOf,
  groups: readonly memberships.GroupOf[],
  words: Words,
  clock: Clock,
): string[] {
  const day = (date: string) => written(date, 'day', clock)
  const groupName = (id: string) => groups.find((one) => one.id === id)?.name ?? id
  return [
    effect === 'deny' && words.deny,
    group !== null && fill(words.byGroup, { group: groupName(group) }),
    validFrom !== null && fill(words.from, { date: day(validFrom) }),
    validUntil !== null && fill(words.until, { date: day(validUntil) }),
    condition !== null && `${words.condition}: ${condition}`,
    instance !== null && instance,
  ].filter((text) => text !== false)
}

async function Groups({ api, user, groups }: Part) {
  const { permissions: words } = (await currentMessages()).admin.users
  const mayWrite = api.may('users:write')
  return (
    <Section title={words.groups}>
      <Rows none={words.groupsNone}>
        {groups.map(({ id, key, name }) => ({
          key: id,
          title: (
            <a href={`/admin/groups/${id}`} className="text-link">
              {name}
            </a>
          ),
          facts: [[key, '']],
          action: mayWrite && (
            <OneButton action={leaveGroup} user={user} id={id} label={words.leave} name={name} />
          ),
        }))}
      </Rows>
      {mayWrite && <Adding action={addGroup} user={user} label={words.addGroup} name="group" />}
    </Section>
  )
}

type Action = (form: FormData) => Promise<void>
type FormAction = (before: FormState, form: FormData) => Promise<FormState>
type ButtonProps = { action: Action; user: UserWire; id: string; label: string; name: string }

async function OneButton({ action, user, id, label, name }: ButtonProps) {
  const { access } = (await currentMessages()).admin.users
  return (
    <form action={action}>
      <input type="hidden" name="user" value={user.id} />
      <input type="hidden" name="id" value={id} />
      <QuietSubmit label={label} busyLabel={access.removing} name={`${label}: ${name}`} />
    </form>
  )
}

type AddingProps = {
  action: FormAction
  user: UserWire
  label: string
  name: 'role' | 'group'
}

async function Adding({ action, user, label, name }: AddingProps) {
  const { admin, common } = await currentMessages()
  const { permissions: words } = admin.users
  const texts = { submit: label, busy: words.adding, problem: common.problem }
  return (
    <div className="max-w-[26rem]">
      <AdminForm action={action} words={texts} hidden={{ user: user.id }} quiet>
        <Choose name={name} kind={name} label={admin.palette.groups[name]} />
      </AdminForm>
    </div>
  )
}
