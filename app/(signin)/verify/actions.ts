'use server'

import { redirect } from 'next/navigation'
import { requestVerification, verifyEmail } from '@/lib/accounts/verify-email'
import { textOf } from '@/lib/form'
import { currentLocale } from '@/lib/locale'
import { op } from '@/lib/op'
import { returningTo, safeReturnTo } from '@/lib/return-to'
import { currentSession, requestOrigin } from '@/lib/session'

export type SendState = { retryAfterSeconds?: number }

/** A link that lost its race leads to the page that says so. */
export async function confirmAddress(form: FormData): Promise<void> {
  const token = textOf(form, 'token')
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  const { ip } = await requestOrigin()
  const done = await verifyEmail(await op(), { token, ip })
  redirect(done ? returningTo('/verify/done', returnTo) : '/verify?token=')
}

export async function sendVerification(_before: SendState, form: FormData): Promise<SendState> {
  const session = await currentSession()
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  if (!session) redirect(returningTo('/login', '/verify'))
  const { ip } = await requestOrigin()
  const locale = await currentLocale()
  const request = { userId: session.user.id, locale, returnTo, ip }
  const wait = await requestVerification(await op(), request)
  if (wait > 0) return { retryAfterSeconds: wait }
  redirect(returningTo('/verify/sent', returnTo))
}
