import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { type AdminApi, adminPage, withQuery } from '@/lib/admin/api'
import { getApplication } from '@/lib/api/applications/applications'
import { type AssignmentWire, getAssignment } from '@/lib/api/permissions/assignments'
import { getGroup } from '@/lib/api/permissions/groups'
import { getRoleById } from '@/lib/api/permissions/role-overview'
import { getUser } from '@/lib/api/users/users'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { DangerZone } from '../../../../_ui/danger'
import { AdminForm, TextInput } from '../../../../_ui/form'
import { AdminFrame } from '../../../../_ui/frame'
import { ImpactPreview } from '../../../../_ui/impact-preview'
import { impactWords } from '../../../../_ui/impact-words'
import { Terms } from '../../../../_ui/terms'
import { TermsFields } from '../../../../_ui/terms-fields'
import { saveMember, takeRole } from '../actions'

export const generateMetadata = pageTitle(({ admin }) => admin.rolePages.member)

export default async function MemberPage({ params }: PageProps<'role' | 'assignment'>) {
  const api = await adminPage('/admin/roles/[role]/members/[assignment]')
  const { role: id, assignment: assignmentId } = await params
  const { admin } = await currentMessages()
  const { rolePages: words } = admin
  const role = await api.get(getRoleById, { params: { role: id } })
  const { body: held, version } = await api.read(getAssignment, {
    params: { space: role.space, id: assignmentId },
  })
  const above = `/admin/roles/${role.id}/members`
  const hidden = { id: role.id, assignment: held.id, version: version ?? '' }
  const who = await whoIs(api, held)
  return (
    <AdminFrame
      api={api}
      page="/admin/roles"
      title={fill(words.assignmentTitle, { name: who.name, role: role.name })}
      intro={
        <span className="flex flex-wrap gap-x-6">
          <QuietLink href={who.href}>{fill(words.openMember, { name: who.name })}</QuietLink>
          {held.subject.type === 'user' && (
            <QuietLink href={withQuery('/admin/why', { user: held.subject.id })}>
              {words.why}
            </QuietLink>
          )}
        </span>
      }
      above={{ href: above, label: `${role.name} · ${words.membersTab}` }}
    >
      <Section title={words.termsTitle}>
        {api.may('assignments:write') ? (
          <div className="max-w-[44rem]">
            <AdminForm action={saveMember} words={await impactWords('save')} hidden={hidden}>
              <TextInput {...worded(words, 'instance')} defaultValue={held.instance ?? ''} />
              <TermsFields terms={held} />
              <ImpactPreview words={admin.impact} />
            </AdminForm>
          </div>
        ) : (
          <Terms terms={held} />
        )}
      </Section>
      {api.may('assignments:write') && (
        <DangerZone title={words.takeTitle} summary={words.takeSummary} text={words.takeText}>
          <AdminForm action={takeRole} words={await impactWords('delete')} hidden={hidden}>
            <ImpactPreview words={admin.impact} />
          </AdminForm>
        </DangerZone>
      )}
    </AdminFrame>
  )
}

const HOMES = { user: 'users', group: 'groups', client: 'applications' } as const

async function whoIs(api: AdminApi, { subject }: AssignmentWire) {
  const href = `/admin/${HOMES[subject.type]}/${encodeURIComponent(subject.id)}`
  return { name: (await nameOf(api, subject)) ?? subject.id, href }
}

async function nameOf(api: AdminApi, { type, id }: AssignmentWire['subject']) {
  if (type === 'group') return (await api.find(getGroup, { params: { group: id } }))?.name
  if (type === 'client') return (await api.find(getApplication, { params: { id } }))?.name
  const user = await api.find(getUser, { params: { user: id } })
  return user?.name ?? user?.email
}
