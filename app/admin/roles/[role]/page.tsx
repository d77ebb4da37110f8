import type { Metadata } from 'next'
import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { COUNT_ONLY, totalOf } from '@/lib/admin/spaces'
import { getRoleById, listMembers } from '@/lib/api/routes/role-overview'
import { listRoles, type RoleWire } from '@/lib/api/routes/roles'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { DangerZone } from '../../_ui/danger'
import { Fact, Facts } from '../../_ui/facts'
import { AdminForm, TextInput } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { ImpactPreview } from '../../_ui/impact-preview'
import { impactWords } from '../../_ui/impact-words'
import { deleteRole, saveRole } from '../actions'
import { RoleFields } from '../fields'
import { RoleFrame } from './frame'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.rolePages.title }
}

type Props = {
  params: Promise<{ role: string }>
  searchParams: Promise<{ done?: string }>
}

export default async function RolePage({ params, searchParams }: Props) {
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
      {mayWrite && <Deletion api={api} role={role} hidden={hidden} />}
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

async function Deletion({ api, role, hidden }: DeletionProps) {
  const { rolePages: words, form, impact } = (await currentMessages()).admin
  const { name } = role
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
    <DangerZone title={words.dangerTitle} summary={words.dangerSummary} text={text}>
      <AdminForm
        action={deleteRole}
        words={await impactWords('delete')}
        hidden={{ ...hidden, name }}
      >
        <TextInput name="typed" label={fill(form.typeName, { name })} />
        <ImpactPreview words={impact} />
      </AdminForm>
    </DangerZone>
  )
}
