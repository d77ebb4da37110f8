'use server'

import { redirect } from 'next/navigation'
import { requestReset } from '@/lib/accounts/reset-password'
import { textOf } from '@/lib/browser/form'
import { currentLocale } from '@/lib/browser/locale'
import { returningTo, safeReturnTo } from '@/lib/browser/return-to'
import { requestOrigin } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type ForgotState = { identifier: string; missing?: true; retryAfterSeconds?: number }

export async function askForReset(_before: ForgotState, form: FormData): Promise<ForgotState> {
  const identifier = textOf(form, 'identifier').trim()
  if (identifier === '') return { identifier, missing: true }
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  const { ip } = await requestOrigin()
  const locale = await currentLocale()
  const wait = await requestReset(await op(), { identifier, returnTo, locale, ip })
  if (wait > 0) return { identifier, retryAfterSeconds: wait }
  redirect(returningTo('/forgot/sent', returnTo))
}
