'use server'

import { redirect } from 'next/navigation'
import { sendForm, sendNamed } from '@/lib/admin/form-call'
import * as permissions from '@/lib/api/permissions/permissions'
import type { FormState } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { locales } from '@/lib/i18n/locales'

const FIELDS = Object.fromEntries(locales.map((locale) => [`descriptions/${locale}`, locale]))

export async function createItem(_before: FormState, form: FormData): Promise<FormState> {
  const body = { ...itemIn(form), key: textOf(form, 'key').trim() }
  const params = { space: textOf(form, 'space') }
  const asked = { params, body }
  const made = await sendForm(form, permissions.createPermission, asked, 'permission', FIELDS)
  return made.refused ?? redirect(`${homeOf(form)}?done=itemSaved`)
}

export async function saveItem(_before: FormState, form: FormData): Promise<FormState> {
  const body = itemIn(form)
  const asked = { ...seenIn(form), body }
  const saved = await sendForm(form, permissions.putPermission, asked, 'permission', FIELDS)
  return saved.refused ?? redirect(`${homeOf(form)}?done=itemSaved`)
}

export async function deleteItem(_before: FormState, form: FormData): Promise<FormState> {
  const gone = await sendNamed(form, permissions.deletePermission, seenIn(form))
  return gone.refused ?? redirect(`${homeOf(form)}?done=itemDeleted`)
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
