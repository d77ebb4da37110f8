'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { type FormState, mistaken, refused } from '@/lib/admin/form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

export async function saveColours(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const colour = (name: string) => textOf(form, name).trim().toLowerCase() || null
  const body = { accent: colour('accent'), accentDark: colour('accentDark') }
  const path = `${pathOf(form)}/branding`
  const saved = await api.sendPath('PATCH', path, body, textOf(form, 'version'))
  if (!saved.ok) return refused(saved.problem, form, problems)
  redirect(`/admin${path}?done=coloursSaved`)
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
  const path = `${pathOf(form)}/branding`
  const saved = await api.sendPath('PUT', `${path}/logos/${encodeURIComponent(theme)}`, { picture })
  if (!saved.ok) return refused(saved.problem, form, problems, { picture: field })
  redirect(`/admin${path}?done=logoSaved`)
}

export async function removeLogo(form: FormData): Promise<void> {
  const api = await adminApi()
  const path = `${pathOf(form)}/branding`
  const theme = encodeURIComponent(textOf(form, 'theme'))
  const gone = await api.sendPath('DELETE', `${path}/logos/${theme}`)
  redirect(`/admin${path}?done=${gone.ok ? 'logoRemoved' : 'refused'}`)
}

function pathOf(form: FormData): string {
  return `/applications/${encodeURIComponent(textOf(form, 'id'))}`
}
