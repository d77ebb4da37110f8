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
 * An action's way to the provider that its form names. With script the browser is given the address;
 * without, the form ends at a page of ours that leads on, because Chromium holds `form-action`
 * against every redirect that follows a POST (attack M18; see lib/browser/redirect-after-action.ts).
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
