'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { type FormState, mistaken, refused } from '@/lib/admin/form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

const FIELDS = { 'descriptions/en': 'en', 'descriptions/zh-Hans': 'zh-Hans' }

export async function createItem(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const body = { ...itemIn(form), key: textOf(form, 'key').trim() }
  const made = await api.sendPath('POST', `/spaces/${spaceIn(form)}/permissions`, body)
  if (!made.ok) return refused(made.problem, form, problems, FIELDS)
  redirect(`${homeOf(form)}?done=itemSaved`)
}

export async function saveItem(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const saved = await api.sendPath('PUT', pathOf(form), itemIn(form), textOf(form, 'version'))
  if (!saved.ok) return refused(saved.problem, form, problems, FIELDS)
  redirect(`${homeOf(form)}?done=itemSaved`)
}

export async function deleteItem(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, form: words } = (await currentMessages()).admin
  if (textOf(form, 'typed') !== textOf(form, 'name')) {
    return mistaken(form, { field: 'typed', text: words.typeNameWrong })
  }
  const gone = await api.sendPath('DELETE', pathOf(form), undefined, textOf(form, 'version'))
  if (!gone.ok) return refused(gone.problem, form, problems)
  redirect(`${homeOf(form)}?done=itemDeleted`)
}

function spaceIn(form: FormData): string {
  return encodeURIComponent(textOf(form, 'space'))
}

function pathOf(form: FormData): string {
  return `/spaces/${spaceIn(form)}/permissions/${encodeURIComponent(textOf(form, 'key'))}`
}

function homeOf(form: FormData): string {
  return `/admin/apis/${encodeURIComponent(textOf(form, 'api'))}`
}

/** A language without a sentence is left out. */
function itemIn(form: FormData) {
  const sentences = ['en', 'zh-Hans'].map((locale) => [locale, textOf(form, locale).trim()])
  const ticked = (name: string) => textOf(form, name) === 'yes'
  return {
    resource: textOf(form, 'api'),
    descriptions: Object.fromEntries(sentences.filter(([, text]) => text !== '')),
    userBound: ticked('userBound'),
    needsRole: ticked('needsRole'),
    sensitive: ticked('sensitive'),
  }
}
