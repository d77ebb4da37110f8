import { redirect } from 'next/navigation'
import { op } from '../op'
import { findProvider } from '../settings/providers'
import { saysWhen } from '../upstream/freshness'
import { textOf } from './form'
import { startUpstreamRequest, type UpstreamIntent } from './upstream-request'

export type UpstreamStartProblem = 'unavailable' | 'cannot_say'
export type UpstreamStart = {
  problem?: UpstreamStartProblem
  provider?: string
  goTo?: string
}

/**
 * Sends the browser to the provider that the form names. With scripts the browser gets the address.
 * Without, the form leads to an intermediate page, because Chromium applies `form-action` to every
 * redirect after a POST (attack M18; see lib/browser/redirect-after-action.ts).
 */
export async function startUpstream(form: FormData, trip: UpstreamIntent): Promise<UpstreamStart> {
  const portal = await op()
  const provider = await findProvider(portal, textOf(form, 'provider'))
  if (!provider) return { problem: 'unavailable' }
  if (trip.demand && !saysWhen(provider)) return { problem: 'cannot_say', provider: provider.id }
  const url = await startUpstreamRequest(portal, provider, trip)
  if (url === null) return { problem: 'unavailable', provider: provider.id }
  if (textOf(form, 'scripted') === 'yes') return { goTo: url }
  redirect('/login/leave')
}
