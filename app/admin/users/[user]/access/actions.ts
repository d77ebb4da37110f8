'use server'

import { redirect } from 'next/navigation'
import { adminApi, type Sent } from '@/lib/admin/api'
import * as access from '@/lib/api/routes/user-access'
import * as users from '@/lib/api/routes/users'
import { type FormState, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import type { Once } from '../../../applications/shown-once'

/** Each is one call of the API; what it refuses says so on the page. */

const userIn = (form: FormData) => textOf(form, 'user')
const idIn = (form: FormData) => textOf(form, 'id')

function back(form: FormData, sent: Sent<unknown>, done: string, refused = 'refused'): never {
  redirect(
    `/admin/users/${encodeURIComponent(userIn(form))}/access?done=${sent.ok ? done : refused}`,
  )
}

export async function removeFactor(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { user: userIn(form), factor: idIn(form) }
  const sent = await api.send(access.removeUserFactor, { params })
  back(form, sent, 'factorRemoved')
}

export async function endSession(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { user: userIn(form), session: idIn(form) }
  const sent = await api.send(access.endUserSession, { params })
  back(form, sent, 'sessionEnded')
}

export async function endAllSessions(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { user: userIn(form) }
  const sent = await api.send(access.endUserSessions, { params })
  back(form, sent, 'signedOut')
}

export async function takeApp(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { user: userIn(form), application: idIn(form) }
  const sent = await api.send(access.removeUserApplication, { params })
  back(form, sent, 'appTaken')
}

export async function inviteUser(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { user: userIn(form) }
  const sent = await api.send(users.inviteUser, { params, body: {} })
  back(form, sent, 'invited', 'notSent')
}

/** For a user whom mail does not reach: the link is in this answer and nowhere else. */
export async function makeInvitationLink(
  _before: FormState,
  form: FormData,
): Promise<FormState<Once>> {
  const api = await adminApi()
  const { problems, users: words } = (await currentMessages()).admin
  const params = { user: userIn(form) }
  const sent = await api.send(users.inviteUser, { params, body: { returnLink: true } })
  if (!sent.ok) return refused(sent.problem, form, problems)
  const { linkMade: title, link, linkWarning: warning } = words.access
  return { made: { title, values: [[link, sent.body.link ?? '']], env: null, warning, links: [] } }
}

export async function sendReset(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { user: userIn(form) }
  const sent = await api.send(access.resetUserPassword, { params, body: {} })
  back(form, sent, 'resetSent', 'notSent')
}
