import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { adminPage } from '@/lib/admin/api'
import { getSettings } from '@/lib/api/settings/routes'
import type { SettingsWire } from '@/lib/api/settings/wire'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { isConfirmedNow } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { DangerZone } from '../../_ui/danger'
import { Fact, Facts } from '../../_ui/facts'
import { AdminForm, TextInput } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { removeMail, saveMail } from '../actions'
import { ConfirmFirst } from '../confirm-first'
import { Fixed } from '../fixed'
import { SettingsFrame } from '../settings-frame'
import { MailTest } from './mail-test'

export const generateMetadata = pageTitle(({ admin }) => admin.settings.tabs.mail)

export default async function MailPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/settings/mail')
  const { done } = await searchParams
  const { mail: words, ownersOnly } = (await currentMessages()).admin.settings
  const { body, version } = await api.read(getSettings, {})
  const { mail, fixed } = body
  const variable = fixed['/mail']
  const mayWrite = api.may('sign-in:write')
  const confirmed = await isConfirmedNow(api.session)
  const mayChange = mayWrite && confirmed && !variable
  const hidden = { version: version ?? '' }
  return (
    <SettingsFrame api={api} part="mail" done={done}>
      <Section
        title={words.title}
        text={[mail ? words.text : words.off, ...(mayWrite ? [] : [ownersOnly])].join(' ')}
      >
        {variable ? (
          <FixedMail mail={mail} variable={variable} />
        ) : (
          <>
            {mayWrite && !confirmed && <ConfirmFirst />}
            <MailForm mail={mail} hidden={hidden} readOnly={!mayChange} />
          </>
        )}
      </Section>
      {mail && api.may('settings:write') && <Trying to={api.session.user.email} />}
      {mail && mayChange && (
        <DangerZone title={words.dangerTitle} summary={words.dangerSummary} text={words.danger}>
          <AdminForm action={removeMail} words={await formWords('delete')} hidden={hidden} />
        </DangerZone>
      )}
    </SettingsFrame>
  )
}

type Mail = SettingsWire['mail']

async function FixedMail({ mail, variable }: { mail: Mail; variable: string }) {
  const { mail: words } = (await currentMessages()).admin.settings
  return (
    <>
      <Facts>
        <Fact term={words.server}>{mail?.server}</Fact>
        <Fact term={words.from}>{mail?.from}</Fact>
      </Facts>
      <Fixed variable={variable} />
    </>
  )
}

type FormProps = { mail: Mail; hidden: Record<string, string>; readOnly: boolean }

async function MailForm({ mail, hidden, readOnly }: FormProps) {
  const { mail: words } = (await currentMessages()).admin.settings
  return (
    <AdminForm
      action={saveMail}
      words={await formWords('save')}
      hidden={hidden}
      readOnly={readOnly}
    >
      <TextInput {...worded(words, 'server')} defaultValue={mail?.server} />
      <TextInput
        name="password"
        type="password"
        autoComplete="new-password"
        label={words.password}
        hint={mail?.passwordSet ? words.passwordKept : undefined}
      />
      <TextInput name="from" label={words.from} hint={words.fromHint} defaultValue={mail?.from} />
    </AdminForm>
  )
}

async function Trying({ to }: { to: string | null }) {
  const { admin, common } = await currentMessages()
  const { mail: words } = admin.settings
  if (to === null) return <Section title={words.test} text={words.noAddress} />
  return (
    <Section title={words.test} text={fill(words.testText, { to })}>
      <MailTest words={words} problem={common.problem} />
    </Section>
  )
}
