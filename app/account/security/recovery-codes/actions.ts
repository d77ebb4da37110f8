'use server'

import { redirect } from 'next/navigation'
import { newRecoveryCodes } from '@/lib/accounts/recovery-codes'
import { beginSession, requestOrigin, requireConfirmed, requireUser } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type CodesState = { codes?: string[]; problem?: 'no_app' }

/** The one answer that ever carries them. */
export async function makeRecoveryCodes(): Promise<CodesState> {
  const session = await requireConfirmed()
  const made = await newRecoveryCodes(await op(), session, await requestOrigin())
  if (!made) return { problem: 'no_app' }
  await beginSession(made.started)
  return { codes: made.codes }
}

export async function savedRecoveryCodes(): Promise<void> {
  await requireUser()
  redirect('/account/security?done=codes')
}
