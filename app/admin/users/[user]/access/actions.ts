'use server'

import { redirect } from 'next/navigation'
import { adminApi, type Sent } from '@/lib/admin/api'
import { textOf } from '@/lib/browser/form'

/** Each is one call of the API; what it refuses says so on the page. */

const userIn = (form: FormData) => encodeURIComponent(textOf(form, 'user'))
const idIn = (form: FormData) => encodeURIComponent(textOf(form, 'id'))

function back(form: FormData, sent: Sent<unknown>, done: string, refused = 'refused'): never {
  redirect(`/admin/users/${userIn(form)}/access?done=${sent.ok ? done : refused}`)
}

export async function removeFactor(form: FormData): Promise<void> {
  const api = await adminApi()
  const path = `/users/${userIn(form)}/factors/${idIn(form)}`
  back(form, await api.sendPath('DELETE', path), 'factorRemoved')
}

export async function endSession(form: FormData): Promise<void> {
  const api = await adminApi()
  const path = `/users/${userIn(form)}/sessions/${idIn(form)}`
  back(form, await api.sendPath('DELETE', path), 'sessionEnded')
}

export async function endAllSessions(form: FormData): Promise<void> {
  const api = await adminApi()
  back(form, await api.sendPath('DELETE', `/users/${userIn(form)}/sessions`), 'signedOut')
}

export async function takeApp(form: FormData): Promise<void> {
  const api = await adminApi()
  const path = `/users/${userIn(form)}/applications/${idIn(form)}`
  back(form, await api.sendPath('DELETE', path), 'appTaken')
}

export async function inviteUser(form: FormData): Promise<void> {
  const api = await adminApi()
  const path = `/users/${userIn(form)}/invitation`
  back(form, await api.sendPath('POST', path, {}), 'invited', 'notSent')
}

export async function sendReset(form: FormData): Promise<void> {
  const api = await adminApi()
  const path = `/users/${userIn(form)}/password-reset`
  back(form, await api.sendPath('POST', path, {}), 'resetSent', 'notSent')
}
