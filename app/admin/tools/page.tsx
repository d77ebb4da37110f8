import type { Metadata } from 'next'
import { Scripted } from '@/app/_ui/scripted'
import { Section } from '@/app/_ui/section'
import { ACR_VALUES } from '@/lib/access/acr'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { textsIn } from '@/lib/admin/context-fields'
import type { SearchParams } from '@/lib/admin/list'
import { currentMessages } from '@/lib/browser/locale'
import { choices } from '@/lib/i18n/choices'
import { AdminForm, Select, TextArea, TextInput } from '../_ui/form'
import { AdminFrame } from '../_ui/frame'
import { ClientSuggestions, ResourceSuggestions } from '../_ui/suggestions'
import { startTest } from './actions'
import { Redirecting } from './redirecting'
import { ToolTabs } from './tabs'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.pages['/admin/tools'] }
}

type Props = { searchParams: Promise<SearchParams> }

export default async function ToolsPage({ searchParams }: Props) {
  const api = await adminPage('/admin/tools')
  const given = textsIn(await searchParams, ['client', 'scope'])
  const { admin } = await currentMessages()
  const { test: words, intro } = admin.tools
  return (
    <AdminFrame api={api} page="/admin/tools" title={admin.pages['/admin/tools']} intro={intro}>
      <ToolTabs at="/admin/tools" />
      <div className="grid max-w-[44rem] gap-5">
        <Section title={words.title} text={words.text}>
          {api.may('applications:write') ? (
            <TestForm api={api} given={given} />
          ) : (
            <p className="font-medium">{words.noScopeToTest}</p>
          )}
        </Section>
        <p className="text-muted text-small">{words.safe}</p>
      </div>
    </AdminFrame>
  )
}

type FormProps = { api: AdminApi; given: { client?: string; scope?: string } }

async function TestForm({ api, given }: FormProps) {
  const { admin, common } = await currentMessages()
  const { test: words } = admin.tools
  const { acrTexts } = admin.access.context
  const submit = { submit: words.start, busy: words.starting, problem: common.problem }
  return (
    <AdminForm action={startTest} words={submit}>
      <Scripted />
      <Redirecting />
      <TextInput
        name="client"
        list="clients"
        label={words.client}
        hint={words.clientHint}
        defaultValue={given.client}
      />
      <ClientSuggestions api={api} id="clients" />
      <TextArea
        name="scope"
        rows={2}
        code
        label={words.scope}
        hint={words.scopeHint}
        defaultValue={given.scope ?? 'openid profile email'}
      />
      <Select
        name="prompt"
        label={words.prompt}
        defaultValue=""
        options={[
          ['', words.prompts.none],
          ['select_account', words.prompts.select_account],
          ['login', words.prompts.login],
          ['consent', words.prompts.consent],
        ]}
      />
      <TextInput name="resource" list="resources" label={words.resource} />
      <ResourceSuggestions api={api} id="resources" />
      <Select
        name="acr_values"
        label={words.acr}
        defaultValue=""
        options={[['', words.acrNone], ...choices(ACR_VALUES, acrTexts)]}
      />
    </AdminForm>
  )
}
