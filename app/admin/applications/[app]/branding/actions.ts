'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import * as brandings from '@/lib/api/routes/application-branding'
import { BRAND_TEXTS, type BrandText } from '@/lib/base/branding'
import { type FormState, mistaken, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { locales } from '@/lib/i18n/locales'

const FIELDS = Object.fromEntries(
  BRAND_TEXTS.flatMap((text) => locales.map((one) => [`${text}/${one}`, `${text}-${one}`])),
)

export async function saveBranding(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const colour = (name: string) => textOf(form, name).trim().toLowerCase() || null
  const body = {
    accent: colour('accent'),
    accentDark: colour('accentDark'),
    signInText: textsIn(form, 'signInText'),
    consentText: textsIn(form, 'consentText'),
  }
  const params = { id: textOf(form, 'id') }
  const version = textOf(form, 'version')
  const saved = await api.send(brandings.changeApplicationBranding, { params, body, version })
  if (!saved.ok) return refused(saved.problem, form, problems, FIELDS)
  redirect(`${pageOf(form)}?done=brandingSaved`)
}

/** A language without a text is left out. */
function textsIn(form: FormData, text: BrandText): Record<string, string> {
  const typed = locales.map((one) => [one, textOf(form, `${text}-${one}`).trim()] as const)
  return Object.fromEntries(typed.filter(([, said]) => said !== ''))
}

const LARGEST = 1024 * 1024

export async function uploadLogo(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, applications } = (await currentMessages()).admin
  const { branding: words } = applications
  const theme = textOf(form, 'theme')
  const field = `picture-${theme}`
  const file = form.get(field)
  if (!(file instanceof File) || file.size === 0) {
    return mistaken(form, { field, text: words.chooseFirst })
  }
  if (file.size > LARGEST) return mistaken(form, { field, text: words.tooLarge })
  const picture = Buffer.from(await file.arrayBuffer()).toString('base64')
  const params = { id: textOf(form, 'id'), theme }
  const saved = await api.send(brandings.replaceApplicationLogo, { params, body: { picture } })
  if (!saved.ok) return refused(saved.problem, form, problems, { picture: field })
  redirect(`${pageOf(form)}?done=logoSaved`)
}

export async function removeLogo(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { id: textOf(form, 'id'), theme: textOf(form, 'theme') }
  const gone = await api.send(brandings.removeApplicationLogo, { params })
  redirect(`${pageOf(form)}?done=${gone.ok ? 'logoRemoved' : 'refused'}`)
}

function pageOf(form: FormData): string {
  return `/admin/applications/${encodeURIComponent(textOf(form, 'id'))}/branding`
}
