'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import * as permissions from '@/lib/api/routes/permissions'
import { type FormState, mistaken, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { locales } from '@/lib/i18n/locales'

const FIELDS = Object.fromEntries(locales.map((locale) => [`descriptions/${locale}`, locale]))

export async function createItem(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const body = { ...itemIn(form), key: textOf(form, 'key').trim() }
  const params = { space: textOf(form, 'space') }
  const made = await api.send(permissions.createPermission, { params, body })
  if (!made.ok) return refused(made.problem, form, problems, FIELDS, problems.own.permission)
  redirect(`${homeOf(form)}?done=itemSaved`)
}

export async function saveItem(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const body = itemIn(form)
  const saved = await api.send(permissions.putPermission, { ...seenIn(form), body })
  if (!saved.ok) return refused(saved.problem, form, problems, FIELDS, problems.own.permission)
  redirect(`${homeOf(form)}?done=itemSaved`)
}

export async function deleteItem(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, form: words } = (await currentMessages()).admin
  if (textOf(form, 'typed') !== textOf(form, 'name')) {
    return mistaken(form, { field: 'typed', text: words.typeNameWrong })
  }
  const gone = await api.send(permissions.deletePermission, seenIn(form))
  if (!gone.ok) return refused(gone.problem, form, problems)
  redirect(`${homeOf(form)}?done=itemDeleted`)
}

/** Which item the form is about, and the version of it that was shown. */
function seenIn(form: FormData) {
  const params = { space: textOf(form, 'space'), key: textOf(form, 'key') }
  return { params, version: textOf(form, 'version') }
}

function homeOf(form: FormData): string {
  return `/admin/apis/${encodeURIComponent(textOf(form, 'api'))}`
}

/** A language without a sentence is left out. */
function itemIn(form: FormData) {
  const sentences = locales.map((locale) => [locale, textOf(form, locale).trim()] as const)
  const ticked = (name: string) => textOf(form, name) === 'yes'
  return {
    resource: textOf(form, 'api'),
    descriptions: Object.fromEntries(sentences.filter(([, text]) => text !== '')),
    userBound: ticked('userBound'),
    needsRole: ticked('needsRole'),
    sensitive: ticked('sensitive'),
  }
}
