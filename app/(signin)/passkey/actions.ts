'use server'

import { hasJustSignedIn } from '@/lib/accounts/confirm'
import { addPasskey } from '@/lib/accounts/own-passkeys'
import { keepMethod, offerNoPasskey } from '@/lib/browser/browser-memory'
import { textOf } from '@/lib/browser/form'
import { redirectAfterAction } from '@/lib/browser/redirect-after-action'
import { safeReturnTo } from '@/lib/browser/return-to'
import {
  beginSession,
  requestOrigin,
  requireConfirmed,
  requireOwnFactor,
  requireProvenFactors,
  requireUser,
  thisBrowser,
} from '@/lib/browser/session'
import { op } from '@/lib/op'

export type OfferState = { problem?: 'unreadable' | 'known' | 'too_many'; goTo?: string }

export async function answerOffer(_before: OfferState, form: FormData): Promise<OfferState> {
  const session = await requireUser()
  const portal = await op()
  const browser = await thisBrowser()
  const goTo = safeReturnTo(textOf(form, 'returnTo'))
  if (textOf(form, 'answer') === 'no') {
    offerNoPasskey(portal, browser, textOf(form, 'never') === 'yes' ? 'never' : 'later')
    return { goTo: redirectAfterAction(goTo, form) }
  }
  await requireOwnFactor(session)
  await requireProvenFactors(session)
  const { confirmMinutes } = (await portal.settings.current()).security
  if (!hasJustSignedIn(session, portal.now(), confirmMinutes)) await requireConfirmed()
  const sent = { response: textOf(form, 'passkey'), name: '' }
  const added = await addPasskey(portal, session, sent, await requestOrigin())
  if (!added.ok) return { problem: added.problem }
  await beginSession(added.started)
  keepMethod(portal, browser, 'passkey')
  return { goTo: redirectAfterAction(goTo, form) }
}
