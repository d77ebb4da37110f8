'use server'

import { redirect } from 'next/navigation'
import { confirmEmailChange, openEmailChange } from '@/lib/accounts/change-email'
import { textOf } from '@/lib/browser/form'
import { currentSession, requestOrigin } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { wayToSignIn } from '../link-owner'
import { emailLink } from './link'

/** For the account itself; others sign in first. */
export async function takeAddress(form: FormData): Promise<void> {
  const token = textOf(form, 'token')
  const portal = await op()
  const session = await currentSession()
  const bearer = await openEmailChange(portal, token)
  if (!bearer) redirect('/email')
  if (session?.user.id !== bearer.userId) {
    redirect(await wayToSignIn(bearer.userId, emailLink(token)))
  }
  const done = await confirmEmailChange(portal, session, token, await requestOrigin())
  redirect(done ? '/email/done' : '/email')
}
