import type { Incoming } from '../base/http'
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
import type { ApplicationFace, Interaction, StoredDevice } from '../oidc/stores'
import { hashUserCode, readUserCode, shownUserCode } from '../oidc/user-code'
import type { Session } from '../store/accounts/sessions'
import { confirmDevice, denyInteraction } from '../store/tokens/interactions'

/** A person answers for a device that waits elsewhere (RFC 8628 §3.3). */

/** Wrong codes, which is what a guess is. A right one is taken back. */
const PER_NETWORK = 10
const PER_USER = 10
const OF_ALL = 1_000

type Caller = { ip: string | null; session: Session | null }

export type CodeProblem = 'missing' | 'malformed' | 'wrong' | 'slow_down'
export type UserCodeResult =
  | { ok: true; goTo: string; cookie: { name: string; value: string; maxAge: number } }
  | { ok: false; problem: CodeProblem; retryAfterSeconds?: number }

/**
 * For a code that a device waits with: the page that asks whether the device is theirs, and the
 * cookie without which no browser can go on.
 */
export async function enterCode(op: Op, caller: Caller, typed: string): Promise<UserCodeResult> {
  if (typed.trim() === '') return { ok: false, problem: 'missing' }
  const code = readUserCode(typed)
  if (code === null) return { ok: false, problem: 'malformed' }
  const limits = guessLimits(op, caller)
  const retryAfterSeconds = await countAttempt(op, limits)
  if (retryAfterSeconds > 0) return { ok: false, problem: 'slow_down', retryAfterSeconds }
  const device = await op.devices.findByUserCode(hashUserCode(op, code))
  if (!device || !(await isWaiting(op, device))) return { ok: false, problem: 'wrong' }
  await takeBackAttempt(op, limits)
  const { id, cookie } = await keepForBrowser(op, device)
  const query = new URLSearchParams({ interaction: id, user_code: shownUserCode(code) })
  return { ok: true, goTo: `/device/confirm?${query}`, cookie }
}

/**
 * By network, and by account. Without an account also in all, because many networks can guess
 * together; whoever is signed in is not held up by them.
 */
function guessLimits(op: Op, { ip, session }: Caller): Limit[] {
  return [
    networkLimit(op, 'device', ip, PER_NETWORK),
    session
      ? nameLimit(op, 'device', session.user.id, PER_USER)
      : { key: 'device:all', most: OF_ALL },
  ]
}

async function isWaiting(op: Op, device: StoredDevice): Promise<boolean> {
  const now = op.now()
  if (device.approval || device.deniedAt || device.expiresAt <= now) return false
  const clientId = device.accessKeyId ?? device.applicationId
  const { credentials } = await op.snapshot({ clients: [clientId] })
  const credential = credentials.get(clientId)
  return credential !== undefined && isUsable(credential, now)
}

/** No longer than the device waits. */
async function keepForBrowser(op: Op, device: StoredDevice) {
  const milliseconds = device.expiresAt.getTime() - op.now().getTime()
  const ask = await askOfDevice(op, device)
  const { resumeAt, cookie } = await keepInteraction(op, ask, milliseconds)
  const id = resumeAt.slice(resumeAt.lastIndexOf('/') + 1)
  return { id, cookie: { ...cookie, maxAge: Math.ceil(milliseconds / 1000) } }
}

export type OpenDevice = {
  interaction: Interaction
  code: string
  app: { name: string } & Pick<ApplicationFace, 'logoUri' | 'branding'>
  ip: string | null
  askedAt: Date
}

/** Null if it belongs to another browser, has ended, or if the code is not that of the device. */
export async function findDevice(
  op: Op,
  browser: Pick<Incoming, 'headers'>,
  id: string,
  typed: string,
): Promise<OpenDevice | null> {
  const interaction = await findOwnInteraction(op, browser, id)
  const code = readUserCode(typed)
  if (!interaction?.ask.device || code === null) return null
  const device = await op.devices.find(interaction.ask.device.id)
  if (!device || device.userCodeHash !== hashUserCode(op, code)) return null
  if (!(await isWaiting(op, device))) return null
  const face = await op.consents.face(device.applicationId)
  const { credentials } = await op.snapshot({ clients: [interaction.ask.clientId] })
  const name = credentials.get(interaction.ask.clientId)?.application.name
  if (!face || name === undefined) return null
  return {
    interaction,
    code: shownUserCode(code),
    app: { name, logoUri: face.logoUri, branding: face.branding },
    ip: device.ip,
    askedAt: device.createdAt,
  }
}

/** The person says whether the device is theirs. Returns the next URL. */
export async function answerDevice(
  op: Op,
  { interaction }: Pick<OpenDevice, 'interaction'>,
  isTheirs: boolean,
): Promise<string> {
  await op.write((tx) =>
    isTheirs ? confirmDevice(tx, interaction, op.now()) : denyInteraction(tx, interaction.id),
  )
  return `${paths.authorize}/${interaction.id}`
}
