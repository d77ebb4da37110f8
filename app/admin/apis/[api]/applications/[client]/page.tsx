import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { hasTerms } from '@/lib/admin/terms'
import { listPermissions, type PermissionWire } from '@/lib/api/permissions/permissions'
import { getResourceGrants, type HoldingWire } from '@/lib/api/permissions/resource-grants'
import { getResourceById } from '@/lib/api/permissions/resource-overview'
import type { ResourceWire } from '@/lib/api/permissions/resources'
import {
  currentMessages,
  currentTextPicker,
  pageTitle,
  type TextPicker,
} from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { AdminForm, Check } from '../../../../_ui/form'
import { formWords } from '../../../../_ui/form-words'
import { Terms } from '../../../../_ui/terms'
import { ApiFrame } from '../../frame'
import { saveItems } from '../actions'

export const generateMetadata = pageTitle(({ admin }) => admin.apis.giveTitle)

export default async function ApiApplicationPage({ params }: PageProps<'api' | 'client'>) {
  const api = await adminPage('/admin/apis/[api]/applications/[client]')
  const { api: id, client } = await params
  const { apis: words } = (await currentMessages()).admin
  const resource = await api.get(getResourceById, { params: { id } })
  const { body: holding, version } = await api.read(getResourceGrants, {
    params: { id: resource.id, application: decodeURIComponent(client) },
  })
  const { application, grants } = holding
  const title = fill(words.grantsOf, { api: resource.name, app: application.name })
  const owner = application.owner
  const whose = owner === null ? words.ofNobody : fill(words.ofOwner, { owner })
  const hidden = { api: resource.id, client: application.id, version: version ?? '' }
  return (
    <ApiFrame api={api} resource={resource} tab="/applications">
      <Section title={title} text={`${whose} ${words.grantsText}`}>
        <div className="max-w-[38rem]">
          <AdminForm action={saveItems} words={await formWords('save')} hidden={hidden}>
            <Items api={api} resource={resource} grants={grants.filter((one) => !hasTerms(one))} />
          </AdminForm>
        </div>
      </Section>
      <OnTerms grants={grants.filter(hasTerms)} />
    </ApiFrame>
  )
}

type Words = Messages['admin']['apis']
type Grants = HoldingWire['grants']
type ItemsProps = { api: AdminApi; resource: ResourceWire; grants: Grants }

const MAX = 200

async function Items({ api, resource, grants }: ItemsProps) {
  const { data } = await api.get(listPermissions, {
    params: { space: resource.space },
    query: { resource: resource.id, limit: MAX },
  })
  const { apis: words } = (await currentMessages()).admin
  const inWords = await currentTextPicker()
  const held = new Set(grants.map(({ pattern }) => pattern))
  const items = new Map(data.map((item) => [item.key, item]))
  const patterns = new Set([...items.keys(), ...held, `${resource.prefix}:*`])
  return [...patterns].map((pattern) => (
    <Check
      key={pattern}
      name="pattern"
      value={pattern}
      label={pattern}
      hint={hintFor(items.get(pattern), words, inWords)}
      code
      checked={held.has(pattern)}
    />
  ))
}

/** A pattern gives what is added later, too. */
function hintFor(item: PermissionWire | undefined, words: Words, inWords: TextPicker): string {
  if (!item) return words.patternHint
  const sentence = inWords(item.descriptions) ?? ''
  return item.sensitive ? `${words.sensitive}. ${sentence}` : sentence
}

async function OnTerms({ grants }: { grants: Grants }) {
  const { apis: words } = (await currentMessages()).admin
  if (grants.length === 0) return null
  return (
    <Section title={words.withTerms}>
      <ul className="grid gap-3">
        {grants.map((grant) => (
          <li key={grant.id} className="grid gap-1">
            <code className="code w-fit">{grant.pattern}</code>
            <Terms terms={grant} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
