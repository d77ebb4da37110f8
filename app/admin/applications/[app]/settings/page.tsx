import { worded } from '@/app/_ui/worded'
import { adminPage } from '@/lib/admin/api'
import { meaningOf } from '@/lib/admin/choice'
import { listSpaces } from '@/lib/admin/spaces'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { choices } from '@/lib/i18n/choices'
import { fill } from '@/lib/i18n/fill'
import {
  ACCESS_TOKEN_TYPES,
  type ApplicationFlag,
  ASSERTION_ALGORITHMS,
  ASSERTION_AUDIENCES,
  ASSERTION_SECONDS,
  AUTH_METHODS,
  type FlagSection,
  flagsOf,
  PKCE_SETTINGS,
  TOKEN_ALGORITHMS,
  weakeningsOf,
} from '@/lib/oidc/client'
import { GRANT_TYPES } from '@/lib/oidc/grants'
import { Choose, ChooseMany, scopeSource } from '../../../_ui/choose'
import { Check, Select, TextArea, TextInput } from '../../../_ui/form'
import { AppFrame, readApp, tabTitle } from '../../app-frame'
import { Names } from '../../names'
import { UriLines } from '../../uri-lines'
import { type EditedApplication, SettingsForm } from './settings-form'

export const generateMetadata = tabTitle('settings')

export default async function SettingsPage({ params, searchParams }: PageProps<'app'>) {
  const api = await adminPage('/admin/applications/[app]/settings')
  const { body: app, version } = await readApp(api, (await params).app)
  const { done } = await searchParams
  const editing = { api, app, version: version ?? '' }
  return (
    <AppFrame api={api} app={app} tab="settings" done={done}>
      <General {...editing} />
      {app.kind !== 'machine' && <Addresses {...editing} />}
      <Security {...editing} />
      <Compatibility {...editing} />
      <Scopes {...editing} />
      {mayBelong(editing) && <FirstParty {...editing} />}
    </AppFrame>
  )
}

async function General(editing: EditedApplication) {
  const { applications: words } = (await currentMessages()).admin
  const { api, app } = editing
  const { settings } = words
  const mayGive = api.session.user.adminRole !== 'app_manager'
  return (
    <SettingsForm {...editing} section="general" title={settings.general}>
      <Names kind={app.kind} app={app} />
      {mayGive && (
        <>
          <input type="hidden" name="mayVerify" value="yes" />
          <Check
            {...worded(settings, 'verified', 'publisherVerified')}
            checked={app.publisherVerified}
          />
        </>
      )}
      {app.kind !== 'machine' && (
        <>
          <TextInput
            name="policyUri"
            type="url"
            label={settings.policy}
            hint={settings.httpsHint}
            defaultValue={app.policyUri ?? ''}
          />
          <TextInput
            name="tosUri"
            type="url"
            label={settings.tos}
            hint={settings.httpsHint}
            defaultValue={app.tosUri ?? ''}
          />
        </>
      )}
      <Flags app={app} section="general" />
      <SpaceField {...editing} />
      {mayGive && (
        <Choose
          name="owner"
          kind="user"
          label={words.owner}
          hint={settings.ownerHint}
          value={app.owner ?? undefined}
          meant={await meaningOf(api, 'user', app.owner)}
        />
      )}
    </SettingsForm>
  )
}

async function SpaceField({ api, app }: EditedApplication) {
  const { applications: words } = (await currentMessages()).admin
  const spaces = await listSpaces(api)
  return (
    <Select
      name="space"
      label={words.overview.space}
      hint={words.settings.spaceHint}
      defaultValue={app.space ?? ''}
      options={[
        ['', words.settings.spaceNone],
        ...spaces.map(({ id, name }) => [id, name] as const),
      ]}
    />
  )
}

