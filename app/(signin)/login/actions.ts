'use server'

import { signInWithPasskey } from '@/lib/accounts/sign-in'
import { textOf } from '@/lib/browser/form'
import { withFormStatus } from '@/lib/browser/form-status'
import { redirectAfterAction } from '@/lib/browser/redirect-after-action'
import { safeReturnTo } from '@/lib/browser/return-to'
import { afterSignIn, signInFrom } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type PasskeyState = {
  problem?: 'mismatch' | 'unknown_passkey' | 'slow_down'
  retryAfterSeconds?: number
  goTo?: string
}

export async function signInByPasskey(
  _before: PasskeyState,
  form: FormData,
): Promise<PasskeyState> {
  const result = await signInWithPasskey(await op(), textOf(form, 'passkey'), await signInFrom())
  if (!result.ok) return withFormStatus(result)
  const goTo = await afterSignIn(result, 'passkey', safeReturnTo(textOf(form, 'returnTo')))
  return { goTo: redirectAfterAction(goTo, form) }
}
