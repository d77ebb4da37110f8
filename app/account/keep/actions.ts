'use server'

import { redirect } from 'next/navigation'
import { keepAccount } from '@/lib/accounts/delete-account'
import { beginSession, endSessionHere, leavingSession, requestOrigin } from '@/lib/browser/session'
import { op } from '@/lib/op'

export async function keep(): Promise<void> {
  const session = await leavingSession()
  if (!session) redirect('/account')
  const started = await keepAccount(await op(), session, await requestOrigin())
  if (started) await beginSession(started)
  redirect(started ? '/account?done=kept' : '/login')
}

export async function goOnLeaving(): Promise<void> {
  await endSessionHere()
  redirect('/account/delete/done')
}
