import { Secret, TOTP } from 'otpauth'
import { hashPassword } from '../../lib/accounts/passwords'
import { newRecoveryCodes } from '../../lib/accounts/recovery-codes'
import { confirmEnrolment, enrolTotp } from '../../lib/accounts/totp'
import { newSecret } from '../../lib/crypto/secrets'
import { saveLink } from '../../lib/store/accounts/links'
import { trustDevice } from '../../lib/store/accounts/trusted-devices'
import { createUser } from '../../lib/store/accounts/users'
import { OldBrowser } from '../support/old-browser'
import type { OpenPortal } from './arena'

/** People to race with. */

export const PASSWORD = 'a password for the torture chamber'
const SOON_MS = 10 * 60 * 1000
const STEP_MS = 30_000

export type Person = { id: string; email: string }

let hash: Promise<string> | undefined

export async function newPerson(op: OpenPortal): Promise<Person> {
  hash ??= hashPassword(PASSWORD)
  const email = `${crypto.randomUUID()}@example.org`
  const person = { name: 'Ann', email, emailVerified: true, adminRole: null }
  const passwordHash = await hash
  const id = await op.changePolicy((tx) => createUser(tx, { ...person, passwordHash }, op.now()))
  return { id, email }
}

/** The token of a link that would have come by mail. */
export async function newResetLink(op: OpenPortal, { id, email }: Person): Promise<string> {
  const token = newSecret('ghlk')
  const times = { createdAt: op.now(), expiresAt: new Date(Date.now() + SOON_MS) }
  const link = { tokenHash: op.hashSecret(token), purpose: 'reset', userId: id, email } as const
  await op.write((tx) => saveLink(tx, { ...link, ...times }))
  return token
}

export type EnrolledPerson = Person & { totp: TOTP }

/** With an authenticator app whose codes of now are all good. */
export async function enrol(op: OpenPortal, person: Person): Promise<EnrolledPerson> {
  const secret = await op.write(async (tx) => {
    const enrolment = await enrolTotp(op, tx, person, 'Phone')
    const app = new TOTP({ secret: Secret.fromBase32(enrolment.secret) })
    const code = app.generate({ timestamp: Date.now() - STEP_MS })
    if (!(await confirmEnrolment(op, tx, enrolment, code))) throw new Error('not confirmed')
    return enrolment.secret
  })
  return { ...person, totp: new TOTP({ secret: Secret.fromBase32(secret) }) }
}

/** In a browser that they trust, so that the password is enough until somebody asks for more. */
export async function signedIn(op: OpenPortal, { id, email }: Person): Promise<OldBrowser> {
  const browser = new OldBrowser(op.origin)
  const token = newSecret('ghdv')
  const device = { tokenHash: op.hashSecret(token), userId: id, userAgent: 'a browser' }
  const expiresAt = new Date(Date.now() + SOON_MS)
  await op.write((tx) => trustDevice(tx, { ...device, expiresAt }, op.now()))
  browser.cookies.set('gatehouse.device', token)
  await browser.signIn(await browser.open('/login'), { email, password: PASSWORD })
  return browser
}

/** Made before they sign in anywhere else: the session that asks for them gets another secret. */
export async function recoveryCodeOf(op: OpenPortal, person: Person): Promise<string> {
  await signedIn(op, person)
  const { id } = person
  const row = await op.db.session.findFirstOrThrow({ where: { userId: id, endedAt: null } })
  const session = { id: row.id, user: { id } } as Parameters<typeof newRecoveryCodes>[1]
  const made = await newRecoveryCodes(op, session, { ip: null, userAgent: '', locale: 'en' })
  return made?.codes[0] ?? ''
}
