'use server'

import { redirect } from 'next/navigation'
import { finishEnrolment } from '@/lib/accounts/authenticators'
import { textOf } from '@/lib/browser/form'
import { beginSession, requestOrigin, requireConfirmed } from '@/lib/browser/session'
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
  const session = await requireConfirmed()
  const [id, name, code] = [textOf(form, 'id'), textOf(form, 'name'), textOf(form, 'code')]
  if (code.trim() === '') return { name, problem: 'missing' }
  const typed = { id, name, code }
  const result = await finishEnrolment(await op(), session, typed, await requestOrigin())
  if (!result.ok) return { name, ...result }
  await beginSession(result.started)
  redirect(
    result.first
      ? '/account/security/recovery-codes?done=factorAdded'
      : '/account/security?done=factorAdded',
  )
}
