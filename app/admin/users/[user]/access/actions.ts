'use server'

import { adminApi } from '@/lib/admin/api'
import { press } from '@/lib/admin/form-call'
import * as access from '@/lib/api/users/user-access'
import * as users from '@/lib/api/users/users'
import { type FormState, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { sendsMail } from '@/lib/delivery/mail/mode'
import { op } from '@/lib/op'
import type { NewSecret } from '../../../applications/shown-once'

/** Each is one call of the API; what it refuses says so on the page. */

const userIn = (form: FormData) => textOf(form, 'user')
const idIn = (form: FormData) => textOf(form, 'id')

function pageOf(form: FormData): string {
  return `/admin/users/${encodeURIComponent(userIn(form))}/access`
}

export async function removeFactor(form: FormData): Promise<void> {
  const params = { user: userIn(form), factor: idIn(form) }
  return press(access.removeUserFactor, { params }, pageOf(form), 'factorRemoved')
}

export async function endSession(form: FormData): Promise<void> {
  const params = { user: userIn(form), session: idIn(form) }
  return press(access.endUserSession, { params }, pageOf(form), 'sessionEnded')
}

export async function endAllSessions(form: FormData): Promise<void> {
  const params = { user: userIn(form) }
  return press(access.endUserSessions, { params }, pageOf(form), 'signedOut')
}

export async function takeApp(form: FormData): Promise<void> {
  const params = { user: userIn(form), application: idIn(form) }
  return press(access.removeUserApplication, { params }, pageOf(form), 'appTaken')
}

export async function inviteUser(form: FormData): Promise<void> {
  const params = { user: userIn(form) }
  const done = sendsMail(await op()) ? 'invited' : 'notMailed'
  return press(users.inviteUser, { params, body: {} }, pageOf(form), done, 'notSent')
}

/** For a user whom mail does not reach: the link is in this answer and nowhere else. */
export async function makeInvitationLink(
  _before: FormState,
  form: FormData,
): Promise<FormState<NewSecret>> {
  const api = await adminApi()
  const { problems, users: words } = (await currentMessages()).admin
  const params = { user: userIn(form) }
  const sent = await api.send(users.inviteUser, { params, body: { returnLink: true } })
  if (!sent.ok) return refused(sent.problem, form, problems)
  const { linkMade: title, link, linkWarning: warning } = words.access
  return { made: { title, values: [[link, sent.body.link ?? '']], env: null, warning, links: [] } }
}

export async function sendReset(form: FormData): Promise<void> {
  const params = { user: userIn(form) }
  const done = sendsMail(await op()) ? 'resetSent' : 'notMailed'
  return press(access.resetUserPassword, { params, body: {} }, pageOf(form), done, 'notSent')
}
