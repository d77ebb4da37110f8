'use server'

import { textOf } from '@/lib/browser/form'
import { askUnderWay } from '@/lib/browser/open-interaction'
import { safeReturnTo } from '@/lib/browser/return-to'
import { startUpstream, type UpstreamStart } from '@/lib/browser/upstream-start'
import { demandOf } from '@/lib/upstream/freshness'

export async function signInThrough(
  _before: UpstreamStart,
  form: FormData,
): Promise<UpstreamStart> {
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  const ask = await askUnderWay(returnTo)
  const demand = ask && demandOf(ask)
  return startUpstream(form, { intent: 'sign-in', returnTo, sessionId: null, demand })
}
