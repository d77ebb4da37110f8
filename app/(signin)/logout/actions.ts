'use server'

import { redirect } from 'next/navigation'
import { leaveApp } from '@/lib/accounts/connected-apps'
import { endEverySession } from '@/lib/accounts/own-sessions'
import { textOf } from '@/lib/browser/form'
import { afterForm } from '@/lib/browser/return-to'
import {
  currentSession,
  endAllSessionsHere,
  endSessionHere,
  leaveImpersonation,
  requestOrigin,
} from '@/lib/browser/session'
import { findAsker } from '@/lib/oidc/end-session'
import { paths } from '@/lib/oidc/paths'
import { op } from '@/lib/op'

/** How far: one app, this account here, every account here, or this account on every device. */
export async function signOut(form: FormData): Promise<void> {
  const reach = textOf(form, 'reach')
  const request = textOf(form, 'request')
  // An admin in the account of a user signs nobody out: they leave it.
  const back = await leaveImpersonation()
  if (back !== null) redirect(back)
  if (reach === 'app') await signOutOfApp(request)
  if (reach === 'everywhere') await signOutEverywhere()
  if (reach === 'all') await endAllSessionsHere()
  else await endSessionHere()
  // An application that sent the person here is answered by the endpoint that it asked.
  redirect(
    request === '' ? `/logout?done=${doneOf(reach)}` : afterForm(`${paths.endSession}?${request}`),
  )
}

async function signOutOfApp(request: string): Promise<never> {
  const portal = await op()
  const session = await currentSession()
  const asker = await findAsker(portal, request)
  if (session && asker) {
    await leaveApp(portal, session, asker.application.id, await requestOrigin())
  }
  redirect(asker ? `/logout/app?${request}` : '/logout')
}

async function signOutEverywhere(): Promise<void> {
  const session = await currentSession()
  if (session) await endEverySession(await op(), session, await requestOrigin())
}

function doneOf(reach: string): 'all' | 'everywhere' | 'here' {
  return reach === 'all' || reach === 'everywhere' ? reach : 'here'
}
