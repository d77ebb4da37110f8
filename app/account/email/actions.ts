'use server'

import { redirect } from 'next/navigation'
import { type EmailAsked, requestEmailChange } from '@/lib/accounts/change-email'
import { textOf } from '@/lib/browser/form'
import { requestOrigin, requireConfirmed } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type EmailState = {
  email: string
  problem?: 'missing' | Extract<EmailAsked, { ok: false }>['problem']
  retryAfterSeconds?: number
}

export async function askForEmail(_before: EmailState, form: FormData): Promise<EmailState> {
  const session = await requireConfirmed()
  const email = textOf(form, 'email').trim()
  if (email === '') return { email, problem: 'missing' }
  const asked = await requestEmailChange(await op(), session, email, await requestOrigin())
  if (!asked.ok) return { email, ...asked }
  redirect('/account?done=emailSent')
}
