'use server'

import { redirect } from 'next/navigation'
import { confirmWithCode, confirmWithPassword } from '@/lib/accounts/confirm'
import { textOf } from '@/lib/form'
import { op } from '@/lib/op'
import { safeReturnTo } from '@/lib/return-to'
import { requestOrigin, requireUser } from '@/lib/session'
import { type Departure, departFor } from '@/lib/upstream/depart'

type Method = 'password' | 'code'
export type ConfirmState = {
  method?: Method
  problem?: 'missing' | 'wrong' | 'slow_down'
  retryAfterSeconds?: number
}

export async function confirmIdentity(
  _before: ConfirmState,
  form: FormData,
): Promise<ConfirmState> {
  const session = await requireUser()
  const method: Method = textOf(form, 'method') === 'code' ? 'code' : 'password'
  const proof = textOf(form, method)
  if (proof.trim() === '') return { method, problem: 'missing' }
  const check = method === 'code' ? confirmWithCode : confirmWithPassword
  const result = await check(await op(), session, proof, await requestOrigin())
  if (!result.ok) return { method, ...result }
  redirect(safeReturnTo(textOf(form, 'returnTo')))
}

export async function confirmThrough(_before: Departure, form: FormData): Promise<Departure> {
  const { id } = await requireUser()
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  return departFor(form, { intent: 'confirm', returnTo, sessionId: id })
}
