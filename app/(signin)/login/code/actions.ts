'use server'

import { redirect } from 'next/navigation'
import { textOf } from '@/lib/browser/form'
import { withFormStatus } from '@/lib/browser/form-status'
import { readerLocale } from '@/lib/browser/locale'
import * as forms from '@/lib/browser/mail-code-form'
import { redirectAfterAction } from '@/lib/browser/redirect-after-action'
import { safeReturnTo } from '@/lib/browser/return-to'
import { thisBrowser } from '@/lib/browser/session'
import { op } from '@/lib/op'

type AskState = { problem?: 'off' | 'slow_down'; retryAfterSeconds?: number }

export async function askForCode(_before: AskState, form: FormData): Promise<AskState> {
  const identifier = textOf(form, 'identifier').trim()
  const asking = { identifier, returnTo: safeReturnTo(textOf(form, 'returnTo')) }
  const asked = await forms.askForCode(
    await op(),
    await thisBrowser(),
    await readerLocale(),
    asking,
  )
  if (!asked.ok) return withFormStatus(asked)
  redirect(asked.goTo)
}

export type CodeState = {
  problem?: 'missing' | 'mismatch' | 'void' | 'slow_down'
  retryAfterSeconds?: number
  goTo?: string
}

export async function signInByCode(_before: CodeState, form: FormData): Promise<CodeState> {
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  const sent = { code: textOf(form, 'code').trim(), returnTo }
  const done = await forms.enterCode(await op(), await thisBrowser(), await readerLocale(), sent)
  if (!done.ok) return withFormStatus(done)
  return { goTo: redirectAfterAction(done.goTo, form) }
}