async function Addresses(editing: EditedApplication) {
  const { uris, settings } = (await currentMessages()).admin.applications
  const { app } = editing
  const allowed = app.allowedOrigins.join(', ')
  return (
    <SettingsForm {...editing} section="addresses" title={settings.addresses}>
      <UriLines
        {...worded(uris, 'redirect', 'redirectUris')}
        defaultValue={app.redirectUris.join('\n')}
        rows={Math.max(3, app.redirectUris.length + 1)}
        of={app.kind}
        words={uris}
      />
      <UriLines
        {...worded(uris, 'postLogout', 'postLogoutRedirectUris')}
        defaultValue={app.postLogoutRedirectUris.join('\n')}
        rows={Math.max(2, app.postLogoutRedirectUris.length + 1)}
        of={app.kind}
        words={uris}
      />
      <Select
        name="originsFrom"
        label={uris.originsFrom}
        hint={fill(uris.originsFromHint, { all: allowed || uris.originsNone })}
        defaultValue={app.origins === null ? 'redirects' : 'list'}
        options={choices(['redirects', 'list'], uris.originsFroms)}
      />
      <UriLines
        {...worded(uris, 'origins')}
        defaultValue={app.allowedOrigins.join('\n')}
        rows={2}
        of="origin"
        words={uris}
      />
      <TextInput
        {...worded(settings, 'backchannel', 'backchannelLogoutUri')}
        type="url"
        defaultValue={app.backchannelLogoutUri ?? ''}
      />
      <TextInput
        {...worded(settings, 'initiateLogin', 'initiateLoginUri')}
        type="url"
        defaultValue={app.initiateLoginUri ?? ''}
      />
    </SettingsForm>
  )
}

async function Security(editing: EditedApplication) {
  const { settings } = (await currentMessages()).admin.applications
  const { app } = editing
  const algorithms = TOKEN_ALGORITHMS.map((alg) => [alg, alg] as const)
  return (
    <SettingsForm {...editing} section="security" title={settings.security}>
      <Choices
        name="authMethods"
        legend={settings.auth}
        options={choices(AUTH_METHODS, settings.authMethods)}
        chosen={app.authMethods}
      />
      <Choices
        name="grantTypes"
        legend={settings.grants}
        options={choices(GRANT_TYPES, settings.grantTypes)}
        chosen={app.grantTypes}
      />
      <Select
        name="idTokenAlg"
        label={settings.idTokenAlg}
        hint={settings.algHint}
        defaultValue={app.idTokenAlg}
        options={algorithms}
      />
      <Select
        name="accessTokenAlg"
        label={settings.accessTokenAlg}
        defaultValue={app.accessTokenAlg}
        options={algorithms}
      />
      <Select
        {...worded(settings, 'userinfoAlg')}
        defaultValue={app.userinfoAlg ?? ''}
        options={[['', settings.userinfoPlain], ...algorithms]}
      />
      <TextInput
        {...worded(settings, 'defaultMaxAge')}
        type="number"
        min={0}
        defaultValue={String(app.defaultMaxAge ?? '')}
      />
      <Flags app={app} section="security" />
      <TextArea
        {...worded(settings, 'jwks')}
        code
        rows={app.jwks ? 8 : 2}
        defaultValue={app.jwks ? JSON.stringify(app.jwks, null, 2) : ''}
      />
      <TextInput {...worded(settings, 'jwksUri')} type="url" defaultValue={app.jwksUri ?? ''} />
    </SettingsForm>
  )
}

/** Settings that older libraries need; each says what is lost with it. */
async function Compatibility(editing: EditedApplication) {
  const { settings } = (await currentMessages()).admin.applications
  const { app } = editing
  return (
    <SettingsForm
      {...editing}
      section="compatibility"
      title={settings.compatibility}
      text={settings.compatibilityText}
    >
      <Weakened app={app} />
      <Pkce app={app} />
      <Flags app={app} section="compatibility" />
      <Select
        {...worded(settings, 'accessTokenType')}
        defaultValue={app.accessTokenType}
        options={ACCESS_TOKEN_TYPES.map((type) => [type, type] as const)}
      />
      <Select
        {...worded(settings, 'assertionAudience')}
        defaultValue={app.assertionAudience}
        options={choices(ASSERTION_AUDIENCES, settings.assertionAudiences)}
      />
      <Select
        {...worded(settings, 'assertionAlg')}
        defaultValue={app.assertionAlg ?? ''}
        options={[
          ['', settings.assertionAlgAny],
          ...ASSERTION_ALGORITHMS.map((alg) => [alg, alg] as const),
        ]}
      />
      <TextInput
        {...worded(settings, 'assertionSeconds')}
        type="number"
        min={60}
        max={ASSERTION_SECONDS.longest}
        defaultValue={String(app.assertionSeconds)}
      />
    </SettingsForm>
  )
}

