import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { COUNT_ONLY, totalOf } from '@/lib/admin/spaces'
import { getRoleById, listMembers } from '@/lib/api/permissions/role-overview'
import { listRoles, type RoleWire } from '@/lib/api/permissions/roles'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { Deletion } from '../../_ui/danger'
import { Fact, Facts } from '../../_ui/facts'
import { AdminForm } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { ImpactPreview } from '../../_ui/impact-preview'
import { impactWords } from '../../_ui/impact-words'
import { deleteRole, saveRole } from '../actions'
import { RoleFields } from '../fields'
import { RoleFrame } from './frame'

export const generateMetadata = pageTitle(({ admin }) => admin.rolePages.title)

export default async function RolePage({ params, searchParams }: PageProps<'role'>) {
  const api = await adminPage('/admin/roles/[role]')
  const { role: id } = await params
  const { done } = await searchParams
  const { rolePages: words, impact } = (await currentMessages()).admin
  const { body: role, version } = await api.read(getRoleById, { params: { role: id } })
  const hidden = { id: role.id, version: version ?? '' }
  const save = { ...(await formWords('save')), confirm: impact.confirmSave }
  const mayWrite = api.may('roles:write')
  return (
    <RoleFrame api={api} role={role} tab="" done={done}>
      <Section title={words.overviewTab}>
        {mayWrite ? (
          <div className="max-w-[38rem]">
            <AdminForm action={saveRole} words={save} hidden={hidden}>
              <RoleFields api={api} space={role.space} role={role} />
              <ImpactPreview words={impact} />
            </AdminForm>
          </div>
        ) : (
          <RoleFacts role={role} />
        )}
      </Section>
      {mayWrite && <DeleteRole api={api} role={role} hidden={hidden} />}
    </RoleFrame>
  )
}

async function RoleFacts({ role }: { role: RoleWire }) {
  const { rolePages: words, form } = (await currentMessages()).admin
  return (
    <Facts>
      <Fact term={words.key} copy={role.key}>
        {role.key}
      </Fact>
      <Fact term={words.description}>{role.description ?? form.none}</Fact>
      <Fact term={words.type}>{words.types[role.type]}</Fact>
      <Fact term={words.parents}>{role.parents.join(', ') || form.none}</Fact>
    </Facts>
  )
}

type DeletionProps = { api: AdminApi; role: RoleWire; hidden: Record<string, string> }

async function DeleteRole({ api, role, hidden }: DeletionProps) {
  const { rolePages: words, impact } = (await currentMessages()).admin
  const members = await api.get(listMembers, { params: { role: role.id }, query: COUNT_ONLY })
  const { data } = await api.get(listRoles, {
    params: { space: role.space },
    query: { limit: 200 },
  })
  const children = data.filter(({ parents }) => parents.includes(role.key))
  const text = fill(words.danger, {
    members: String(totalOf(members)),
    children: children.map((child) => child.name).join(', ') || words.noChildren,
  })
  return (
    <Deletion
      action={deleteRole}
      words={{ ...words, danger: text }}
      form={await impactWords('delete')}
      name={role.name}
      hidden={hidden}
    >
      <ImpactPreview words={impact} />
    </Deletion>
  )
}
