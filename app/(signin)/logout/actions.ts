'use server'

import { redirect } from 'next/navigation'
import { endEverySession } from '@/lib/accounts/own-sessions'
import { textOf } from '@/lib/form'
import { paths } from '@/lib/oidc/paths'
import { op } from '@/lib/op'
import { currentSession, endAllSessionsHere, endSessionHere, requestOrigin } from '@/lib/session'

/** How far: this account here, every account here, or this account on every device. */
export async function signOut(form: FormData): Promise<void> {
  const reach = textOf(form, 'reach')
  if (reach === 'everywhere') await signOutEverywhere()
  if (reach === 'all') await endAllSessionsHere()
  else await endSessionHere()
  // An application that sent the person here is answered by the endpoint that it asked.
  const request = textOf(form, 'request')
  redirect(
    request === ''
      ? `/logout?done=${doneOf(reach)}`
      : `/login/continue?to=${encodeURIComponent(`${paths.endSession}?${request}`)}`,
  )
}

async function signOutEverywhere(): Promise<void> {
  const session = await currentSession()
  if (session) await endEverySession(await op(), session, await requestOrigin())
}

function doneOf(reach: string): 'all' | 'everywhere' | 'here' {
  return reach === 'all' || reach === 'everywhere' ? reach : 'here'
}
