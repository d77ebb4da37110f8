import type { Kind } from './databases'
import { demoDatabase } from './databases'
import { type Portal, startPortal } from './portal'
import { type MailServer, startMailServer } from './smtp'

/**
 * One built portal for each test worker and environment. A file that asks for one brings its own
 * users, applications and spaces, and leaves the settings as it found them.
 */

type Options = { kind?: Kind; env?: Record<string, string> }

const portals = new Map<string, Promise<Portal>>()

export function sharedPortal({ kind = 'sqlite', env = {} }: Options = {}): Promise<Portal> {
  const key = JSON.stringify([kind, Object.entries(env).sort()])
  const known = portals.get(key)
  if (known) return known
  const started = start(kind, env)
  portals.set(key, started)
  return started
}

async function start(kind: Kind, env: Record<string, string>): Promise<Portal> {
  const DATABASE_URL = await demoDatabase[kind]()
  const portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL, ...env } })
  // The worker that shares it has no later moment than its own end.
  process.once('exit', () => portal.signal('SIGKILL'))
  return portal
}

let mailServer: Promise<MailServer> | null = null

/** As long as the test worker lives, like the portals that send to it. */
export function sharedMailServer(): Promise<MailServer> {
  mailServer ??= startMailServer()
  return mailServer
}

export const FROM = 'Example ID <id@example.com>'

/** It sends mail, lets people register, and takes the address of a caller from a proxy. */
export async function sharedMailPortal(kind: Kind = 'sqlite'): Promise<Portal> {
  const { url } = await sharedMailServer()
  const mail = { SMTP_URL: url, MAIL_FROM: FROM, REGISTRATION: 'open' }
  return sharedPortal({ kind, env: { ...mail, TRUSTED_PROXIES: '1' } })
}
