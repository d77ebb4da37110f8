'use server'

import { redirect } from 'next/navigation'
import type { PasswordProblem } from '@/lib/accounts/passwords'
import { resetPassword } from '@/lib/accounts/reset-password'
import { textOf } from '@/lib/browser/form'
import { returningTo, safeReturnTo } from '@/lib/browser/return-to'
import { requestOrigin } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type ResetState = { problem?: 'link' | 'password_missing' | PasswordProblem }

export async function chooseNewPassword(_before: ResetState, form: FormData): Promise<ResetState> {
  const password = textOf(form, 'password')
  if (password === '') return { problem: 'password_missing' }
  const token = textOf(form, 'token')
  const result = await resetPassword(await op(), { token, password, ...(await requestOrigin()) })
  if (!result.ok) return { problem: result.problem }
  redirect(returningTo('/reset/done', safeReturnTo(textOf(form, 'returnTo'))))
}
