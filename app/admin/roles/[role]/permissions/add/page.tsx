import { QuietLink } from '@/app/_ui/quiet-link'
import { SearchBox } from '@/app/_ui/search-box'
import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { listPermissions } from '@/lib/api/permissions/permissions'
import { listResources } from '@/lib/api/permissions/resources'
import { getRoleById } from '@/lib/api/permissions/role-overview'
import { currentMessages, currentTextPicker, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { ChooseMany, patternSource } from '../../../../_ui/choose'
import { AdminForm, Check } from '../../../../_ui/form'
import { AdminFrame } from '../../../../_ui/frame'
import { ImpactPreview } from '../../../../_ui/impact-preview'
import { impactWords } from '../../../../_ui/impact-words'
import { TermsFields } from '../../../../_ui/terms-fields'
import { addPermissions } from '../actions'

export const generateMetadata = pageTitle(({ admin }) => admin.rolePages.addPermissions)

export default async function AddPermissionsPage({ params, searchParams }: PageProps<'role'>) {
  const api = await adminPage('/admin/roles/[role]/permissions/add')
  const { role: id } = await params
  const { q } = await searchParams
  const { admin } = await currentMessages()
  const { rolePages: words } = admin
  const { body: role, version } = await api.read(getRoleById, { params: { role: id } })
  const above = `/admin/roles/${role.id}/permissions`
  const asked = typeof q === 'string' ? q.trim() : ''
  return (
    <AdminFrame
      api={api}
      page="/admin/roles"
      title={words.addPermissions}
      above={{ href: above, label: role.name }}
    >
      <SearchBox path={`${above}/add`} label={words.searchItems} q={asked} />
      <AdminForm
        action={addPermissions}
        words={await impactWords('save')}
        hidden={{ id: role.id, version: version ?? '' }}
        aside={<QuietLink href={above}>{admin.form.cancel}</QuietLink>}
      >
        <Found api={api} space={role.space} q={asked} />
        <Section title={words.termsTitle}>
          <div className="grid max-w-[44rem] gap-6">
            <TermsFields />
          </div>
        </Section>
        <ImpactPreview words={admin.impact} />
      </AdminForm>
    </AdminFrame>
  )
}

const MAX_FOUND = 40

async function Found({ api, space, q }: { api: AdminApi; space: string; q: string }) {
  const { rolePages: words } = (await currentMessages()).admin
  const inWords = await currentTextPicker()
  const input = { params: { space }, query: { limit: MAX_FOUND, q } }
  const [{ data: items, page }, { data: apis }] = await Promise.all([
    api.get(listPermissions, input),
    api.get(listResources, input),
  ])
  return (
    <Section title={words.foundTitle} text={items.length > 0 ? words.found : words.foundNone}>
      <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {apis.map(({ id, prefix, name }) => (
          <Check
            key={id}
            name="item"
            value={`${prefix}:*`}
            label={`${prefix}:*`}
            code
            hint={fill(words.wholeApi, { name })}
          />
        ))}
        {items.map(({ key, descriptions }) => (
          <Check
            key={key}
            name="item"
            value={key}
            label={key}
            code
            hint={inWords(descriptions) ?? ''}
          />
        ))}
      </div>
      {page.next !== null && <p className="text-muted text-small">{words.moreFound}</p>}
      <div className="max-w-[44rem]">
        <ChooseMany
          {...worded(words, 'patterns')}
          source={await patternSource(api, space)}
          chosen={[]}
        />
      </div>
    </Section>
  )
}
