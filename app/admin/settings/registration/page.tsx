import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { adminPage } from '@/lib/admin/api'
import { getSettings } from '@/lib/api/settings/routes'
import type { SettingsWire } from '@/lib/api/settings/wire'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { choices } from '@/lib/i18n/choices'
import { ASSERTION_AUDIENCES } from '@/lib/oidc/client'
import { REGISTRABLE_GRANTS, REGISTRATION_MODES } from '@/lib/settings/client-registration'
import { AdminForm, Check, Select, TextArea, TextInput, Ticks } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { SettingsFrame } from '../settings-frame'
import { saveRegistration } from './actions'
import { InitialTokens } from './tokens'

export const generateMetadata = pageTitle(({ admin }) => admin.registration.title)

export default async function RegistrationPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/settings/registration')
  const { done } = await searchParams
  const { body, version } = await api.read(getSettings, {})
  const { registration: words } = (await currentMessages()).admin
  const mayWrite = api.may('settings:write')
  return (
    <SettingsFrame api={api} part="registration" done={done}>
      <AdminForm
        action={saveRegistration}
        words={await formWords('save')}
        hidden={{ version: version ?? '' }}
        readOnly={!mayWrite}
      >
        <Section title={words.title} text={words.intro}>
          <Select
            name="mode"
            label={words.mode}
            defaultValue={body.clientRegistration.mode}
            options={choices(REGISTRATION_MODES, words.modes)}
          />
        </Section>
        <Allowed settings={body.clientRegistration} />
        <Limits settings={body.clientRegistration} />
        <Statements settings={body.clientRegistration} />
        <Documents settings={body.clientRegistration} />
      </AdminForm>
      <InitialTokens api={api} mayWrite={mayWrite} />
    </SettingsFrame>
  )
}

type Part = { settings: SettingsWire['clientRegistration'] }

async function Allowed({ settings }: Part) {
  const { registration: words } = (await currentMessages()).admin
  return (
    <Section title={words.allowed} text={words.allowedText}>
      <TextArea
        {...worded(words, 'scopes')}
        defaultValue={settings.scopes.join('\n')}
        rows={4}
        code
      />
      <TextArea
        {...worded(words, 'redirectHosts')}
        defaultValue={settings.redirectHosts.join('\n')}
        code
      />
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-medium">{words.grantTypes}</legend>
        <Ticks name="grantTypes">
          {REGISTRABLE_GRANTS.map((grant) => (
            <Check
              key={grant}
              name="grantTypes"
              value={grant}
              label={grant}
              checked={settings.grantTypes.includes(grant)}
              code
            />
          ))}
        </Ticks>
      </fieldset>
      <Check {...worded(words, 'requirePkce')} checked={settings.requirePkce} />
      <Select
        name="assertionAudience"
        label={words.assertionAudience}
        defaultValue={settings.assertionAudience}
        options={choices(ASSERTION_AUDIENCES, words.assertionAudiences)}
      />
    </Section>
  )
}

async function Limits({ settings }: Part) {
  const { registration: words } = (await currentMessages()).admin
  const fields = [
    ['unusedDays', 365],
    ['most', 100_000],
    ['perNetwork', 1_000],
  ] as const
  return (
    <Section title={words.limits}>
      <div className="field-row">
        {fields.map(([name, max]) => (
          <TextInput
            key={name}
            name={name}
            type="number"
            label={words[name]}
            hint={words[`${name}Hint`]}
            defaultValue={String(settings[name])}
            min={1}
            max={max}
          />
        ))}
      </div>
    </Section>
  )
}

async function Statements({ settings }: Part) {
  const { registration: words } = (await currentMessages()).admin
  const lines = settings.softwareIssuers.map(({ issuer, jwksUri }) => `${issuer} ${jwksUri}`)
  return (
    <Section title={words.statements} text={words.statementsText}>
      <TextArea
        {...worded(words, 'softwareIssuers')}
        defaultValue={lines.join('\n')}
        placeholder="https://directory.example https://directory.example/jwks.json"
        code
      />
      <Check
        name="requireStatement"
        label={words.requireStatement}
        checked={settings.requireStatement}
      />
    </Section>
  )
}

async function Documents({ settings }: Part) {
  const { registration: words } = (await currentMessages()).admin
  return (
    <Section title={words.documentsTitle} text={words.documentsText}>
      <Check name="documents" label={words.documents} checked={settings.documents} />
      <TextArea
        {...worded(words, 'documentHosts')}
        defaultValue={settings.documentHosts.join('\n')}
        code
      />
      <TextArea
        {...worded(words, 'documentDenied')}
        defaultValue={settings.documentDenied.join('\n')}
        code
      />
    </Section>
  )
}
