'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { type FormState, mistaken, refused, valuesOf } from '@/lib/admin/form'
import { hasTerms } from '@/lib/admin/terms'
import type { HoldingWire } from '@/lib/api/routes/resource-grants'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

/** The owner of an API knows an application by the ID that they were told. */
export async function openApplication(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const path = pathOf(form)
  const found = await api.findPath<HoldingWire>(path)
  if (!found) return mistaken(form, { field: 'client', text: problems.not_found })
  redirect(`/admin${path.replace('/resources/', '/apis/')}`)
}

const PLAIN = { effect: 'allow', condition: null, validFrom: null, validUntil: null } as const

/** Ticked items are held plainly; what is held on terms stays as it is. */
export async function saveItems(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const path = pathOf(form)
  const { grants } = await api.getPath<HoldingWire>(path)
  const kept = grants.filter(hasTerms).map(({ id: _id, ...grant }) => grant)
  const ticked = valuesOf(form, 'pattern').map((pattern) => ({ ...PLAIN, pattern }))
  const body = { grants: [...kept, ...ticked] }
  const saved = await api.sendPath('PUT', path, body, textOf(form, 'version'))
  if (!saved.ok) return refused(saved.problem, form, problems, { grants: 'pattern' })
  redirect(`/admin/apis/${encodeURIComponent(textOf(form, 'api'))}/applications?done=grantsSaved`)
}

function pathOf(form: FormData): string {
  const [api, client] = [textOf(form, 'api'), textOf(form, 'client').trim()].map(encodeURIComponent)
  return `/resources/${api}/applications/${client}`
}
