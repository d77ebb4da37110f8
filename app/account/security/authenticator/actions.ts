'use server'

import { redirect } from 'next/navigation'
import { finishEnrolment } from '@/lib/accounts/authenticators'
import { textOf } from '@/lib/browser/form'
import { safeReturnTo } from '@/lib/browser/return-to'
import { beginSession, requestOrigin, requireConfirmedByFactor } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type AuthenticatorState = {
  name: string
  problem?: 'missing' | 'wrong' | 'expired' | 'slow_down'
  retryAfterSeconds?: number
}

export async function confirmAuthenticator(
  _before: AuthenticatorState,
  form: FormData,
): Promise<AuthenticatorState> {
  const session = await requireConfirmedByFactor()
  const [id, name, code] = [textOf(form, 'id'), textOf(form, 'name'), textOf(form, 'code')]
  if (code.trim() === '') return { name, problem: 'missing' }
  const typed = { id, name, code }
  const result = await finishEnrolment(await op(), session, typed, await requestOrigin())
  if (!result.ok) return { name, ...result }
  await beginSession(result.started)
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  if (!result.first) redirect(returnTo === '/' ? '/account/security?done=factorAdded' : returnTo)
  const query = { done: 'factorAdded', ...(returnTo !== '/' && { returnTo }) }
  redirect(`/account/security/recovery-codes?${new URLSearchParams(query)}`)
}
