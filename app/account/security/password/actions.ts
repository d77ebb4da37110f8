'use server'

import { redirect } from 'next/navigation'
import { changePassword, type PasswordChangeResult } from '@/lib/accounts/change-password'
import { textOf } from '@/lib/browser/form'
import { beginSession, requestOrigin, requireUser } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type PasswordState = {
  missing?: ('current' | 'next')[]
  problem?: Extract<PasswordChangeResult, { ok: false }>['problem']
  retryAfterSeconds?: number
}

/** The current password, typed here, is what "confirm it's you" would ask for. */
export async function choosePassword(
  _before: PasswordState,
  form: FormData,
): Promise<PasswordState> {
  const session = await requireUser()
  const typed = { current: textOf(form, 'current'), next: textOf(form, 'next') }
  const missing = (['current', 'next'] as const).filter((name) => typed[name] === '')
  if (missing.length > 0) return { missing }
  const result = await changePassword(await op(), session, typed, await requestOrigin())
  if (!result.ok) return result
  await beginSession(result.started)
  redirect('/account/security?done=password')
}
