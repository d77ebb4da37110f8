'use server'

import { redirect } from 'next/navigation'
import { endOtherSessions, endOwnSession } from '@/lib/accounts/own-sessions'
import { textOf } from '@/lib/form'
import { op } from '@/lib/op'
import { requestOrigin, requireUser } from '@/lib/session'

export async function endOne(form: FormData): Promise<void> {
  const session = await requireUser()
  const ended = await endOwnSession(await op(), session, textOf(form, 'id'), await requestOrigin())
  redirect(`/account/sessions?done=${ended ? 'sessionEnded' : 'gone'}`)
}

export async function endAllOthers(): Promise<void> {
  const session = await requireUser()
  await endOtherSessions(await op(), session, await requestOrigin())
  redirect('/account/sessions?done=sessionsEnded')
}
