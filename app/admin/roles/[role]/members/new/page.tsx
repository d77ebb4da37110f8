import type { Metadata } from 'next'
import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage, type Page } from '@/lib/admin/api'
import { listApplications } from '@/lib/api/routes/applications'
import { SUBJECTS } from '@/lib/api/routes/assignments'
import { listGroups } from '@/lib/api/routes/groups'
import { getRoleById } from '@/lib/api/routes/role-overview'
import { listUsers } from '@/lib/api/routes/users'
import { currentMessages } from '@/lib/browser/locale'
import { choices } from '@/lib/i18n/choices'
import { fill } from '@/lib/i18n/fill'
import { AdminForm, TextInput } from '../../../../_ui/form'
import { AdminFrame } from '../../../../_ui/frame'
import { ImpactPreview } from '../../../../_ui/impact-preview'
import { impactWords } from '../../../../_ui/impact-words'
import { Radio } from '../../../../_ui/radio'
import { SearchBox } from '../../../../_ui/search-box'
import { TermsFields } from '../../../../_ui/terms-fields'
import { giveRole } from '../actions'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.rolePages.addMember }
}

type Props = {
  params: Promise<{ role: string }>
  searchParams: Promise<{ kind?: string | string[]; q?: string | string[] }>
}

type Kind = (typeof SUBJECTS)[number]

/** First whom: a search in the address; then the terms, and what it changes. */
export default async function NewMemberPage({ params, searchParams }: Props) {
  const api = await adminPage('/admin/roles/[role]/members/new')
  const { role: id } = await params
  const { kind: asked, q } = await searchParams
  const kind: Kind = SUBJECTS.find((one) => one === asked) ?? 'user'
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
      <WhoSearch path={`${above}/new`} kind={kind} q={typeof q === 'string' ? q : ''} />
      <AdminForm
        action={giveRole}
        words={await impactWords('save')}
        hidden={{ id: role.id, kind }}
        aside={<QuietLink href={above}>{admin.form.cancel}</QuietLink>}
      >
        <Who api={api} kind={kind} q={typeof q === 'string' ? q : ''} />
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

async function WhoSearch({ path, kind, q }: { path: string; kind: Kind; q: string }) {
  const { rolePages: words } = (await currentMessages()).admin
  return (
    <SearchBox path={path} label={words.searchWho} q={q}>
      <label className="grid gap-1 text-small">
        <span className="text-muted">{words.kind}</span>
        <select
          name="kind"
          defaultValue={kind}
          className="min-h-10 rounded-control border border-edge bg-raised px-3 text-body text-ink hover:border-ink"
        >
          {choices(SUBJECTS, words.kinds).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </SearchBox>
  )
}

type Found = { id: string; name: string | null; email?: string | null; key?: string }

const MOST_FOUND = 20

function found(api: AdminApi, kind: Kind, q: string): Promise<Page<Found>> {
  const query = { q, limit: MOST_FOUND, sort: 'name' }
  if (kind === 'group') return api.get(listGroups, { query })
  if (kind === 'client') return api.get(listApplications, { query })
  return api.get(listUsers, { query })
}

async function Who({ api, kind, q }: { api: AdminApi; kind: Kind; q: string }) {
  const { rolePages: words } = (await currentMessages()).admin
  const { data, page } = await found(api, kind, q.trim())
  return (
    <Section title={words.whoTitle}>
      <fieldset id="subject" className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        <legend className="sr-only">{words.whoTitle}</legend>
        {data.map(({ id, name, email, key }) => (
          <Radio
            key={id}
            name="subject"
            value={id}
            label={name ?? email ?? id}
            hint={email ?? key ?? id}
          />
        ))}
      </fieldset>
      {data.length === 0 && <p className="text-muted">{words.whoNone}</p>}
      {page.next !== null && <p className="text-muted text-small">{words.whoMore}</p>}
    </Section>
  )
}
