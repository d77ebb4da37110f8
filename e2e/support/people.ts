import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cookie } from '@playwright/test'
import type { TOTP } from 'otpauth'
import type { Demo } from '../../lib/operations/demo'
import { addApp } from './add-app'
import { OldBrowser } from './old-browser'

/** The sample data of the portal that the browser tests share, and people of a test's own in it. */

export type Login = { email: string; password: string }
export type Person = Login & { id: string }

export const ORIGIN = 'http://localhost:3987'
const DATA_DIR = process.env.E2E_DATA_DIR ?? ''

/** Users of the sample data who sign in once for the whole run; see browser/sign-in.setup.ts. */
export type SignedIn = 'owner' | 'alice'

export function demo(): Demo {
  return JSON.parse(readFileSync(join(DATA_DIR, 'demo.json'), 'utf8'))
}

export function demoUser(at: number): Login {
  const user = demo().users[at]
  if (!user) throw new Error(`the sample data have no user ${at}`)
  return user
}

/** What a context begins with to be signed in, in the format of Playwright. */
export function storageStateOf(user: SignedIn): string {
  return join(DATA_DIR, `signed-in-${user}.json`)
}

export function cookiesOf(user: SignedIn): Cookie[] {
  return JSON.parse(readFileSync(storageStateOf(user), 'utf8')).cookies
}

/** A clerk, made, invited and given a role by the owner. */
export async function newPerson(name: string): Promise<Person> {
  const email = `${name.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@gatehouse.example`
  const { id } = await asOwner('POST', '/users', { name, email, emailVerified: true })
  await asOwner('PUT', `/users/${id}/roles/rol_demo_clerk`)
  const { link } = await asOwner('POST', `/users/${id}/invitation`, { returnLink: true })
  const password = `${crypto.randomUUID()} marmots`
  const invited = new OldBrowser(ORIGIN)
  await invited.submit(await invited.open(link), { password })
  return { id, email, password }
}

/** A browser without script in which the owner is signed in. */
export function ownerSignedIn(): OldBrowser {
  const browser = new OldBrowser(ORIGIN)
  for (const { name, value } of cookiesOf('owner')) browser.cookies.set(name, value)
  return browser
}

/** At the step of the password, and on to a file: pages that nobody looks at would be drawn for nothing. */
export async function signedIn({ email, password }: Login): Promise<OldBrowser> {
  const browser = new OldBrowser(ORIGIN)
  const step = new URLSearchParams({ identifier: email, returnTo: '/robots.txt' })
  await browser.submit(await browser.open(`/login?${step}`), { identifier: email, password })
  return browser
}

/** A call of the API by the demo's owner, signed in. */
export async function asOwner(
  method: string,
  path: string,
  body?: object,
  more: Record<string, string> = {},
) {
  const cookie = ownerSignedIn().cookieHeader()
  const own = { cookie, origin: ORIGIN, 'x-gatehouse-request': '1' }
  const json = { ...(body && { body: JSON.stringify(body) }), method }
  const headers = { ...own, 'content-type': 'application/json', ...more }
  const answer = await fetch(`${ORIGIN}/api/v1${path}`, { ...json, headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** Gives them an authenticator app. The code of the step before this one has been used. */
export async function enrolApp(person: Login, session?: OldBrowser): Promise<TOTP> {
  const browser = session ?? (await signedIn(person))
  const { totp } = await addApp(browser, person.password, 'Phone')
  return totp
}
