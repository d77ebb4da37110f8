import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { adminPage } from '@/lib/admin/api'
import { savedPreview } from '@/lib/admin/sign-in-preview'
import { getSettings } from '@/lib/api/settings/routes'
import type { SettingsWire } from '@/lib/api/settings/wire'
import { LINKS } from '@/lib/base/branding'
import { THEMES } from '@/lib/base/contrast'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { type Locale, languages, locales } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { AdminForm, Check, Select, TextInput, Ticks } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { MethodFields } from '../../_ui/method-fields'
import { Pictures } from '../../_ui/pictures'
import { Preview } from '../../_ui/preview'
import { saveLanguages } from '../actions'
import { SettingsFrame } from '../settings-frame'
import { AccentField } from './accent-field'
import { previewBranding, removePicture, saveBranding, uploadPicture } from './actions'

export const generateMetadata = pageTitle(({ admin }) => admin.settings.tabs.branding)

const OUR_ACCENT = { light: '#12604f', dark: '#7fcab2' } as const

export default async function BrandingPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/settings/branding')
  const { done } = await searchParams
  const { branding: words } = (await currentMessages()).admin.settings
  const { body, version } = await api.read(getSettings, {})
  const { logoLight: light, logoDark: dark, picture } = body.branding
  const mayWrite = api.may('settings:write')
  const hidden = { version: version ?? '' }
  const common = { hidden, words: await formWords('save'), readOnly: !mayWrite }
  return (
    <SettingsFrame api={api} part="branding" done={done} wide>
      <AdminForm
        action={saveBranding}
        {...common}
        beside={<Preview saved={await savedPreview(api.session)} preview={previewBranding} />}
      >
        <NameAndColours branding={body.branding} />
        <Texts settings={body} />
        <Section title={words.methods} text={words.methodsText}>
          <MethodFields {...body.branding.methods} />
        </Section>
        <Section title={words.links} text={words.linksText}>
          {LINKS.map((link) => (
            <TextInput
              key={link}
              name={link}
              type="url"
              label={words.linkNames[link]}
              placeholder="https://"
              defaultValue={body.branding.links[link] ?? ''}
            />
          ))}
        </Section>
      </AdminForm>
      <Pictures
        addresses={{ light, dark, picture }}
        none={{ logo: words.noLogo, picture: words.noPicture }}
        upload={uploadPicture}
        remove={removePicture}
        hidden={hidden}
        mayWrite={mayWrite}
      />
      <Languages settings={body} common={common} />
    </SettingsFrame>
  )
}

async function NameAndColours({ branding }: { branding: SettingsWire['branding'] }) {
  const { branding: words } = (await currentMessages()).admin.settings
  const { name, accent, drawing } = branding
  return (
    <Section title={words.title} text={words.text}>
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
      <Check {...worded(words, 'drawing')} checked={drawing} />
    </Section>
  )
}

/** First in the language that most read; the others are there for those who have them. */
async function Texts({ settings }: { settings: SettingsWire }) {
  const { branding: words } = (await currentMessages()).admin.settings
  const first = settings.languages.default
  const others = locales.filter((locale) => locale !== first)
  return (
    <Section title={words.texts} text={words.textsText}>
      <TextsIn locale={first} branding={settings.branding} />
      <details className="open-on-problem">
        <summary className="w-fit cursor-pointer text-link">{words.otherLanguages}</summary>
        <div className="mt-4 grid gap-6">
          {others.map((locale) => (
            <TextsIn key={locale} locale={locale} branding={settings.branding} />
          ))}
        </div>
      </details>
    </Section>
  )
}

type TextsProps = { locale: Locale; branding: SettingsWire['branding'] }

async function TextsIn({ locale, branding }: TextsProps) {
  const { branding: words } = (await currentMessages()).admin.settings
  const language = languages[locale].name
  return (
    <div className="grid gap-4">
      {(['signInTitle', 'signInText'] as const).map((text) => (
        <TextInput
          key={text}
          name={`${text}-${locale}`}
          label={fill(words[text], { language })}
          defaultValue={branding[text][locale] ?? ''}
        />
      ))}
    </div>
  )
}

type LanguagesProps = {
  settings: SettingsWire
  common: {
    hidden: { version: string }
    words: Awaited<ReturnType<typeof formWords>>
    readOnly: boolean
  }
}

async function Languages({ settings, common }: LanguagesProps) {
  const { branding: words } = (await currentMessages()).admin.settings
  return (
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
                checked={settings.languages.offered.includes(locale)}
              />
            ))}
          </Ticks>
        </fieldset>
        <Select
          name="default"
          label={words.default}
          defaultValue={settings.languages.default}
          options={locales.map((locale) => [locale, languages[locale].name] as const)}
        />
      </AdminForm>
    </Section>
  )
}
