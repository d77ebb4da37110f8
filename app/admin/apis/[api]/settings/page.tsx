import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { type ChoiceKind, foundIn, meaningOf } from '@/lib/admin/choice'
import { listPermissions } from '@/lib/api/permissions/permissions'
import { getResourceById } from '@/lib/api/permissions/resource-overview'
import type { ResourceWire } from '@/lib/api/permissions/resources'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { ChooseMany, searchSource } from '../../../_ui/choose'
import { Deletion } from '../../../_ui/danger'
import { Fact, Facts } from '../../../_ui/facts'
import { AdminForm, Check } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { deleteApi, saveApi, saveGovernance } from '../../actions'
import { ApiFields, ApiName } from '../../fields'
import { ApiFrame } from '../frame'
import { ForClients } from './metadata'

export const generateMetadata = pageTitle(({ admin }) => admin.apis.settingsTitle)

export default async function ApiSettingsPage({ params, searchParams }: PageProps<'api'>) {
  const api = await adminPage('/admin/apis/[api]/settings')
  const { api: id } = await params
  const { done } = await searchParams
  const { apis: words } = (await currentMessages()).admin
  const { body: resource, version } = await api.read(getResourceById, { params: { id } })
  const hidden = { id: resource.id, space: resource.space, version: version ?? '' }
  const mayWrite = api.may('resources:write')
  return (
    <ApiFrame api={api} resource={resource} tab="/settings" done={done}>
      <ForTheApi resource={resource} />
      {mayWrite && (
        <Section title={words.settingsTitle}>
          <div className="max-w-[38rem]">
            <AdminForm action={saveApi} words={await formWords('save')} hidden={hidden}>
              <ApiName words={words} api={resource} />
              <ApiFields words={words} api={resource} />
            </AdminForm>
          </div>
        </Section>
      )}
      <ForClients api={api} resource={resource} hidden={mayWrite ? hidden : null} />
      {mayWrite && <Governance api={api} resource={resource} hidden={hidden} />}
      {mayWrite && <DeleteApi api={api} resource={resource} hidden={hidden} />}
    </ApiFrame>
  )
}

async function ForTheApi({ resource }: { resource: ResourceWire }) {
  const { admin } = await currentMessages()
  const { apis: words } = admin
  const { issuer } = await op()
  return (
    <Section title={words.factsTitle} text={words.factsText}>
      <Facts>
        <Fact term={words.issuer} copy={issuer}>
          {issuer}
        </Fact>
        <Fact term={`${words.audience} (aud)`} copy={resource.audience}>
          {resource.audience}
        </Fact>
        <Fact term={words.prefix}>
          <code className="code">{resource.prefix}</code>
        </Fact>
        <Fact term={words.lifetime}>
          {fill(words.seconds, { count: String(resource.tokenSeconds) })}
        </Fact>
        <Fact term={words.tokenAlg}>{resource.tokenAlg ?? words.algDefault}</Fact>
        <Fact term={words.tokenType}>{resource.tokenType}</Fact>
        <Fact term={words.state}>{resource.enabled ? admin.enabled : admin.disabled}</Fact>
      </Facts>
    </Section>
  )
}

async function Governance({ api, resource, hidden }: DeletionProps) {
  const { apis: words } = (await currentMessages()).admin
  const named = (kind: ChoiceKind) => async (id: string) => {
    const found = foundIn(await meaningOf(api, kind, id))
    return { value: id, label: found?.name ?? id, hint: found?.hint ?? null }
  }
  const owners = await Promise.all(resource.owners.map(({ id }) => named('owner')(id)))
  const introspectors = await Promise.all(resource.introspectors.map(named('application')))
  return (
    <Section title={words.governanceTitle} text={words.governanceText}>
      <div className="max-w-[38rem]">
        <AdminForm action={saveGovernance} words={await formWords('save')} hidden={hidden}>
          <ChooseMany {...worded(words, 'owners')} source={searchSource('owner')} chosen={owners} />
          <Check
            {...worded(words, 'open', 'openToAppManagers')}
            checked={resource.openToAppManagers}
          />
          <ChooseMany
            {...worded(words, 'introspectors')}
            source={searchSource('application')}
            chosen={introspectors}
          />
        </AdminForm>
      </div>
    </Section>
  )
}

type DeletionProps = { api: AdminApi; resource: ResourceWire; hidden: Record<string, string> }

async function DeleteApi({ api, resource, hidden }: DeletionProps) {
  const { apis: words } = (await currentMessages()).admin
  const { page } = await api.get(listPermissions, {
    params: { space: resource.space },
    query: { resource: resource.id, limit: 1, count: true },
  })
  return (
    <Deletion
      action={deleteApi}
      words={{ ...words, danger: fill(words.danger, { items: String(page.total ?? 0) }) }}
      name={resource.name}
      hidden={hidden}
    />
  )
}
