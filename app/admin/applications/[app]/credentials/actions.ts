'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { type ApiResult, adminApi } from '@/lib/admin/api'
import { press, sendForm } from '@/lib/admin/form-call'
import { timeIn } from '@/lib/admin/terms'
import * as keys from '@/lib/api/applications/access-keys'
import * as secrets from '@/lib/api/applications/secrets'
import { DAY_MS } from '@/lib/base/time'
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

async function madeSecret(form: FormData, made: ApiResult<{ secret: string }>): Promise<FormState> {
  const { problems, applications } = (await currentMessages()).admin
  if (!made.ok) return refused(made.problem, form, problems, { expiresAt: 'expiry' })
  const known = { id: textOf(form, 'id'), secret: made.body.secret }
  showAnew(form)
  return { made: await onceForSecret(applications.credentials.secretMade, known) }
}

export async function revokeSecret(form: FormData): Promise<void> {
  const params = { id: textOf(form, 'id'), secret: textOf(form, 'secret') }
  return press(secrets.revokeApplicationSecret, { params }, pageOf(form), 'secretRevoked')
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
  const fields = await keyIn(form)
  if (!fields.ok) return fields.state
  const body = { ...fields.body, enabled: textOf(form, 'enabled') === 'yes' }
  const asked = { ...keySeenIn(form), body }
  const saved = await sendForm(form, keys.changeAccessKey, asked, 'credential')
  return saved.refused ?? redirect(`${pageOf(form)}?done=keySaved`)
}

export async function deleteKey(_before: FormState, form: FormData): Promise<FormState> {
  const gone = await sendForm(form, keys.deleteAccessKey, keySeenIn(form))
  return gone.refused ?? redirect(`${pageOf(form)}?done=keyDeleted`)
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
      expiresAt: timeIn(form, 'expiresAt'),
    },
  }
}

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
