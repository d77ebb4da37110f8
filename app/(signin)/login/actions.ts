'use server'

import { signInWithPassword } from '@/lib/accounts/sign-in'
import { textOf } from '@/lib/form'
import { leaveFor } from '@/lib/leave'
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
  return { identifier: '', goTo: leaveFor(safeReturnTo(textOf(form, 'returnTo')), form) }
}
