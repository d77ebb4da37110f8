'use server'

import { redirect } from 'next/navigation'
import { ownApi } from '@/lib/admin/api'
import { createAccessRequest } from '@/lib/api/requests/asking-routes'
import { cancelAccessRequest, revokeAccessRequest } from '@/lib/api/requests/routes'
import { type FormState, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { op } from '@/lib/op'
import { endIn } from './times'

/** What no field of the form holds is said above it. */
const FIELDS = { binding: '', scope: '' }

export async function askForAccess(_before: FormState, form: FormData): Promise<FormState> {
  const api = await ownApi()
  const { now } = await op()
  const binding = textOf(form, 'binding')
  const what = binding === '' ? { scope: textOf(form, 'scope') } : { binding }
  const body = {
    ...what,
    reason: textOf(form, 'reason').trim() || null,
    until: endIn(textOf(form, 'until'), now()),
  }
  const sent = await api.send(createAccessRequest, { body })
  if (sent.ok) redirect(`/account/access/${sent.body.id}?done=requestSent`)
  return refused(sent.problem, form, (await currentMessages()).problems, FIELDS)
}

export async function withdraw(_before: FormState, form: FormData): Promise<FormState> {
  const api = await ownApi()
  const request = textOf(form, 'request')
  const sent = await api.send(cancelAccessRequest, { params: { request }, body: {} })
  const at = `/account/access/${encodeURIComponent(request)}`
  if (sent.ok) redirect(`${at}?done=requestWithdrawn`)
  return refused(sent.problem, form, (await currentMessages()).problems)
}

export async function giveBack(_before: FormState, form: FormData): Promise<FormState> {
  const api = await ownApi()
  const request = textOf(form, 'request')
  const sent = await api.send(revokeAccessRequest, { params: { request }, body: {} })
  const at = `/account/access/${encodeURIComponent(request)}`
  if (sent.ok) redirect(`${at}?done=accessGivenBack`)
  return refused(sent.problem, form, (await currentMessages()).problems)
}
