import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Secret, TOTP } from 'otpauth'
import type { Demo } from '../../lib/operations/demo'
import { bundleScript } from './bundle'
import { OldBrowser } from './old-browser'

/** The sample data of the portal that the browser tests share, and people of a test's own in it. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export type Person = { id: string; email: string; password: string }

function dataDir(): string {
  return process.env.E2E_DATA_DIR ?? ''
}

export function demo(): Demo {
  return JSON.parse(readFileSync(join(dataDir(), 'demo.json'), 'utf8'))
}

async function run(script: string, ...args: string[]): Promise<string> {
  const file = await bundleScript(script)
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: dataDir(), PORT: '3987' } as unknown
  const options = { cwd: ROOT, env: env as NodeJS.ProcessEnv, encoding: 'utf8' } as const
  return execFileSync(process.execPath, [file, ...args], options).trim()
}

/** A clerk, made, invited and given a role by the owner; signs out again after choosing a password. */
export async function newPerson(name: string): Promise<Person> {
  const email = `${name.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@gatehouse.example`
  const { id } = await asOwner('POST', '/users', { name, email, emailVerified: true })
  await asOwner('PUT', `/users/${id}/roles/rol_demo_clerk`)
  const { link } = await asOwner('POST', `/users/${id}/invitation`, { returnLink: true })
  const password = `${crypto.randomUUID()} marmots`
  const invited = new OldBrowser(ORIGIN)
  await invited.submit(await invited.open(link), { password })
  await invited.submit(await invited.open('/logout'), {})
  return { id, email, password }
}

const ORIGIN = 'http://localhost:3987'
let owner: Promise<OldBrowser> | null = null

export async function ownerSignedIn(): Promise<OldBrowser> {
  const browser = new OldBrowser(ORIGIN)
  await browser.signIn(await browser.open('/login'), demo().admin)
  return browser
}

/** A call of the API by the demo's owner, signed in. */
export async function asOwner(
  method: string,
  path: string,
  body?: object,
  more: Record<string, string> = {},
) {
  owner ??= ownerSignedIn()
  const cookie = (await owner).cookieHeader()
  const own = { cookie, origin: ORIGIN, 'x-gatehouse-request': '1' }
  const json = { ...(body && { body: JSON.stringify(body) }), method }
  const headers = { ...own, 'content-type': 'application/json', ...more }
  const answer = await fetch(`${ORIGIN}/api/v1${path}`, { ...json, headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** Gives them an authenticator app. */
export async function enrolApp({ id, email }: Person): Promise<TOTP> {
  return new TOTP({ secret: Secret.fromBase32(await run('enrol-totp', id, email)) })
}
