'use server'

import { agree, disagree } from '@/lib/accounts/consent'
import { textOf } from '@/lib/browser/form'
import { openConsent } from '@/lib/browser/open-interaction'
import { redirectAfterAction } from '@/lib/browser/redirect-after-action'
import { op } from '@/lib/op'

export type ConsentState = { expired?: boolean; goTo?: string }

export async function answerConsent(_before: ConsentState, form: FormData): Promise<ConsentState> {
  const open = await openConsent(textOf(form, 'interaction'))
  if (!open || open === 'signed_out') return { expired: true }
  const ticked = form.getAll('scope').filter((value) => typeof value === 'string')
  const portal = await op()
  const cancelled = open.view.keptOut || textOf(form, 'answer') === 'cancel'
  return {
    goTo: redirectAfterAction(
      cancelled ? await disagree(portal, open) : await agree(portal, open, ticked),
      form,
    ),
  }
}
