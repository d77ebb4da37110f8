'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { adminApi, type Sent } from '@/lib/admin/api'
import { timeIn } from '@/lib/admin/terms'
import * as secrets from '@/lib/api/routes/application-secrets'
import * as keys from '@/lib/api/routes/keys'
import { type FormState, linesOf, mistaken, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { op } from '@/lib/op'
import { onceForKey, onceForSecret } from '../../once'

export async function addSecret(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const params = { id: textOf(form, 'id') }
  const body = await secretIn(form)
  return madeSecret(form, await api.send(secrets.createApplicationSecret, { params, body }))
}

export async function rotateSecret(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const params = { id: textOf(form, 'id'), secret: textOf(form, 'secret') }
  const body = { ...(await secretIn(form)), graceSeconds: Number(textOf(form, 'grace')) }
  return madeSecret(form, await api.send(secrets.rotateApplicationSecret, { params, body }))
}

async function secretIn(form: FormData) {
  const { now } = await op()
  return { name: textOf(form, 'name'), expiresAt: inDays(textOf(form, 'expiry'), now()) }
}

async function madeSecret(form: FormData, made: Sent<{ secret: string }>): Promise<FormState> {
  const { problems, applications } = (await currentMessages()).admin
  if (!made.ok) return refused(made.problem, form, problems, { expiresAt: 'expiry' })
  const known = { id: textOf(form, 'id'), secret: made.body.secret }
  showAnew(form)
  return { made: await onceForSecret(applications.credentials.secretMade, known) }
}

export async function revokeSecret(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { id: textOf(form, 'id'), secret: textOf(form, 'secret') }
  const gone = await api.send(secrets.revokeApplicationSecret, { params })
  redirect(`${pageOf(form)}?done=${gone.ok ? 'secretRevoked' : 'refused'}`)
}

export async function createKey(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, applications } = (await currentMessages()).admin
  const fields = await keyIn(form)
  if (!fields.ok) return fields.state
  const params = { id: textOf(form, 'id') }
  const made = await api.send(keys.createAccessKey, { params, body: fields.body })
  if (!made.ok) return refused(made.problem, form, problems, {}, problems.own.credential)
  showAnew(form)
  return { made: await onceForKey(applications.credentials.keyMade, made.body) }
}

export async function saveKey(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const fields = await keyIn(form)
  if (!fields.ok) return fields.state
  const body = { ...fields.body, enabled: textOf(form, 'enabled') === 'yes' }
  const saved = await api.send(keys.changeAccessKey, { ...keySeenIn(form), body })
  if (!saved.ok) return refused(saved.problem, form, problems, {}, problems.own.credential)
  redirect(`${pageOf(form)}?done=keySaved`)
}

export async function deleteKey(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const gone = await api.send(keys.deleteAccessKey, keySeenIn(form))
  if (!gone.ok) return refused(gone.problem, form, problems)
  redirect(`${pageOf(form)}?done=keyDeleted`)
}

async function keyIn(form: FormData) {
  const { credentials: words } = (await currentMessages()).admin.applications
  const seconds = textOf(form, 'tokenSeconds').trim()
  if (!/^\d*$/.test(seconds)) {
    return {
      ok: false as const,
      state: mistaken(form, { field: 'tokenSeconds', text: words.secondsWrong }),
    }
  }
  const scopes = linesOf(form, 'scopes')
  return {
    ok: true as const,
    body: {
      name: textOf(form, 'name'),
      scopes: scopes.length === 0 ? null : scopes,
      tokenSeconds: seconds === '' ? null : Number(seconds),
      expiresAt: timeIn(textOf(form, 'expiresAt')),
    },
  }
}

const DAY_MS = 24 * 3_600_000

/** A choice of lifetimes; null where it is for ever. */
function inDays(chosen: string, now: Date): string | null {
  if (!/^\d{1,4}$/.test(chosen)) return null
  return new Date(now.getTime() + Number(chosen) * DAY_MS).toISOString()
}

/** The list below the form knows what was made. */
function showAnew(form: FormData): void {
  revalidatePath(pageOf(form))
}

function pageOf(form: FormData): string {
  return `/admin/applications/${encodeURIComponent(textOf(form, 'id'))}/credentials`
}

/** Which access key the form is about, and the version of it that was shown. */
function keySeenIn(form: FormData) {
  const params = { id: textOf(form, 'id'), key: textOf(form, 'key') }
  return { params, version: textOf(form, 'version') }
}
