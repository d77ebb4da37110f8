import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { IMPERSONATION_MODES, IMPERSONATORS } from '@/lib/access/impersonation'
import { adminPage } from '@/lib/admin/api'
import { getSettings } from '@/lib/api/settings/routes'
import type { SettingsWire } from '@/lib/api/settings/wire'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { choices } from '@/lib/i18n/choices'
import { REGISTRATIONS } from '@/lib/settings/model'
import { AdminForm, Check, Select, TextInput } from '../_ui/form'
import { formWords } from '../_ui/form-words'
import { saveSecurity } from './actions'
import { FixedField } from './fixed'
import { SettingsFrame } from './settings-frame'

export const generateMetadata = pageTitle(({ admin }) => admin.settings.title)

export default async function SecuritySettingsPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/settings')
  const { done } = await searchParams
  const { security: words } = (await currentMessages()).admin.settings
  const { body, version } = await api.read(getSettings, {})
  return (
    <SettingsFrame api={api} part="security" done={done}>
      <AdminForm
        action={saveSecurity}
        words={await formWords('save')}
        hidden={{ version: version ?? '' }}
        readOnly={!api.may('settings:write')}
      >
        <Section title={words.passwords} text={words.passwordsText}>
          <div className="field-row">
            <NumberField name="passwordLength" settings={body} min={15} max={64} />
            <NumberField name="passwordLengthWithFactor" settings={body} min={8} max={64} />
          </div>
          <Check
            {...worded(words, 'breachedPasswords')}
            checked={body.security.breachedPasswords}
          />
        </Section>
        <Section title={words.admins}>
          <Check
            {...worded(words, 'adminSecondFactor')}
            checked={body.security.adminSecondFactor}
          />
          <Select
            {...worded(words, 'impersonation')}
            defaultValue={body.security.impersonation}
            options={choices(IMPERSONATION_MODES, words.impersonations)}
          />
          <Select
            {...worded(words, 'impersonators')}
            defaultValue={body.security.impersonators}
            options={choices(IMPERSONATORS, words.impersonatorKinds)}
          />
        </Section>
        <Section title={words.signIn}>
          <Check {...worded(words, 'mailSignIn')} checked={body.security.mailSignIn} />
          <NumberField name="trustedDeviceDays" settings={body} min={0} max={365} />
        </Section>
        <Section title={words.sessions} text={words.sessionsText}>
          <div className="field-row">
            <NumberField name="sessionIdleMinutes" settings={body} min={5} max={43_200} />
            <NumberField name="sessionHours" settings={body} min={1} max={8_760} />
            <NumberField name="confirmMinutes" settings={body} min={1} max={60} />
          </div>
        </Section>
        <Section title={words.access}>
          <Registration settings={body} />
          <NumberField name="clientRequestsPerMinute" settings={body} min={6} max={1_000_000} />
          <Check {...worded(words, 'requirePkce')} checked={body.security.requirePkce} />
          <NumberField name="decisionDays" settings={body} min={0} max={365} />
        </Section>
      </AdminForm>
    </SettingsFrame>
  )
}

type Numbers =
  | 'passwordLength'
  | 'passwordLengthWithFactor'
  | 'trustedDeviceDays'
  | 'sessionIdleMinutes'
  | 'sessionHours'
  | 'confirmMinutes'
  | 'clientRequestsPerMinute'
  | 'decisionDays'

type NumberProps = { name: Numbers; settings: SettingsWire; min: number; max: number }

async function NumberField({ name, settings: { security, fixed }, min, max }: NumberProps) {
  const { security: words } = (await currentMessages()).admin.settings
  const value = String(security[name])
  const variable = fixed[`/security/${name}`]
  if (variable) return <FixedField label={words[name]} value={value} variable={variable} />
  return (
    <TextInput
      name={name}
      type="number"
      label={words[name]}
      hint={words[`${name}Hint`]}
      defaultValue={value}
      min={min}
      max={max}
    />
  )
}

async function Registration({ settings: { security, fixed } }: { settings: SettingsWire }) {
  const { security: words } = (await currentMessages()).admin.settings
  const { registration } = security
  const variable = fixed['/security/registration']
  if (variable) {
    const value = words.registrations[registration]
    return <FixedField label={words.registration} value={value} variable={variable} />
  }
  return (
    <Select
      name="registration"
      label={words.registration}
      defaultValue={registration}
      options={choices(REGISTRATIONS, words.registrations)}
    />
  )
}
