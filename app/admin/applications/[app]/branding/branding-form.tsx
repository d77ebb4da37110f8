'use client'

import { type FormEvent, useState } from 'react'
import { Section } from '@/app/_ui/section'
import type { BrandingWire } from '@/lib/api/applications/branding'
import { BRAND_TEXTS, type BrandText } from '@/lib/base/branding'
import { isReadable, THEMES, type Theme } from '@/lib/base/contrast'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import type { Locale } from '@/lib/i18n/locales'
import { pickText } from '@/lib/i18n/pick-text'
import { AdminForm, type FormWords, TextInput } from '../../../_ui/form'
import { AccentField } from './accent-field'
import { saveBranding } from './actions'
import { SignInPreview, type SignInWords } from './sign-in-preview'

type Words = Messages['admin']['applications']['branding']

export type BrandLanguage = { locale: Locale; name: string; page: SignInWords }

type Props = {
  app: { id: string; name: string; logoUri: string | null }
  branding: BrandingWire
  version: string
  portal: { name: string; accents: Readonly<Record<Theme, string>>; language: Locale }
  languages: readonly BrandLanguage[]
  shown: Locale
  words: Words
  formWords: FormWords
  readOnly: boolean
}

const ACCENTS = { light: 'accent', dark: 'accentDark' } as const

/** Colours and texts, and below them the page as it would be with what was typed. */
export function BrandingForm(props: Props) {
  const { app, branding, version, words, formWords, readOnly } = props
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const note = ({ target }: FormEvent) => {
    if (!(target instanceof HTMLInputElement)) return
    const { name, value } = target
    setTyped((before) => ({ ...before, [name]: value.trim() }))
  }
  return (
    <div className="grid gap-8" onInput={note}>
      <AdminForm
        action={saveBranding}
        words={formWords}
        hidden={{ id: app.id, version }}
        readOnly={readOnly}
      >
        <Colours branding={branding} words={words} />
        <Texts {...props} />
      </AdminForm>
      <Preview {...props} typed={typed} />
    </div>
  )
}

function Colours({ branding, words }: Pick<Props, 'branding' | 'words'>) {
  return (
    <Section title={words.colours} text={words.coloursText}>
      <div className="grid gap-8 lg:grid-cols-2">
        {THEMES.map((theme) => (
          <AccentField
            key={theme}
            name={ACCENTS[theme]}
            label={words[ACCENTS[theme]]}
            theme={theme}
            defaultValue={branding[ACCENTS[theme]] ?? ''}
            words={words}
          />
        ))}
      </div>
    </Section>
  )
}

function Texts({ branding, languages, words }: Props) {
  return (
    <Section title={words.texts} text={words.textsText}>
      <p className="text-muted text-small">{words.textsHint}</p>
      <div className="grid gap-x-8 gap-y-5 lg:grid-cols-2">
        {BRAND_TEXTS.map((text) => (
          <div key={text} className="grid content-start gap-5">
            {languages.map(({ locale, name }) => (
              <TextInput
                key={locale}
                name={fieldOf(text, locale)}
                label={fill(words[text], { language: name })}
                defaultValue={branding[text][locale] ?? ''}
              />
            ))}
          </div>
        ))}
      </div>
    </Section>
  )
}

function fieldOf(text: BrandText, locale: Locale): string {
  return `${text}-${locale}`
}

type PreviewProps = Props & { typed: Readonly<Record<string, string>> }

function Preview(props: PreviewProps) {
  const { app, branding, portal, languages, words, typed } = props
  const [locale, setLocale] = useState(props.shown)
  const language = languages.find((one) => one.locale === locale)
  if (!language) return null
  const said = languages.map((one) => {
    const text = typed[fieldOf('signInText', one.locale)] ?? branding.signInText[one.locale]
    return [one.locale, text ?? ''] as const
  })
  const texts = Object.fromEntries(said.filter(([, text]) => text !== ''))
  const colourOf = (theme: Theme) => {
    const colour = typed[ACCENTS[theme]] ?? branding[ACCENTS[theme]] ?? ''
    return isReadable(colour, theme) ? colour : portal.accents[theme]
  }
  return (
    <Section
      title={words.preview}
      text={words.previewText}
      aside={
        <a href={`/admin/applications/${app.id}/consent`} className="text-link">
          {words.previewConsent}
        </a>
      }
    >
      <label className="needs-script flex flex-wrap items-center gap-3">
        {words.language}
        <select
          value={locale}
          onChange={({ target }) => {
            const chosen = languages.find((one) => one.locale === target.value)
            if (chosen) setLocale(chosen.locale)
          }}
          className="min-h-9 rounded-control border border-edge bg-raised px-2"
        >
          {languages.map((one) => (
            <option key={one.locale} value={one.locale}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <div className="grid gap-6 xl:grid-cols-2">
        {THEMES.map((theme) => (
          <SignInPreview
            key={theme}
            theme={theme}
            accent={colourOf(theme)}
            portal={portal.name}
            app={{ ...app, logo: logoFor(theme, branding) }}
            locale={locale}
            words={language.page}
            text={pickText(texts, locale, portal.language)}
          />
        ))}
      </div>
    </Section>
  )
}

/** As the page chooses it: one logo serves both themes. */
function logoFor(theme: Theme, { logoLight, logoDark }: BrandingWire): string | null {
  const [own, other] = theme === 'light' ? [logoLight, logoDark] : [logoDark, logoLight]
  return (own ?? other)?.split('/').at(-1) ?? null
}
