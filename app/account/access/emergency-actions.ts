'use server'

import { redirect } from 'next/navigation'
import { wayToFactor } from '@/lib/accounts/admin-factor'
import { ownApi } from '@/lib/admin/api'
import { createAccessRequest } from '@/lib/api/requests/asking-routes'
import { type FormState, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { op } from '@/lib/op'
import type { RequestTarget } from './ask'
import { emergencyHref } from './emergency-links'
import { endIn } from './times'

/** What no field of the form holds is said above it. */
const FIELDS = { binding: '', scope: '', request: '' }

export async function openInEmergency(_before: FormState, form: FormData): Promise<FormState> {
  const api = await ownApi()
  const portal = await op()
  const what = whatIn(form)
  const reason = textOf(form, 'reason').trim() || null
  const until = endIn(textOf(form, 'until'), portal.now())
  const body = { ...what, reason, until, emergency: true }
  const sent = await api.send(createAccessRequest, { body })
  if (sent.ok) {
    // Whoever is no longer named has asked for it instead.
    const done = sent.body.review === null ? 'requestSent' : 'emergencyOpened'
    redirect(`/account/access/${sent.body.id}?done=${done}`)
  }
  const here = emergencyHref(what)
  const { code } = sent.problem
  if (code === 'second_factor_needed')
    redirect(await wayToFactor(portal, api.session.user, here, 'sensitive'))
  return refused(sent.problem, form, (await currentMessages()).problems, FIELDS)
}

function whatIn(form: FormData): RequestTarget {
  const [binding, request] = [textOf(form, 'binding'), textOf(form, 'request')]
  if (binding !== '') return { binding }
  return request === '' ? { scope: textOf(form, 'scope') } : { request }
}
