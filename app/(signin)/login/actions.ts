'use server'

import type { SignInResult } from '@/lib/accounts/sign-in'
import { signInWithPasskey, signInWithPassword } from '@/lib/accounts/sign-in'
import { afterSignIn } from '@/lib/browser/after-sign-in'
import { wantsNoPasskeyOffer } from '@/lib/browser/browser-memory'
import { textOf } from '@/lib/browser/form'
import { withFormStatus } from '@/lib/browser/form-status'
import { redirectAfterAction } from '@/lib/browser/redirect-after-action'
import { returningTo, safeReturnTo } from '@/lib/browser/return-to'
import { signInFrom } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type LoginState = {
  problem?: 'mismatch' | 'unknown_passkey' | 'slow_down' | 'missing'
  retryAfterSeconds?: number
  goTo?: string
}

export async function signIn(_before: LoginState, form: FormData): Promise<LoginState> {
  const typed = {
    identifier: textOf(form, 'identifier').trim(),
    password: textOf(form, 'password'),
  }
  if (typed.identifier === '' || typed.password === '')
    return withFormStatus({ problem: 'missing' })
  const result = await signInWithPassword(await op(), typed, await signInFrom())
  if (!result.ok) return withFormStatus(result)
  const goTo = await afterSignIn(result, 'password', safeReturnTo(textOf(form, 'returnTo')))
  return { goTo: redirectAfterAction(await viaOffer(result, goTo, form), form) }
}

export async function signInByPasskey(_before: LoginState, form: FormData): Promise<LoginState> {
  const result = await signInWithPasskey(await op(), textOf(form, 'passkey'), await signInFrom())
  if (!result.ok) return withFormStatus(result)
  const goTo = await afterSignIn(result, 'passkey', safeReturnTo(textOf(form, 'returnTo')))
  return { goTo: redirectAfterAction(goTo, form) }
}

/** Whoever could have a passkey here and has none is offered one, unless they said no. */
async function viaOffer(
  result: Extract<SignInResult, { ok: true }>,
  goTo: string,
  form: FormData,
): Promise<string> {
  if (result.step !== 'session' || textOf(form, 'passkeys') !== 'yes') return goTo
  if (await wantsNoPasskeyOffer()) return goTo
  const portal = await op()
  return (await portal.passkeys.any(result.started.userId)) ? goTo : returningTo('/passkey', goTo)
}
