'use server'

import { answerDevice, openDevice } from '@/lib/browser/device'
import { textOf } from '@/lib/browser/form'
import { redirectAfterAction } from '@/lib/browser/redirect-after-action'

export type ConfirmState = { expired?: boolean; goTo?: string }

export async function confirm(_before: ConfirmState, form: FormData): Promise<ConfirmState> {
  const open = await openDevice(textOf(form, 'interaction'), textOf(form, 'user_code'))
  if (!open) return { expired: true }
  const isTheirs = textOf(form, 'answer') === ''
  return { goTo: redirectAfterAction(await answerDevice(open, isTheirs), form) }
}
