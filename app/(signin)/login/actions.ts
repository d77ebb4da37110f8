'use server'

import { redirect } from 'next/navigation'
import { signInWithPassword } from '@/lib/accounts/sign-in'
import { textOf } from '@/lib/form'
import { op } from '@/lib/op'
import { safeReturnTo } from '@/lib/return-to'
import { beginSession, requestOrigin } from '@/lib/session'

export type LoginState = {
  identifier: string
  missing?: ('identifier' | 'password')[]
  problem?: 'mismatch' | 'slow_down'
  retryAfterSeconds?: number
  goTo?: string
}

export async function signIn(_before: LoginState, form: FormData): Promise<LoginState> {
  const identifier = textOf(form, 'identifier').trim()
  const password = textOf(form, 'password')
  const missing = [
    ...(identifier ? [] : (['identifier'] as const)),
    ...(password ? [] : (['password'] as const)),
  ]
  if (missing.length > 0) return { identifier, missing }

  const result = await signInWithPassword(await op(), {
    identifier,
    password,
    ...(await requestOrigin()),
  })
  if (!result.ok) return { identifier, ...result }
  await beginSession(result.started)
  return leaveFor(safeReturnTo(textOf(form, 'returnTo')), form)
}

// Next answers a scripted action's redirect by fetching its target on the server first. The target
// may be an authorization request that can be resumed once, so the browser must be the one to ask.
// Without script the form ends at a page of its own: Chromium holds `form-action 'self'` against
// every redirect that follows a POST, and the next one may lead to the application (M18).
function leaveFor(goTo: string, form: FormData): LoginState {
  if (textOf(form, 'scripted') === 'yes') return { identifier: '', goTo }
  redirect(goTo === '/' ? '/' : `/login/continue?to=${encodeURIComponent(goTo)}`)
}
