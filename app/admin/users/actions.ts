'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { type FormState, mistaken, refused } from '@/lib/admin/form'
import type { UserWire } from '@/lib/api/routes/users'
import { jsonObject } from '@/lib/base/json-text'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

export async function createUser(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, users: words } = (await currentMessages()).admin
  const body = userIn(form)
  if (!body) return mistaken(form, { field: 'attributes', text: words.attributesWrong })
  const made = await api.sendPath<UserWire>('POST', '/users', body)
  if (!made.ok) return refused(made.problem, form, problems)
  if (textOf(form, 'invite') !== 'yes') redirect(`/admin/users/${made.body.id}?done=userCreated`)
  const invited = await api.sendPath('POST', `/users/${made.body.id}/invitation`, {})
  redirect(`/admin/users/${made.body.id}?done=${invited.ok ? 'userInvited' : 'inviteFailed'}`)
}

export async function saveUser(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, users: words } = (await currentMessages()).admin
  const fields = userIn(form)
  if (!fields) return mistaken(form, { field: 'attributes', text: words.attributesWrong })
  const path = `/users/${encodeURIComponent(textOf(form, 'id'))}`
  const body = { ...fields, enabled: textOf(form, 'enabled') === 'yes' }
  const saved = await api.sendPath<UserWire>('PATCH', path, body, textOf(form, 'version'))
  if (!saved.ok) return refused(saved.problem, form, problems)
  redirect(`/admin${path}?done=userSaved`)
}

export async function deleteUser(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, form: words } = (await currentMessages()).admin
  if (textOf(form, 'typed') !== textOf(form, 'name')) {
    return mistaken(form, { field: 'typed', text: words.typeNameWrong })
  }
  const path = `/users/${encodeURIComponent(textOf(form, 'id'))}`
  const gone = await api.sendPath('DELETE', path, undefined, textOf(form, 'version'))
  if (!gone.ok) return refused(gone.problem, form, problems)
  redirect('/admin/users?done=userDeleted')
}

/** As the API wants it; null where the attributes are no JSON. */
function userIn(form: FormData): Record<string, unknown> | null {
  const attributes = jsonObject(textOf(form, 'attributes').trim() || '{}')
  if (!attributes) return null
  const orNull = (name: string) => textOf(form, name).trim() || null
  return {
    name: orNull('name'),
    email: orNull('email'),
    emailVerified: textOf(form, 'emailVerified') === 'yes',
    username: orNull('username'),
    adminRole: orNull('adminRole'),
    locale: orNull('locale'),
    attributes,
  }
}
