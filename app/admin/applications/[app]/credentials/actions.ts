'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { type AdminApi, adminApi } from '@/lib/admin/api'
import { type FormState, linesOf, mistaken, refused } from '@/lib/admin/form'
import { timeIn } from '@/lib/admin/terms'
import type { AccessKeyWire } from '@/lib/api/routes/keys'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { op } from '@/lib/op'
import { onceForKey, onceForSecret } from '../../once'

type Created = { secret: string }

export async function addSecret(_before: FormState, form: FormData): Promise<FormState> {
  return makeSecret(await adminApi(), form, `${pathOf(form)}/secrets`, {})
}

export async function rotateSecret(_before: FormState, form: FormData): Promise<FormState> {
  const secret = encodeURIComponent(textOf(form, 'secret'))
  const graceSeconds = Number(textOf(form, 'grace'))
  const path = `${pathOf(form)}/secrets/${secret}/rotation`
  return makeSecret(await adminApi(), form, path, { graceSeconds })
}

async function makeSecret(
  api: AdminApi,
  form: FormData,
  path: string,
  more: object,
): Promise<FormState> {
  const { problems, applications } = (await currentMessages()).admin
  const { now } = await op()
  const expiresAt = inDays(textOf(form, 'expiry'), now())
  const body = { name: textOf(form, 'name'), expiresAt, ...more }
  const made = await api.sendPath<Created>('POST', path, body)
  if (!made.ok) return refused(made.problem, form, problems, { expiresAt: 'expiry' })
  const known = { id: textOf(form, 'id'), secret: made.body.secret }
  showAnew(form)
  return { made: await onceForSecret(applications.credentials.secretMade, known) }
}

export async function revokeSecret(form: FormData): Promise<void> {
  const api = await adminApi()
  const path = pathOf(form)
  const secret = encodeURIComponent(textOf(form, 'secret'))
  const gone = await api.sendPath('DELETE', `${path}/secrets/${secret}`)
  redirect(`/admin${path}/credentials?done=${gone.ok ? 'secretRevoked' : 'refused'}`)
}

export async function createKey(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, applications } = (await currentMessages()).admin
  const fields = await keyIn(form)
  if (!fields.ok) return fields.state
  const path = `${pathOf(form)}/keys`
  type Made = AccessKeyWire & { secretKey: string }
  const made = await api.sendPath<Made>('POST', path, fields.body)
  if (!made.ok) return refused(made.problem, form, problems)
  showAnew(form)
  return { made: await onceForKey(applications.credentials.keyMade, made.body) }
}

export async function saveKey(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const fields = await keyIn(form)
  if (!fields.ok) return fields.state
  const body = { ...fields.body, enabled: textOf(form, 'enabled') === 'yes' }
  const saved = await api.sendPath('PATCH', keyPathOf(form), body, textOf(form, 'version'))
  if (!saved.ok) return refused(saved.problem, form, problems)
  redirect(`/admin${pathOf(form)}/credentials?done=keySaved`)
}

export async function deleteKey(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const gone = await api.sendPath('DELETE', keyPathOf(form), undefined, textOf(form, 'version'))
  if (!gone.ok) return refused(gone.problem, form, problems)
  redirect(`/admin${pathOf(form)}/credentials?done=keyDeleted`)
}

type KeyFields =
  | { ok: true; body: Record<string, unknown> }
  | { ok: false; state: FormState<never> }

async function keyIn(form: FormData): Promise<KeyFields> {
  const { credentials: words } = (await currentMessages()).admin.applications
  const seconds = textOf(form, 'tokenSeconds').trim()
  if (!/^\d*$/.test(seconds)) {
    return { ok: false, state: mistaken(form, { field: 'tokenSeconds', text: words.secondsWrong }) }
  }
  const scopes = linesOf(form, 'scopes')
  return {
    ok: true,
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
  revalidatePath(`/admin${pathOf(form)}/credentials`)
}

function pathOf(form: FormData): string {
  return `/applications/${encodeURIComponent(textOf(form, 'id'))}`
}

function keyPathOf(form: FormData): string {
  return `${pathOf(form)}/keys/${encodeURIComponent(textOf(form, 'key'))}`
}
