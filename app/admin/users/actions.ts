'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { allChosenIn } from '@/lib/admin/choice'
import { CLAIM_POINTERS, profileIn } from '@/lib/admin/claims'
import { sendForm, sendNamed } from '@/lib/admin/form-call'
import * as users from '@/lib/api/users/users'
import { jsonObject } from '@/lib/base/json-text'
import { type FormState, mistaken, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { sendsMail } from '@/lib/delivery/mail/mode'
import { op } from '@/lib/op'
import { ATTRIBUTE_FIELD, attributesIn } from '@/lib/settings/attribute-text'
import type { NewSecret } from '../applications/shown-once'

/** Where no mail is sent, the link of the invitation is in this answer and nowhere else. */
export async function createUser(
  _before: FormState,
  form: FormData,
): Promise<FormState<NewSecret>> {
  const api = await adminApi()
  const { admin, choose } = await currentMessages()
  const { mistake, body } = await userIn(form)
  if (mistake) return mistaken(form, mistake)
  const roles = await allChosenIn(api, 'role', form, 'roles', choose)
  if (roles.mistake) return mistaken(form, roles.mistake)
  const isInvited = textOf(form, 'invite') === 'yes'
  const asked = {
    ...body,
    roles: roles.found.map(({ id }) => id),
    ...(isInvited && { invite: { returnLink: !sendsMail(await op()) } }),
  }
  const made = await api.send(users.createUser, { body: asked })
  if (!made.ok) return refused(made.problem, form, admin.problems, CLAIM_POINTERS)
  const { id, name, invitation } = made.body
  const path = `/admin/users/${id}`
  const link = invitation?.link ?? null
  if (link === null) redirect(`${path}?done=${isInvited ? 'userInvited' : 'userCreated'}`)
  const { linkMade: title, link: label, linkWarning: warning } = admin.users.access
  const links = [[name ?? body.email ?? id, path]] as const
  return { made: { title, values: [[label, link]], env: null, warning, links } }
}

export async function saveUser(_before: FormState, form: FormData): Promise<FormState> {
  const { mistake, body: fields } = await userIn(form)
  if (mistake) return mistaken(form, mistake)
  const body = { ...fields, enabled: textOf(form, 'enabled') === 'yes' }
  const asked = { ...seenIn(form), body }
  const saved = await sendForm(form, users.changeUser, asked, null, CLAIM_POINTERS)
  return (
    saved.refused ??
    redirect(`/admin/users/${encodeURIComponent(textOf(form, 'id'))}/edit?done=userSaved`)
  )
}

export async function deleteUser(_before: FormState, form: FormData): Promise<FormState> {
  const gone = await sendNamed(form, users.deleteUser, seenIn(form))
  return gone.refused ?? redirect('/admin/users?done=userDeleted')
}

/** Which user the form is about, and the version of them that was shown. */
function seenIn(form: FormData) {
  return { params: { user: textOf(form, 'id') }, version: textOf(form, 'version') }
}

/** As the API wants it; or what is wrong with the attributes. */
async function userIn(form: FormData) {
  const { users: words, settings } = (await currentMessages()).admin
  const others = jsonObject(textOf(form, 'attributes').trim() || '{}')
  if (!others) return { mistake: { field: 'attributes', text: words.attributesWrong } }
  const { userAttributes } = (await op()).settings.known()
  const read = attributesIn(userAttributes, (field) => textOf(form, field))
  if ('wrong' in read) {
    const field = `${ATTRIBUTE_FIELD}${read.wrong}`
    return { mistake: { field, text: settings.attributes.wrong } }
  }
  const orNull = (name: string) => textOf(form, name).trim() || null
  const body = {
    name: orNull('name'),
    email: orNull('email'),
    emailVerified: textOf(form, 'emailVerified') === 'yes',
    username: orNull('username'),
    adminRole: orNull('adminRole'),
    locale: orNull('locale'),
    profile: profileIn(form),
    attributes: { ...others, ...read.attributes },
  }
  return { body }
}
