'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, adminApi } from '@/lib/admin/api'
import type { BodyOf } from '@/lib/api/http/client'
import { changeSettings, getSettings } from '@/lib/api/settings/routes'
import { type FormState, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

const MEMBERS = ['key', 'name', 'type', 'seenBy', 'changedBy', 'inConditions'] as const

/** The API replaces the list as a whole; each form changes one of it. */
export async function saveAttribute(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const known = textOf(form, 'known')
  const attribute = {
    key: known || textOf(form, 'key').trim(),
    name: textOf(form, 'name'),
    type: textOf(form, 'type'),
    seenBy: textOf(form, 'seenBy'),
    changedBy: textOf(form, 'changedBy'),
    inConditions: textOf(form, 'inConditions') === 'yes',
  }
  const { userAttributes } = await api.get(getSettings, {})
  const at = userAttributes.findIndex(({ key }) => key === known)
  const list =
    at === -1
      ? [...userAttributes, attribute]
      : userAttributes.map((one, index) => (index === at ? attribute : one))
  const where = at === -1 ? userAttributes.length : at
  const fields = MEMBERS.map((name) => [`userAttributes/${where}/${name}`, name])
  return save(api, form, list, Object.fromEntries(fields))
}

export async function removeAttribute(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { userAttributes } = await api.get(getSettings, {})
  const list = userAttributes.filter(({ key }) => key !== textOf(form, 'known'))
  return save(api, form, list, {})
}

async function save(
  api: AdminApi,
  form: FormData,
  userAttributes: NonNullable<BodyOf<typeof changeSettings>['userAttributes']>,
  fields: Record<string, string>,
): Promise<FormState> {
  const body = { userAttributes }
  const saved = await api.send(changeSettings, { body, version: textOf(form, 'version') })
  if (!saved.ok) {
    const { problems } = (await currentMessages()).admin
    return refused(saved.problem, form, problems, fields, problems.own.attribute)
  }
  redirect('/admin/settings/attributes?done=settingsSaved')
}
