'use server'

import { redirect } from 'next/navigation'
import { wayToFactor } from '@/lib/accounts/admin-factor'
import { ownApi } from '@/lib/admin/api'
import {
  approveAccessRequest,
  denyAccessRequest,
  revokeAccessRequest,
} from '@/lib/api/requests/routes'
import { type FormState, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { op } from '@/lib/op'
import { endIn } from '../../access/times'

export async function decide(_before: FormState, form: FormData): Promise<FormState> {
  const api = await ownApi()
  const portal = await op()
  const request = textOf(form, 'request')
  const at = `/account/approvals/${encodeURIComponent(request)}`
  const answer = textOf(form, 'answer')
  const reason = textOf(form, 'reason').trim() || null
  const params = { request }
  // Only a button that was pressed is an answer.
  if (answer !== 'approve' && answer !== 'deny') redirect(at)
  const until = endIn(textOf(form, 'until'), portal.now())
  const sent =
    answer === 'approve'
      ? await api.send(approveAccessRequest, { params, body: { reason, until } })
      : await api.send(denyAccessRequest, { params, body: { reason } })
  if (sent.ok) redirect(`${at}?done=${answer === 'approve' ? 'requestApproved' : 'requestDenied'}`)
  const { code } = sent.problem
  if (code === 'not_found') redirect(at)
  if (code === 'second_factor_needed')
    redirect(await wayToFactor(portal, api.session.user, at, 'approve'))
  return refused(sent.problem, form, (await currentMessages()).problems)
}

export async function endAccess(_before: FormState, form: FormData): Promise<FormState> {
  const api = await ownApi()
  const request = textOf(form, 'request')
  const reason = textOf(form, 'reason').trim() || null
  const sent = await api.send(revokeAccessRequest, { params: { request }, body: { reason } })
  const at = `/account/approvals/${encodeURIComponent(request)}`
  if (sent.ok) redirect(`${at}?done=accessEnded`)
  return refused(sent.problem, form, (await currentMessages()).problems)
}
