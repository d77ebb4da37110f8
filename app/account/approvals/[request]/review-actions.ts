'use server'

import { redirect } from 'next/navigation'
import { wayToFactor } from '@/lib/accounts/admin-factor'
import { ownApi } from '@/lib/admin/api'
import { reviewAccessRequest } from '@/lib/api/requests/review-routes'
import { type FormState, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { op } from '@/lib/op'

export async function review(_before: FormState, form: FormData): Promise<FormState> {
  const api = await ownApi()
  const request = textOf(form, 'request')
  const at = `/account/approvals/${encodeURIComponent(request)}`
  const answer = textOf(form, 'answer')
  // Only a button that was pressed is an answer.
  if (answer !== 'justified' && answer !== 'unjustified') redirect(at)
  const body = { justified: answer === 'justified', reason: textOf(form, 'reason').trim() }
  const sent = await api.send(reviewAccessRequest, { params: { request }, body })
  if (sent.ok) redirect(`${at}?done=accessReviewed`)
  const { code } = sent.problem
  if (code === 'not_found') redirect(at)
  if (code === 'second_factor_needed')
    redirect(await wayToFactor(await op(), api.session.user, at, 'sensitive'))
  return refused(sent.problem, form, (await currentMessages()).problems)
}
