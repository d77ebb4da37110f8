'use server'

import { textOf } from '@/lib/form'
import { agree, disagree, openConsent } from '@/lib/interaction'
import { leaveFor } from '@/lib/leave'

export type ConsentState = { expired?: boolean; goTo?: string }

export async function answerConsent(_before: ConsentState, form: FormData): Promise<ConsentState> {
  const open = await openConsent(textOf(form, 'interaction'))
  if (!open || open === 'nobody') return { expired: true }
  const ticked = form.getAll('scope').filter((value) => typeof value === 'string')
  const cancelled = textOf(form, 'answer') === 'cancel'
  return { goTo: leaveFor(cancelled ? await disagree(open) : await agree(open, ticked), form) }
}
