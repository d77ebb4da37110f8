'use server'

import { redirect } from 'next/navigation'
import {
  confirmWithCode,
  confirmWithPasskey,
  confirmWithPassword,
  waysToConfirm,
} from '@/lib/accounts/confirm'
import { textOf } from '@/lib/browser/form'
import { withFormStatus } from '@/lib/browser/form-status'
import { returningTo, safeReturnTo } from '@/lib/browser/return-to'
import { requestOrigin, requireUser } from '@/lib/browser/session'
import { startUpstream, type UpstreamStart } from '@/lib/browser/upstream-start'
import { op } from '@/lib/op'
import { justNow } from '@/lib/upstream/freshness'

const METHODS = {
  password: confirmWithPassword,
  code: confirmWithCode,
  passkey: confirmWithPasskey,
}

type Method = keyof typeof METHODS
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
  const method = methodOf(textOf(form, 'method'))
  const proof = textOf(form, method)
  if (proof.trim() === '') return withFormStatus({ method, problem: 'missing' })
  const result = await METHODS[method](await op(), session, proof, await requestOrigin())
  if (!result.ok) return withFormStatus({ method, ...result })
  redirect(safeReturnTo(textOf(form, 'returnTo')))
}

function methodOf(name: string): Method {
  return name === 'code' || name === 'passkey' ? name : 'password'
}

export async function confirmThrough(
  _before: UpstreamStart,
  form: FormData,
): Promise<UpstreamStart> {
  const session = await requireUser()
  const portal = await op()
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  const { providers } = await waysToConfirm(portal, session)
  const offered = providers.some(({ id }) => id === textOf(form, 'provider'))
  if (!offered) redirect(returningTo('/account/confirm', returnTo))
  const demand = justNow(portal.now())
  return startUpstream(form, { intent: 'confirm', returnTo, sessionId: session.id, demand })
}
