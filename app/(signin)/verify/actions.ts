'use server'

import { redirect } from 'next/navigation'
import { openVerification, requestVerification, verifyEmail } from '@/lib/accounts/verify-email'
import { textOf } from '@/lib/browser/form'
import { currentLocale } from '@/lib/browser/locale'
import { returningTo, safeReturnTo } from '@/lib/browser/return-to'
import { currentSession, requestOrigin } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { wayToSignIn } from '../link-owner'
import { verifyLink } from './link'

export type SendState = { retryAfterSeconds?: number }

/** For the account itself; others sign in first. A link that lost its race leads to the page that says so. */
export async function confirmAddress(form: FormData): Promise<void> {
  const token = textOf(form, 'token')
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  const portal = await op()
  const session = await currentSession()
  const bearer = await openVerification(portal, token)
  if (!bearer) redirect('/verify?token=')
  if (session?.user.id !== bearer.userId) {
    redirect(await wayToSignIn(bearer.userId, verifyLink(token, returnTo)))
  }
  const { ip } = await requestOrigin()
  const done = await verifyEmail(portal, session, { token, ip })
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
