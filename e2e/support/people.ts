import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Secret, TOTP } from 'otpauth'
import type { Demo } from '../../lib/operations/demo'
import { bundleScript } from './bundle'

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

/** A clerk. */
export async function newPerson(name: string): Promise<Person> {
  const [person] = JSON.parse(await run('new-user', name))
  return person
}

/** Gives them an authenticator app. */
export async function enrolApp({ id, email }: Person): Promise<TOTP> {
  return new TOTP({ secret: Secret.fromBase32(await run('enrol-totp', id, email)) })
}
