'use server'

import { textOf } from '@/lib/form'
import { safeReturnTo } from '@/lib/return-to'
import { type Departure, departFor } from '@/lib/upstream/depart'

export async function signInThrough(_before: Departure, form: FormData): Promise<Departure> {
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  return departFor(form, { intent: 'sign-in', returnTo, sessionId: null })
}
