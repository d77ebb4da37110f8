import type { Metadata } from 'next'
import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { getSettings } from '@/lib/api/routes/settings'
import { currentMessages } from '@/lib/browser/locale'
import { choices } from '@/lib/i18n/choices'
import { ATTRIBUTE_PARTIES, ATTRIBUTE_TYPES, type UserAttribute } from '@/lib/settings/model'
import { AdminForm, Check, Select, TextInput } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { SettingsFrame } from '../settings-frame'
import { removeAttribute, saveAttribute } from './actions'

export async function generateMetadata(): Promise<Metadata> {
  const { settings } = (await currentMessages()).admin
  return { title: `${settings.tabs.attributes} · ${settings.title}` }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function AttributesPage({ searchParams }: Props) {
  const api = await adminPage('/admin/settings/attributes')
  const { done } = await searchParams
  const { attributes: words } = (await currentMessages()).admin.settings
  const { body, version } = await api.read(getSettings, {})
  const editing = { api, version: version ?? '' }
  const removal = { ...(await formWords('save')), submit: words.remove, busy: words.removing }
  return (
    <SettingsFrame api={api} part="attributes" done={done}>
      <p className="text-muted">{words.intro}</p>
      {body.userAttributes.map((attribute) => (
        <Section key={attribute.key} title={attribute.name} text={attribute.key}>
          <AttributeForm {...editing} attribute={attribute} />
          {api.may('settings:write') && (
            <AdminForm
              action={removeAttribute}
              words={removal}
              hidden={{ version: editing.version, key: attribute.key }}
            />
          )}
        </Section>
      ))}
      {api.may('settings:write') && (
        <Section title={words.new} text={words.newText}>
          <AttributeForm {...editing} />
        </Section>
      )}
    </SettingsFrame>
  )
}

type FormProps = { api: AdminApi; version: string; attribute?: UserAttribute }

async function AttributeForm({ api, version, attribute }: FormProps) {
  const { attributes: words } = (await currentMessages()).admin.settings
  const parties = choices(ATTRIBUTE_PARTIES, words.parties)
  return (
    <AdminForm
      action={saveAttribute}
      words={await formWords('save')}
      hidden={{ version, ...(attribute && { known: attribute.key }) }}
      readOnly={!api.may('settings:write')}
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        {!attribute && <TextInput name="key" label={words.key} hint={words.keyHint} />}
        <TextInput name="name" label={words.name} defaultValue={attribute?.name ?? ''} />
        <Select
          name="type"
          label={words.type}
          defaultValue={attribute?.type ?? 'string'}
          options={choices(ATTRIBUTE_TYPES, words.types)}
        />
        <Select
          name="seenBy"
          label={words.seenBy}
          defaultValue={attribute?.seenBy ?? 'admins'}
          options={parties}
        />
        <Select
          name="changedBy"
          label={words.changedBy}
          hint={words.changedByHint}
          defaultValue={attribute?.changedBy ?? 'admins'}
          options={parties}
        />
      </div>
      <Check
        name="inConditions"
        label={words.inConditions}
        hint={words.inConditionsHint}
        checked={attribute?.inConditions ?? false}
      />
    </AdminForm>
  )
}
