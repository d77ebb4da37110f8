import { cookies, headers } from 'next/headers'
import { cookieOptions } from '../accounts/session-cookie'
import type { Op } from '../context/op'
import {
  countAttempt,
  type Limit,
  nameLimit,
  networkLimit,
  takeBackAttempt,
} from '../limits/attempts'
import { findOwnInteraction, keepInteraction } from '../oidc/authorize'
import { isUsable } from '../oidc/client'
import { askOfDevice } from '../oidc/device'
import { paths } from '../oidc/paths'
import type { ApplicationFace, Interaction, StoredDevice } from '../oidc/provider'
import { hashUserCode, readUserCode, shownUserCode } from '../oidc/user-code'
import { op } from '../op'
import { confirmDevice, denyInteraction } from '../store/interactions'
import { currentLocale } from './locale'
import { currentSession, requestOrigin } from './session'

/** A person answers for a device that waits elsewhere (RFC 8628 §3.3). */

/** Wrong codes, which is what a guess is. A right one is taken back. */
const PER_NETWORK = 10
const PER_USER = 10
const OF_ALL = 1_000

export type CodeProblem = 'missing' | 'malformed' | 'wrong' | 'slow_down'
export type Entered =
  | { ok: true; goTo: string }
  | { ok: false; problem: CodeProblem; retryAfterSeconds?: number }

/** The page that asks whether the device is theirs, for a code that a device waits with. */
export async function enterCode(typed: string): Promise<Entered> {
  if (typed.trim() === '') return { ok: false, problem: 'missing' }
  const code = readUserCode(typed)
  if (code === null) return { ok: false, problem: 'malformed' }
  const portal = await op()
  const limits = await guessLimits(portal)
  const retryAfterSeconds = await countAttempt(portal, limits)
  if (retryAfterSeconds > 0) return { ok: false, problem: 'slow_down', retryAfterSeconds }
  const device = await portal.devices.findByUserCode(hashUserCode(portal, code))
  if (!device || !(await isWaiting(portal, device))) return { ok: false, problem: 'wrong' }
  await takeBackAttempt(portal, limits)
  const id = await keepForBrowser(portal, device)
  const query = new URLSearchParams({ interaction: id, user_code: shownUserCode(code) })
  return { ok: true, goTo: `/device/confirm?${query}` }
}

/**
 * By network, and by account. Without an account also in all, because many networks can guess
 * together; whoever is signed in is not held up by them.
 */
async function guessLimits(portal: Op): Promise<Limit[]> {
  const { ip } = await requestOrigin()
  const session = await currentSession()
  return [
    networkLimit(portal, 'device', ip, PER_NETWORK),
    session
      ? nameLimit(portal, 'device', session.user.id, PER_USER)
      : { key: 'device:all', most: OF_ALL },
  ]
}

async function isWaiting(portal: Op, device: StoredDevice): Promise<boolean> {
  const now = portal.now()
  if (device.approval || device.deniedAt || device.expiresAt <= now) return false
  const clientId = device.accessKeyId ?? device.applicationId
  const { credentials } = await portal.snapshot({ clients: [clientId] })
  const credential = credentials.get(clientId)
  return credential !== undefined && isUsable(credential, now)
}

/** Only this browser can go on with it, and no longer than the device waits. */
async function keepForBrowser(portal: Op, device: StoredDevice): Promise<string> {
  const milliseconds = device.expiresAt.getTime() - portal.now().getTime()
  const { resumeAt, cookie } = await keepInteraction(
    portal,
    askOfDevice(portal, device),
    milliseconds,
  )
  const maxAge = Math.ceil(milliseconds / 1000)
  const jar = await cookies()
  jar.set(cookie.name, cookie.value, { ...cookieOptions(portal), maxAge })
  return resumeAt.slice(resumeAt.lastIndexOf('/') + 1)
}

export type OpenDevice = {
  interaction: Interaction
  code: string
  app: { name: string } & Pick<ApplicationFace, 'logoUri' | 'branding'>
  ip: string | null
  place: string | null
  askedAt: Date
}

/** Null if it belongs to another browser, has ended, or if the code is not that of the device. */
export async function openDevice(id: string, typed: string): Promise<OpenDevice | null> {
  const portal = await op()
  const interaction = await findOwnInteraction(portal, { headers: await headers() }, id)
  const code = readUserCode(typed)
  if (!interaction?.ask.device || code === null) return null
  const device = await portal.devices.find(interaction.ask.device.id)
  if (!device || device.userCodeHash !== hashUserCode(portal, code)) return null
  if (!(await isWaiting(portal, device))) return null
  const face = await portal.consents.face(device.applicationId)
  const { credentials } = await portal.snapshot({ clients: [interaction.ask.clientId] })
  const name = credentials.get(interaction.ask.clientId)?.application.name
  if (!face || name === undefined) return null
  return {
    interaction,
    code: shownUserCode(code),
    app: { name, logoUri: face.logoUri, branding: face.branding },
    ip: device.ip,
    place: portal.places.of(device.ip, await currentLocale()),
    askedAt: device.createdAt,
  }
}

/** The person says whether the device is theirs. Returns the next URL. */
export async function answerDevice(
  { interaction }: Pick<OpenDevice, 'interaction'>,
  isTheirs: boolean,
): Promise<string> {
  const portal = await op()
  await portal.write((tx) =>
    isTheirs ? confirmDevice(tx, interaction, portal.now()) : denyInteraction(tx, interaction.id),
  )
  return `${paths.authorize}/${interaction.id}`
}