async function Pkce({ app }: { app: ApplicationWire }) {
  const { settings } = (await currentMessages()).admin.applications
  const { learned, waiting, public: ofPublic } = settings.pkceState
  if (app.authMethods.includes('none')) return <p className="text-muted">{ofPublic}</p>
  const state = app.pkceLearned ? learned : waiting
  return (
    <>
      <Select
        {...worded(settings, 'pkce')}
        defaultValue={app.pkce}
        options={choices(PKCE_SETTINGS, settings.pkceSettings)}
      />
      {app.pkce === 'learned' && <p className="text-muted">{state}</p>}
    </>
  )
}

async function Weakened({ app }: { app: ApplicationWire }) {
  const { settings } = (await currentMessages()).admin.applications
  const weakenings = weakeningsOf(app)
  if (weakenings.length === 0) return null
  return (
    <div className="grid gap-1 rounded-control border border-warn px-4 py-3">
      <p className="font-semibold">{settings.weakened}</p>
      <ul className="list-disc ps-5">
        {weakenings.map((one) => (
          <li key={one}>{settings.weakenings[one]}</li>
        ))}
      </ul>
    </div>
  )
}

type ChoicesProps = {
  name: string
  legend: string
  options: readonly (readonly [value: string, label: string])[]
  chosen: readonly string[]
}

function Choices({ name, legend, options, chosen }: ChoicesProps) {
  return (
    <fieldset id={name} className="grid gap-2">
      <legend className="mb-2 font-semibold">{legend}</legend>
      {options.map(([value, label]) => (
        <Check
          key={value}
          name={name}
          value={value}
          label={label}
          checked={chosen.includes(value)}
        />
      ))}
    </fieldset>
  )
}

async function Flags({ app, section }: { app: ApplicationWire; section: FlagSection }) {
  const words: Record<ApplicationFlag, { label: string; hint: string }> = (await currentMessages())
    .admin.applications.settings.flags
  return flagsOf(section).map((name) => (
    <Check key={name} name={name} {...words[name]} checked={app[name]} />
  ))
}

/** Not one of app managers, nor one that registered itself; a machine has no users. */
function mayBelong({ api, app }: EditedApplication): boolean {
  const isOurs = app.registration === 'admin' && app.kind !== 'machine'
  return isOurs && api.session.user.adminRole !== 'app_manager'
}

async function FirstParty(editing: EditedApplication) {
  const { settings } = (await currentMessages()).admin.applications
  const { app } = editing
  return (
    <SettingsForm
      {...editing}
      section="first_party"
      title={settings.belonging}
      text={settings.belongingText}
    >
      <Flags app={app} section="first_party" />
      <ChooseMany
        {...worded(settings, 'preapproved', 'preapprovedScopes')}
        source={await scopeSource()}
        chosen={app.preapprovedScopes.map((scope) => ({ value: scope, label: scope }))}
      />
    </SettingsForm>
  )
}

async function Scopes(editing: EditedApplication) {
  const { settings } = (await currentMessages()).admin.applications
  const { app } = editing
  return (
    <SettingsForm {...editing} section="scopes" title={settings.scopeRules}>
      <Flags app={app} section="scopes" />
      <ChooseMany
        {...worded(settings, 'required', 'requiredScopes')}
        source={await scopeSource()}
        chosen={app.requiredScopes.map((scope) => ({ value: scope, label: scope }))}
      />
      <ChooseMany
        {...worded(settings, 'default', 'defaultScopes')}
        source={await scopeSource()}
        chosen={app.defaultScopes.map((scope) => ({ value: scope, label: scope }))}
      />
      <ChooseMany
        {...worded(settings, 'scopeLimit')}
        source={await scopeSource()}
        chosen={(app.scopeLimit ?? []).map((scope) => ({ value: scope, label: scope }))}
      />
    </SettingsForm>
  )
}
