'use server'

import { redirect } from 'next/navigation'
import { distrustOwnDevice } from '@/lib/accounts/own-devices'
import { endOtherSessions, endOwnSession } from '@/lib/accounts/own-sessions'
import { textOf } from '@/lib/browser/form'
import { requestOrigin, requireUserOrImpersonator } from '@/lib/browser/session'
import { op } from '@/lib/op'

export async function endOne(form: FormData): Promise<void> {
  const session = await requireUserOrImpersonator()
  const ended = await endOwnSession(await op(), session, textOf(form, 'id'), await requestOrigin())
  redirect(`/account/sessions?done=${ended ? 'sessionEnded' : 'gone'}`)
}

export async function endAllOthers(): Promise<void> {
  const session = await requireUserOrImpersonator()
  await endOtherSessions(await op(), session, await requestOrigin())
  redirect('/account/sessions?done=sessionsEnded')
}

export async function distrust(form: FormData): Promise<void> {
  const session = await requireUserOrImpersonator()
  const origin = await requestOrigin()
  const gone = await distrustOwnDevice(await op(), session, textOf(form, 'id'), origin)
  redirect(`/account/sessions?done=${gone ? 'deviceAsked' : 'gone'}`)
}
