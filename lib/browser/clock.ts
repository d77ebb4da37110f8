import { cookies } from 'next/headers'
import { cache } from 'react'
import { type Clock, UTC, written, zoneAmong } from '../i18n/moments'
import { currentLocale } from './locale'
import { currentSession } from './session'
import { TIMES_COOKIE, ZONE_COOKIE } from './zone-cookies'

/**
 * Times on pages are in the reader's time zone: the one in their profile, otherwise the one of their
 * browser, which its script wrote into a cookie. Before it did, and for those who chose it, UTC.
 */
export const currentClock = cache(async (): Promise<Clock> => {
  const locale = await currentLocale()
  return { locale, zone: (await choosesUtc()) ? UTC : await ownZone() }
})

async function ownZone(): Promise<string> {
  const session = await currentSession()
  return zoneAmong(session?.zoneinfo, (await cookies()).get(ZONE_COOKIE)?.value)
}

export async function choosesUtc(): Promise<boolean> {
  return (await cookies()).get(TIMES_COOKIE)?.value === 'utc'
}

export async function momentText(at: Date | string): Promise<string> {
  return written(at, 'moment', await currentClock())
}
