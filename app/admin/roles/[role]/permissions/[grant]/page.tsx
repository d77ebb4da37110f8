import { notFound } from 'next/navigation'
import { QuietLink } from '@/app/_ui/quiet-link'
import { adminPage } from '@/lib/admin/api'
import { getRoleById } from '@/lib/api/permissions/role-overview'
import { listRolePermissions } from '@/lib/api/permissions/role-permissions'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { AdminForm } from '../../../../_ui/form'
import { AdminFrame } from '../../../../_ui/frame'
import { ImpactPreview } from '../../../../_ui/impact-preview'
import { impactWords } from '../../../../_ui/impact-words'
import { TermsFields } from '../../../../_ui/terms-fields'
import { changePermission } from '../actions'

export const generateMetadata = pageTitle(({ admin }) => admin.rolePages.termsTitle)

export default async function GrantPage({ params }: PageProps<'role' | 'grant'>) {
  const api = await adminPage('/admin/roles/[role]/permissions/[grant]')
  const { role: id, grant: grantId } = await params
  const { admin } = await currentMessages()
  const { rolePages: words } = admin
  const role = await api.get(getRoleById, { params: { role: id } })
  const { body, version } = await api.read(listRolePermissions, {
    params: { space: role.space, role: role.id },
  })
  const grant = body.permissions.find((one) => one.id === grantId)
  if (!grant) notFound()
  const above = `/admin/roles/${role.id}/permissions`
  return (
    <AdminFrame
      api={api}
      page="/admin/roles"
      title={grant.pattern}
      intro={fill(words.grantIntro, { pattern: grant.pattern })}
      above={{ href: above, label: role.name }}
    >
      <div className="max-w-[44rem]">
        <AdminForm
          action={changePermission}
          words={await impactWords('save')}
          hidden={{ id: role.id, version: version ?? '', grant: grant.id }}
          aside={<QuietLink href={above}>{admin.form.cancel}</QuietLink>}
        >
          <TermsFields terms={grant} />
          <ImpactPreview words={admin.impact} />
        </AdminForm>
      </div>
    </AdminFrame>
  )
}
