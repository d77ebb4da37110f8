'use server'

import { redirect } from 'next/navigation'
import { chooseScopes, pauseApp, removeApp, resumeApp } from '@/lib/accounts/connected-apps'
import { textOf } from '@/lib/browser/form'
import { requestOrigin, requireUser, requireUserOrImpersonator } from '@/lib/browser/session'
import { op } from '@/lib/op'

export async function saveChoices(form: FormData): Promise<void> {
  const session = await requireUser()
  const ticked = form.getAll('scope').filter((value) => typeof value === 'string')
  const choice = { applicationId: textOf(form, 'application'), ticked }
  await chooseScopes(await op(), session, choice, await requestOrigin())
  redirect('/account/apps?done=appSaved')
}

export async function pauseOne(form: FormData): Promise<void> {
  const session = await requireUserOrImpersonator()
  const id = textOf(form, 'application')
  const paused = await pauseApp(await op(), session, id, await requestOrigin())
  redirect(`/account/apps?done=${paused ? 'appPaused' : 'gone'}`)
}

export async function resumeOne(form: FormData): Promise<void> {
  const session = await requireUser()
  const id = textOf(form, 'application')
  const resumed = await resumeApp(await op(), session, id, await requestOrigin())
  redirect(`/account/apps?done=${resumed ? 'appResumed' : 'gone'}`)
}

export async function removeOne(form: FormData): Promise<void> {
  const session = await requireUserOrImpersonator()
  const id = textOf(form, 'application')
  const removed = await removeApp(await op(), session, id, await requestOrigin())
  redirect(`/account/apps?done=${removed ? 'appRemoved' : 'gone'}`)
}
