'use server'

import { textOf } from '@/lib/form'
import { askUnderWay } from '@/lib/interaction'
import { safeReturnTo } from '@/lib/return-to'
import { type Departure, departFor } from '@/lib/upstream/depart'
import { demandOf } from '@/lib/upstream/freshness'

export async function signInThrough(_before: Departure, form: FormData): Promise<Departure> {
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  const ask = await askUnderWay(returnTo)
  const demand = ask && demandOf(ask)
  return departFor(form, { intent: 'sign-in', returnTo, sessionId: null, demand })
}
