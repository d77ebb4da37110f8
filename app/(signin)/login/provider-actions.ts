'use server'

import { textOf } from '@/lib/browser/form'
import { askUnderWay } from '@/lib/browser/open-interaction'
import { safeReturnTo } from '@/lib/browser/return-to'
import { type Departure, departFor } from '@/lib/browser/upstream-start'
import { demandOf } from '@/lib/upstream/freshness'

export async function signInThrough(_before: Departure, form: FormData): Promise<Departure> {
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  const ask = await askUnderWay(returnTo)
  const demand = ask && demandOf(ask)
  return departFor(form, { intent: 'sign-in', returnTo, sessionId: null, demand })
}
