'use server'

import { answerDevice } from '@/lib/accounts/device'
import { openDevice } from '@/lib/browser/device'
import { textOf } from '@/lib/browser/form'
import { redirectAfterAction } from '@/lib/browser/redirect-after-action'
import { op } from '@/lib/op'

export type ConfirmState = { expired?: boolean; goTo?: string }

export async function confirm(_before: ConfirmState, form: FormData): Promise<ConfirmState> {
  const open = await openDevice(textOf(form, 'interaction'), textOf(form, 'user_code'))
  if (!open) return { expired: true }
  const isTheirs = textOf(form, 'answer') === ''
  return { goTo: redirectAfterAction(await answerDevice(await op(), open, isTheirs), form) }
}
