import { Scripted } from '@/app/_ui/scripted'
import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { ACR_VALUES } from '@/lib/access/acr'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { meantIn } from '@/lib/admin/choice'
import { textsIn } from '@/lib/admin/context-fields'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { choices } from '@/lib/i18n/choices'
import { Choose, ChooseScopes } from '../_ui/choose'
import { AdminForm, Select } from '../_ui/form'
import { AdminFrame } from '../_ui/frame'
import { startTest } from './actions'
import { Redirecting } from './redirecting'
import { ToolTabs } from './tabs'

export const generateMetadata = pageTitle(({ admin }) => admin.pages['/admin/tools'])

export default async function ToolsPage({ searchParams }: PageProps) {
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
  const { client } = await meantIn(api, { client: 'application' }, given)
  const submit = { submit: words.start, busy: words.starting, problem: common.problem }
  return (
    <AdminForm action={startTest} words={submit}>
      <Scripted />
      <Redirecting />
      <Choose {...worded(words, 'client')} kind="application" value={given.client} meant={client} />
      <ChooseScopes {...worded(words, 'scope')} value={given.scope ?? 'openid profile email'} />
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
      <Choose name="resource" kind="api" send="hint" label={words.resource} />
      <Select
        name="acr_values"
        label={words.acr}
        defaultValue=""
        options={[['', words.acrNone], ...choices(ACR_VALUES, acrTexts)]}
      />
    </AdminForm>
  )
}
