import { redirect } from 'next/navigation'
import { op } from '../op'
import { findProvider } from '../settings/providers'
import { saysWhen } from '../upstream/freshness'
import { textOf } from './form'
import { startJourney, type Trip } from './upstream-request'

export type DepartureProblem = 'unavailable' | 'cannot_say'
export type Departure = {
  problem?: DepartureProblem
  provider?: string
  goTo?: string
}

/**
 * Sends the browser to the provider that the form names. With scripts the browser gets the address.
 * Without, the form leads to an intermediate page, because Chromium applies `form-action` to every
 * redirect after a POST (attack M18; see lib/browser/redirect-after-action.ts).
 */
export async function departFor(form: FormData, trip: Trip): Promise<Departure> {
  const house = await op()
  const provider = await findProvider(house, textOf(form, 'provider'))
  if (!provider) return { problem: 'unavailable' }
  if (trip.demand && !saysWhen(provider)) return { problem: 'cannot_say', provider: provider.id }
  const url = await startJourney(house, provider, trip)
  if (url === null) return { problem: 'unavailable', provider: provider.id }
  if (textOf(form, 'scripted') === 'yes') return { goTo: url }
  redirect('/login/leave')
}
