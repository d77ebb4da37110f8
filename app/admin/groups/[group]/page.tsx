import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { type GroupWire, getGroup, listGroupMembers } from '@/lib/api/permissions/groups'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { Choose } from '../../_ui/choose'
import { Deletion } from '../../_ui/danger'
import { AdminForm } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { AdminFrame } from '../../_ui/frame'
import { Rows } from '../../_ui/rows'
import { addMember, deleteGroup, saveGroup, takeMember } from '../actions'
import { GroupFields } from '../fields'

export const generateMetadata = pageTitle(({ admin }) => admin.groups.title)

export default async function GroupPage({ params, searchParams }: PageProps<'group'>) {
  const api = await adminPage('/admin/groups/[group]')
  const { group: id } = await params
  const { done } = await searchParams
  const { groups: words } = (await currentMessages()).admin
  const { body: group, version } = await api.read(getGroup, { params: { group: id } })
  const hidden = { id: group.id, version: version ?? '' }
  const mayWrite = api.may('users:write')
  return (
    <AdminFrame
      api={api}
      page="/admin/groups"
      title={group.name}
      above={{ href: '/admin/groups', label: words.title }}
      done={done}
    >
      <div className="max-w-[42rem]">
        <Section title={words.name}>
          <AdminForm
            action={saveGroup}
            words={await formWords('save')}
            hidden={hidden}
            readOnly={!mayWrite}
          >
            <GroupFields words={words} group={group} />
          </AdminForm>
        </Section>
      </div>
      <Members api={api} group={group} />
      {mayWrite && (
        <Deletion action={deleteGroup} words={words} name={group.name} hidden={hidden} />
      )}
    </AdminFrame>
  )
}

async function Members({ api, group }: { api: AdminApi; group: GroupWire }) {
  const { groups: words, users } = (await currentMessages()).admin
  const { data, page } = await api.get(listGroupMembers, {
    params: { group: group.id },
    query: { count: true },
  })
  return (
    <Section
      title={`${words.members}: ${page.total}`}
      text={words.membersText}
      aside={
        <a href={`/admin/users?group=${group.id}`} className="text-link">
          {words.find}
        </a>
      }
    >
      <Rows none={words.membersNone}>
        {data.map(({ id, name, email, username }) => ({
          key: id,
          title: (
            <a href={`/admin/users/${id}`} className="text-link">
              {name ?? email ?? username ?? users.noName}
            </a>
          ),
          facts: email === null ? [] : [[email, '']],
          action: api.may('users:write') && (
            <form action={takeMember}>
              <input type="hidden" name="id" value={group.id} />
              <input type="hidden" name="user" value={id} />
              <QuietSubmit
                label={words.take}
                busyLabel={users.access.removing}
                name={`${words.take}: ${name ?? email ?? id}`}
              />
            </form>
          ),
        }))}
      </Rows>
      {api.may('users:write') && <NewMember group={group} />}
    </Section>
  )
}

async function NewMember({ group }: { group: GroupWire }) {
  const { admin, common } = await currentMessages()
  const { groups: words, users, palette } = admin
  const texts = { submit: words.add, busy: users.permissions.adding, problem: common.problem }
  return (
    <div className="max-w-[26rem]">
      <AdminForm action={addMember} words={texts} hidden={{ id: group.id }} quiet>
        <Choose name="user" kind="user" label={palette.groups.user} hint={words.addHint} />
      </AdminForm>
    </div>
  )
}
