import { Secret, TOTP } from 'otpauth'
import { hashPassword } from '../../lib/accounts/passwords'
import { newRecoveryCodes } from '../../lib/accounts/recovery-codes'
import { confirmEnrolment, enrolTotp } from '../../lib/accounts/totp'
import { newSecret } from '../../lib/crypto/secrets'
import { saveLink } from '../../lib/store/links'
import { trustDevice } from '../../lib/store/trusted-devices'
import { createUser } from '../../lib/store/users'
import { OldBrowser } from '../support/old-browser'
import type { House } from './arena'

/** People to race with. */

export const PASSWORD = 'a password for the torture chamber'
const SOON_MS = 10 * 60 * 1000
const STEP_MS = 30_000

export type Person = { id: string; email: string }

let hash: Promise<string> | undefined

export async function newPerson(house: House): Promise<Person> {
  hash ??= hashPassword(PASSWORD)
  const email = `${crypto.randomUUID()}@example.org`
  const person = { name: 'Ann', email, emailVerified: true, adminRole: null }
  const passwordHash = await hash
  const id = await house.changePolicy((tx) =>
    createUser(tx, { ...person, passwordHash }, house.now()),
  )
  return { id, email }
}

/** The token of a link that would have come by mail. */
export async function newResetLink(house: House, { id, email }: Person): Promise<string> {
  const token = newSecret('ghlk')
  const times = { createdAt: house.now(), expiresAt: new Date(Date.now() + SOON_MS) }
  const link = { tokenHash: house.hashSecret(token), purpose: 'reset', userId: id, email } as const
  await house.write((tx) => saveLink(tx, { ...link, ...times }))
  return token
}

export type Enrolled = Person & { totp: TOTP }

/** With an authenticator app whose codes of now are all good. */
export async function enrol(house: House, person: Person): Promise<Enrolled> {
  const secret = await house.write(async (tx) => {
    const enrolment = await enrolTotp(house, tx, person, 'Phone')
    const app = new TOTP({ secret: Secret.fromBase32(enrolment.secret) })
    const code = app.generate({ timestamp: Date.now() - STEP_MS })
    if (!(await confirmEnrolment(house, tx, enrolment, code))) throw new Error('not confirmed')
    return enrolment.secret
  })
  return { ...person, totp: new TOTP({ secret: Secret.fromBase32(secret) }) }
}

/** In a browser that they trust, so that the password is enough until somebody asks for more. */
export async function signedIn(house: House, { id, email }: Person): Promise<OldBrowser> {
  const browser = new OldBrowser(house.origin)
  const token = newSecret('ghdv')
  const device = { tokenHash: house.hashSecret(token), userId: id, userAgent: 'a browser' }
  const expiresAt = new Date(Date.now() + SOON_MS)
  await house.write((tx) => trustDevice(tx, { ...device, expiresAt }, house.now()))
  browser.cookies.set('gatehouse.device', token)
  await browser.signIn(await browser.open('/login'), { email, password: PASSWORD })
  return browser
}

/** Made before they sign in anywhere else: the session that asks for them gets another secret. */
export async function recoveryCodeOf(house: House, person: Person): Promise<string> {
  await signedIn(house, person)
  const { id } = person
  const row = await house.db.session.findFirstOrThrow({ where: { userId: id, endedAt: null } })
  const session = { id: row.id, user: { id } } as Parameters<typeof newRecoveryCodes>[1]
  const made = await newRecoveryCodes(house, session, { ip: null, userAgent: '', locale: 'en' })
  return made?.codes[0] ?? ''
}
