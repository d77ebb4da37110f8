'use server'

import { redirect } from 'next/navigation'
import { addPasskey, nameOwnPasskey, removeOwnPasskey } from '@/lib/accounts/own-passkeys'
import { textOf } from '@/lib/browser/form'
import { safeReturnTo } from '@/lib/browser/return-to'
import {
  beginSession,
  requestOrigin,
  requireConfirmed,
  requireConfirmedByFactor,
} from '@/lib/browser/session'
import { op } from '@/lib/op'

export type AddState = { problem?: 'unreadable' | 'known' | 'too_many' }

export async function addOne(_before: AddState, form: FormData): Promise<AddState> {
  const session = await requireConfirmedByFactor()
  const sent = { response: textOf(form, 'passkey'), name: textOf(form, 'name') }
  const added = await addPasskey(await op(), session, sent, await requestOrigin())
  if (!added.ok) return { problem: added.problem }
  await beginSession(added.started)
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  redirect(returnTo === '/' ? '/account/security?done=passkeyAdded' : returnTo)
}

export async function renameOne(form: FormData): Promise<void> {
  const session = await requireConfirmed()
  const named = await nameOwnPasskey(await op(), session, textOf(form, 'id'), textOf(form, 'name'))
  redirect(`/account/security?done=${named ? 'passkeyNamed' : 'gone'}`)
}

export async function removeOne(form: FormData): Promise<void> {
  const session = await requireConfirmedByFactor()
  const removed = await removeOwnPasskey(
    await op(),
    session,
    textOf(form, 'id'),
    await requestOrigin(),
  )
  if (!removed.ok) {
    redirect(`/account/security?done=${removed.problem === 'gone' ? 'gone' : 'lastWayIn'}`)
  }
  await beginSession(removed.started)
  redirect('/account/security?done=passkeyRemoved')
}
