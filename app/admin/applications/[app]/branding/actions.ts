'use server'

import { redirect } from 'next/navigation'
import { press, sendForm } from '@/lib/admin/form-call'
import * as brandings from '@/lib/api/applications/branding'
import { BRAND_TEXTS, type BrandText } from '@/lib/base/branding'
import { type FormState, mistaken } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { locales } from '@/lib/i18n/locales'

const FIELDS = Object.fromEntries(
  BRAND_TEXTS.flatMap((text) => locales.map((one) => [`${text}/${one}`, `${text}-${one}`])),
)

export async function saveBranding(_before: FormState, form: FormData): Promise<FormState> {
  const colour = (name: string) => textOf(form, name).trim().toLowerCase() || null
  const body = {
    accent: colour('accent'),
    accentDark: colour('accentDark'),
    signInText: textsIn(form, 'signInText'),
    consentText: textsIn(form, 'consentText'),
  }
  const params = { id: textOf(form, 'id') }
  const version = textOf(form, 'version')
  const asked = { params, body, version }
  const saved = await sendForm(form, brandings.changeApplicationBranding, asked, null, FIELDS)
  return saved.refused ?? redirect(`${pageOf(form)}?done=brandingSaved`)
}

/** A language without a text is left out. */
function textsIn(form: FormData, text: BrandText): Record<string, string> {
  const typed = locales.map((one) => [one, textOf(form, `${text}-${one}`).trim()] as const)
  return Object.fromEntries(typed.filter(([, said]) => said !== ''))
}

const MAX_BYTES = 1024 * 1024

export async function uploadLogo(_before: FormState, form: FormData): Promise<FormState> {
  const { branding: words } = (await currentMessages()).admin.applications
  const theme = textOf(form, 'theme')
  const field = `picture-${theme}`
  const file = form.get(field)
  if (!(file instanceof File) || file.size === 0) {
    return mistaken(form, { field, text: words.chooseFirst })
  }
  if (file.size > MAX_BYTES) return mistaken(form, { field, text: words.tooLarge })
  const picture = Buffer.from(await file.arrayBuffer()).toString('base64')
  const params = { id: textOf(form, 'id'), theme }
  const asked = { params, body: { picture } }
  const saved = await sendForm(form, brandings.replaceApplicationLogo, asked, null, {
    picture: field,
  })
  return saved.refused ?? redirect(`${pageOf(form)}?done=logoSaved`)
}

export async function removeLogo(form: FormData): Promise<void> {
  const params = { id: textOf(form, 'id'), theme: textOf(form, 'theme') }
  return press(brandings.removeApplicationLogo, { params }, pageOf(form), 'logoRemoved')
}

function pageOf(form: FormData): string {
  return `/admin/applications/${encodeURIComponent(textOf(form, 'id'))}/branding`
}
