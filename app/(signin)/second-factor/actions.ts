'use server'

import { redirect } from 'next/navigation'
import type { TypedFactor } from '@/lib/accounts/second-factor'
import { forgetWaiting } from '@/lib/browser/browser-memory'
import { textOf } from '@/lib/browser/form'
import { withFormStatus } from '@/lib/browser/form-status'
import { cancelInteraction, openInteraction } from '@/lib/browser/open-interaction'
import { redirectAfterAction } from '@/lib/browser/redirect-after-action'
import { returningTo, safeReturnTo } from '@/lib/browser/return-to'
import {
  answerForPage,
  answerStepUp,
  answerWaiting,
  type FactorProblem,
  type FactorResult,
} from '@/lib/browser/second-factor-form'
import { thisBrowser } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type SecondFactorState = {
  problem?: FactorProblem
  /** What the problem is about. */
  given?: 'code' | 'recovery' | 'passkey'
  retryAfterSeconds?: number
  goTo?: string
}

export async function proveSecondFactor(
  _before: SecondFactorState,
  form: FormData,
): Promise<SecondFactorState> {
  const typed = {
    code: textOf(form, 'code').trim(),
    recovery: textOf(form, 'recovery').trim(),
    passkey: textOf(form, 'passkey'),
  }
  const cancelled = textOf(form, 'answer') === 'cancel'
  const answered = await answer(typed, cancelled, form)
  if (answered.ok) return { goTo: redirectAfterAction(answered.goTo, form) }
  const { ok: _, ...problem } = answered
  return withFormStatus({ ...problem, given: givenIn(typed) })
}

async function answer(
  typed: TypedFactor,
  cancelled: boolean,
  form: FormData,
): Promise<FactorResult> {
  const interaction = textOf(form, 'interaction')
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  if (textOf(form, 'raise') === 'yes') {
    if (cancelled) redirect('/account')
    return answerForPage(typed, returnTo)
  }
  if (interaction === '') {
    if (cancelled) await startAgain(returnTo)
    const trust = textOf(form, 'trust') === 'yes'
    const answered = await answerWaiting(typed, { trust, returnTo })
    // The sign-in is void then, so the form about it is gone too (attack M6).
    if (!answered.ok && answered.problem === 'slow_down') lockedOut(answered, returnTo)
    return answered
  }
  const open = await openInteraction(interaction)
  if (!open) return { ok: false, problem: 'expired' }
  return cancelled ? { ok: true, goTo: await cancelInteraction(open) } : answerStepUp(open, typed)
}

async function startAgain(returnTo: string): Promise<never> {
  forgetWaiting(await op(), await thisBrowser())
  redirect(returningTo('/login', returnTo))
}

function lockedOut({ retryAfterSeconds = 60 }: { retryAfterSeconds?: number }, returnTo: string) {
  const query = new URLSearchParams({ locked: String(retryAfterSeconds), returnTo })
  redirect(`/second-factor?${query}`)
}

function givenIn({ code, recovery, passkey }: TypedFactor): 'code' | 'recovery' | 'passkey' {
  if (passkey !== '') return 'passkey'
  return code === '' && recovery !== '' ? 'recovery' : 'code'
}
