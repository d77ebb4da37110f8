import type { FormState } from '@/lib/browser/api-form'
import { currentMessages, currentSettings } from '@/lib/browser/locale'
import { languages } from '@/lib/i18n'
import { LookPreview, type LookPreviewed } from './look-preview'

type Props = {
  saved: string
  preview: (form: FormData) => Promise<FormState<LookPreviewed>>
}

/** The sign-in page with what the form around it says, in the languages that users can have. */
export async function Preview({ saved, preview }: Props) {
  const { admin } = await currentMessages()
  const { offered, default: language } = (await currentSettings()).languages
  return (
    <LookPreview
      saved={saved}
      preview={preview}
      languages={offered.map((locale) => [locale, languages[locale].name] as const)}
      language={language}
      words={admin.settings.preview}
      busy={admin.form.saving}
    />
  )
}
