import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { adminPage } from '@/lib/admin/api'
import { getSettings } from '@/lib/api/settings/routes'
import { THEMES } from '@/lib/base/contrast'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { languages, locales } from '@/lib/i18n'
import { AdminForm, Check, Select, TextInput, Ticks } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { saveBranding, saveLanguages } from '../actions'
import { SettingsFrame } from '../settings-frame'
import { AccentField } from './accent-field'

export const generateMetadata = pageTitle(({ admin }) => admin.settings.tabs.branding)

const OUR_ACCENT = { light: '#12604f', dark: '#7fcab2' } as const

export default async function BrandingPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/settings/branding')
  const { done } = await searchParams
  const { branding: words } = (await currentMessages()).admin.settings
  const { body, version } = await api.read(getSettings, {})
  const { name, accent } = body.branding
  const common = {
    hidden: { version: version ?? '' },
    words: await formWords('save'),
    readOnly: !api.may('settings:write'),
  }
  return (
    <SettingsFrame api={api} part="branding" done={done}>
      <Section title={words.title} text={words.text}>
        <AdminForm action={saveBranding} {...common}>
          <TextInput name="name" label={words.name} defaultValue={name} />
          <div className="group grid gap-6">
            <Check {...worded(words, 'ownColours')} checked={accent !== null} />
            <div className="grid gap-6 group-has-[#ownColours-yes:not(:checked)]:hidden sm:grid-cols-2">
              {THEMES.map((theme) => (
                <AccentField
                  key={theme}
                  theme={theme}
                  words={words}
                  defaultValue={(accent ?? OUR_ACCENT)[theme]}
                />
              ))}
            </div>
          </div>
        </AdminForm>
      </Section>
      <Section title={words.languages} text={words.languagesText}>
        <AdminForm action={saveLanguages} {...common}>
          <fieldset className="grid gap-3">
            <legend className="mb-2 font-semibold">{words.offered}</legend>
            <Ticks name="offered">
              {locales.map((locale) => (
                <Check
                  key={locale}
                  name="offered"
                  value={locale}
                  label={languages[locale].name}
                  checked={body.languages.offered.includes(locale)}
                />
              ))}
            </Ticks>
          </fieldset>
          <Select
            name="default"
            label={words.default}
            defaultValue={body.languages.default}
            options={locales.map((locale) => [locale, languages[locale].name] as const)}
          />
        </AdminForm>
      </Section>
    </SettingsFrame>
  )
}
