'use server'

import { textOf } from '@/lib/browser/form'
import { agree, disagree, openConsent } from '@/lib/browser/open-interaction'
import { redirectAfterAction } from '@/lib/browser/redirect-after-action'

export type ConsentState = { expired?: boolean; goTo?: string }

export async function answerConsent(_before: ConsentState, form: FormData): Promise<ConsentState> {
  const open = await openConsent(textOf(form, 'interaction'))
  if (!open || open === 'nobody') return { expired: true }
  const ticked = form.getAll('scope').filter((value) => typeof value === 'string')
  const cancelled = open.view.keptOut || textOf(form, 'answer') === 'cancel'
  return {
    goTo: redirectAfterAction(cancelled ? await disagree(open) : await agree(open, ticked), form),
  }
}
