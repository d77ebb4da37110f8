'use server'

import { redirect } from 'next/navigation'
import { beginEnrolment, removeAuthenticator } from '@/lib/accounts/authenticators'
import { textOf } from '@/lib/browser/form'
import { safeReturnTo } from '@/lib/browser/return-to'
import { beginSession, requestOrigin, requireConfirmedByFactor } from '@/lib/browser/session'
import { op } from '@/lib/op'

export async function addAuthenticator(form: FormData): Promise<void> {
  const session = await requireConfirmedByFactor()
  const id = (await beginEnrolment(await op(), session)) ?? ''
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  const query = new URLSearchParams({ id, ...(returnTo !== '/' && { returnTo }) })
  redirect(`/account/security/authenticator?${query}`)
}

export async function removeAuthenticatorApp(form: FormData): Promise<void> {
  const session = await requireConfirmedByFactor()
  const id = textOf(form, 'id')
  const started = await removeAuthenticator(await op(), session, id, await requestOrigin())
  if (started) await beginSession(started)
  redirect(`/account/security?done=${started ? 'factorRemoved' : 'gone'}`)
}
