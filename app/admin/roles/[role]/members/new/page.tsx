import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { getRoleById } from '@/lib/api/permissions/role-overview'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { Choose } from '../../../../_ui/choose'
import { AdminForm, TextInput } from '../../../../_ui/form'
import { AdminFrame } from '../../../../_ui/frame'
import { ImpactPreview } from '../../../../_ui/impact-preview'
import { impactWords } from '../../../../_ui/impact-words'
import { TermsFields } from '../../../../_ui/terms-fields'
import { giveRole } from '../actions'

export const generateMetadata = pageTitle(({ admin }) => admin.rolePages.addMember)

/** First whom, then the terms, and what it changes. */
export default async function NewMemberPage({ params }: PageProps<'role'>) {
  const api = await adminPage('/admin/roles/[role]/members/new')
  const { role: id } = await params
  const { admin } = await currentMessages()
  const { rolePages: words } = admin
  const role = await api.get(getRoleById, { params: { role: id } })
  const above = `/admin/roles/${role.id}/members`
  return (
    <AdminFrame
      api={api}
      page="/admin/roles"
      title={fill(words.addMemberTitle, { role: role.name })}
      intro={words.addMemberIntro}
      above={{ href: above, label: role.name }}
    >
      <AdminForm
        action={giveRole}
        words={await impactWords('save')}
        hidden={{ id: role.id }}
        aside={<QuietLink href={above}>{admin.form.cancel}</QuietLink>}
      >
        <Section title={words.whoTitle}>
          <div className="max-w-[44rem]">
            <Choose name="subject" kind="member" label={words.who} hint={words.whoHint} />
          </div>
        </Section>
        <Section title={words.termsTitle}>
          <div className="grid max-w-[44rem] gap-6">
            <TextInput name="instance" label={words.instance} hint={words.instanceHint} />
            <TermsFields />
          </div>
        </Section>
        <ImpactPreview words={admin.impact} />
      </AdminForm>
    </AdminFrame>
  )
}
