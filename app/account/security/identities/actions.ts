'use server'

import { redirect } from 'next/navigation'
import { unlinkIdentity } from '@/lib/accounts/identities'
import { textOf } from '@/lib/browser/form'
import { beginSession, requestOrigin, requireConfirmed } from '@/lib/browser/session'
import { startUpstream, type UpstreamStart } from '@/lib/browser/upstream-start'
import { op } from '@/lib/op'

export async function connect(_before: UpstreamStart, form: FormData): Promise<UpstreamStart> {
  const { id } = await requireConfirmed()
  return startUpstream(form, { intent: 'link', returnTo: '/', sessionId: id, demand: null })
}

export async function disconnect(form: FormData): Promise<void> {
  const session = await requireConfirmed()
  const result = await unlinkIdentity(
    await op(),
    session,
    textOf(form, 'id'),
    await requestOrigin(),
  )
  if (!result.ok) {
    redirect(
      result.problem === 'gone'
        ? '/account/security?done=gone'
        : '/account/security?problem=last_way_in',
    )
  }
  await beginSession(result.started)
  redirect('/account/security?done=identityUnlinked')
}
