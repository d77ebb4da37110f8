'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, adminApi } from '@/lib/admin/api'
import { termsIn } from '@/lib/admin/terms'
import * as grants from '@/lib/api/applications/grants'
import { type FormState, mistaken, refused, valuesOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

/** The API replaces the set; each form changes one part of what was seen. */

type Grant = Omit<grants.GrantsWire['grants'][number], 'id'>

const PLAIN = {
  effect: 'allow',
  condition: null,
  validFrom: null,
  validUntil: null,
  exchangeFrom: null,
} as const

export async function grantTicked(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { scopes: words } = (await currentMessages()).admin.applications
  const ticked = valuesOf(form, 'pattern')
  if (ticked.length === 0) return mistaken(form, { field: 'tick', text: words.tickFirst })
  const held = await heldBy(api, form)
  return replace(api, form, [...held, ...ticked.map((pattern) => ({ ...PLAIN, pattern }))])
}

/** A new grant, or the one that was opened. */
export async function saveGrant(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { scopes: words } = (await currentMessages()).admin.applications
  const exchangeFrom = textOf(form, 'exchangeFrom').trim() || null
  const grant: Grant = { pattern: textOf(form, 'pattern').trim(), exchangeFrom, ...termsIn(form) }
  const id = textOf(form, 'grant')
  const held = await heldBy(api, form)
  const at = id === '' ? held.length : held.findIndex((one) => one.id === id)
  if (at === -1) return mistaken(form, { field: 'pattern', text: words.gone })
  return replace(api, form, [...held.slice(0, at), grant, ...held.slice(at + 1)])
}

export async function removeGrant(form: FormData): Promise<void> {
  const api = await adminApi()
  const held = await heldBy(api, form)
  const kept = held.filter(({ id }) => id !== textOf(form, 'grant'))
  await replace(api, form, kept) // leaves by itself once it is saved
  redirect(`${pageOf(form)}?done=refused`)
}

async function heldBy(api: AdminApi, form: FormData) {
  const params = { id: textOf(form, 'id') }
  return (await api.get(grants.getApplicationGrants, { params })).grants
}

async function replace(
  api: AdminApi,
  form: FormData,
  asked: readonly (Grant & { id?: string })[],
): Promise<FormState> {
  const { problems } = (await currentMessages()).admin
  const params = { id: textOf(form, 'id') }
  const body = { grants: asked.map(({ id: _id, ...grant }) => grant) }
  const version = textOf(form, 'version')
  const saved = await api.send(grants.replaceApplicationGrants, { params, body, version })
  if (!saved.ok) {
    const fields = fieldsOf(body.grants.length)
    return refused(saved.problem, form, problems, fields, problems.own.grant)
  }
  redirect(`${pageOf(form)}?done=scopesSaved`)
}

/** `/grants/3/condition` is the form's `condition`: only one grant is being changed. */
function fieldsOf(count: number): Record<string, string> {
  const names = ['pattern', 'exchangeFrom', 'effect', 'condition', 'validFrom', 'validUntil']
  const all = Array.from({ length: count }, (_, at) =>
    names.map((name) => [`grants/${at}/${name}`, name] as const),
  )
  return Object.fromEntries(all.flat())
}

function pageOf(form: FormData): string {
  return `/admin/applications/${encodeURIComponent(textOf(form, 'id'))}/scopes`
}
