'use server'

import { redirect } from 'next/navigation'
import { press, sendForm } from '@/lib/admin/form-call'
import { endImpersonation, startImpersonation } from '@/lib/api/users/impersonations'
import type { FormState } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { beginImpersonation } from '@/lib/browser/session'

export async function openAccount(_before: FormState, form: FormData): Promise<FormState> {
  const params = { user: textOf(form, 'user') }
  const body = { reason: textOf(form, 'reason'), mode: textOf(form, 'mode') }
  const sent = await sendForm(form, startImpersonation, { params, body })
  if (sent.refused) return sent.refused
  await beginImpersonation(sent.body.secret)
  redirect('/account/home')
}

export async function endIt(form: FormData): Promise<void> {
  const page = `/admin/users/${encodeURIComponent(textOf(form, 'user'))}/impersonation`
  const params = { impersonation: textOf(form, 'id') }
  return press(endImpersonation, { params }, page, 'impersonationEnded')
}
