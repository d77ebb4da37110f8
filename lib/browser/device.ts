import { cookies, headers } from 'next/headers'
import { enterCode, findDevice, type OpenDevice, type UserCodeResult } from '../accounts/device'
import { cookieOptions } from '../accounts/session-cookie'
import { op } from '../op'
import { currentLocale } from './locale'
import { currentSession, requestOrigin } from './session'

/** The code of a device, typed in this browser. */

export async function enterCodeHere(typed: string): Promise<UserCodeResult> {
  const portal = await op()
  const { ip } = await requestOrigin()
  const entered = await enterCode(portal, { ip, session: await currentSession() }, typed)
  if (!entered.ok) return entered
  const { name, value, maxAge } = entered.cookie
  const jar = await cookies()
  jar.set(name, value, { ...cookieOptions(portal), maxAge })
  return entered
}

export type ShownDevice = OpenDevice & { place: string | null }

/** With the place that the device seems to be at; null if this browser cannot go on with it. */
export async function openDevice(id: string, typed: string): Promise<ShownDevice | null> {
  const portal = await op()
  await currentSession() // whoever is in the account of somebody else answers for no device
  const open = await findDevice(portal, { headers: await headers() }, id, typed)
  return open && { ...open, place: portal.places.of(open.ip, await currentLocale()) }
}
