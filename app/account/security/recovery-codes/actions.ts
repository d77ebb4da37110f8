'use server'

import { redirect } from 'next/navigation'
import { newRecoveryCodes } from '@/lib/accounts/recovery-codes'
import { textOf } from '@/lib/browser/form'
import { safeReturnTo } from '@/lib/browser/return-to'
import {
  beginSession,
  requestOrigin,
  requireConfirmedByFactor,
  requireUser,
} from '@/lib/browser/session'
import { op } from '@/lib/op'

export type CodesState = { codes?: string[]; problem?: 'no_app' }

/** The one answer that ever carries them. */
export async function makeRecoveryCodes(): Promise<CodesState> {
  const session = await requireConfirmedByFactor()
  const made = await newRecoveryCodes(await op(), session, await requestOrigin())
  if (!made) return { problem: 'no_app' }
  await beginSession(made.started)
  return { codes: made.codes }
}

export async function savedRecoveryCodes(form: FormData): Promise<void> {
  await requireUser()
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  redirect(returnTo === '/' ? '/account/security?done=codes' : returnTo)
}
