import { redirect } from 'next/navigation'
import { textOf } from '../form'
import { op } from '../op'
import { startJourney, type Trip } from './journey'
import { findProvider, type ProviderKind } from './providers'

export type Departure = { problem?: 'unavailable'; provider?: string; goTo?: string }

/**
 * An action's way to the provider that its form names. With script the browser is given the address;
 * without, the form ends at a page of ours that leads on, because Chromium holds `form-action`
 * against every redirect that follows a POST (M18; see lib/leave.ts).
 */
export async function departFor(form: FormData, trip: Trip): Promise<Departure> {
  const house = await op()
  const provider = await findProvider(house, textOf(form, 'provider'))
  if (!provider) return { problem: 'unavailable' }
  const wishes = trip.intent === 'confirm' ? AGAIN[provider.kind] : {}
  const url = await startJourney(house, provider, trip, wishes)
  if (url === null) return { problem: 'unavailable', provider: provider.id }
  if (textOf(form, 'scripted') === 'yes') return { goTo: url }
  redirect('/login/leave')
}

/** How each is asked to make sure of the person again. */
const AGAIN: Record<ProviderKind, Record<string, string>> = {
  oidc: { prompt: 'login', max_age: '0' },
  microsoft: { prompt: 'login', max_age: '0' },
  google: { prompt: 'select_account' },
  github: { prompt: 'select_account' },
}
