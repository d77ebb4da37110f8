'use server'

import { stepUpWithCode, stepUpWithRecoveryCode } from '@/lib/accounts/step-up'
import { textOf } from '@/lib/form'
import { cancelInteraction, openInteraction } from '@/lib/interaction'
import { leaveFor } from '@/lib/leave'
import { op } from '@/lib/op'
import { beginSession, requestOrigin } from '@/lib/session'

export type SecondFactorState = {
  problem?: 'missing' | 'wrong' | 'recovery_wrong' | 'slow_down' | 'expired'
  retryAfterSeconds?: number
  goTo?: string
}

export async function proveSecondFactor(
  _before: SecondFactorState,
  form: FormData,
): Promise<SecondFactorState> {
  const open = await openInteraction(textOf(form, 'interaction'))
  if (!open) return { problem: 'expired' }
  if (textOf(form, 'answer') === 'cancel') {
    return { goTo: leaveFor(await cancelInteraction(open), form) }
  }
  const code = textOf(form, 'code').trim()
  const recovery = textOf(form, 'recovery').trim()
  if (code === '' && recovery === '') return { problem: 'missing' }
  const { ip } = await requestOrigin()
  const result =
    code === ''
      ? await stepUpWithRecoveryCode(await op(), open.session, recovery, ip)
      : await stepUpWithCode(await op(), open.session, code, ip)
  if (!result.ok) {
    return result.problem === 'wrong' && code === '' ? { problem: 'recovery_wrong' } : result
  }
  await beginSession(result.started)
  return { goTo: leaveFor(open.resumeAt, form) }
}
