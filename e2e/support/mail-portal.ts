import { afterAll, beforeAll, expect } from 'vitest'
import { createOp, type OpenOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import { createUser } from '../../lib/store/accounts/users'
import type { Kind } from './databases'
import { formOf, OldBrowser, type Page } from './old-browser'
import type { Portal } from './portal'
import { sharedMailPortal, sharedMailServer } from './shared-portal'
import { linkIn, type MailServer } from './smtp'

/** What the tests of mail share: a portal with a mail server, its store, and people. */

export const PASSWORD = 'a fresh and unguessable phrase'
export let server: MailServer
export let portal: Portal
export let op: OpenOp
export let people = 0

export function startMail(kind: Kind): void {
  beforeAll(async () => {
    server = await sharedMailServer()
    portal = await sharedMailPortal(kind)
    op = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
  })

  afterAll(() => op.close())
}

export async function somebody(): Promise<string> {
  people += 1
  const email = `person${people}@example.com`
  const user = { name: `Person ${people}`, email, emailVerified: false, adminRole: null }
  await op.write((tx) => createUser(tx, { ...user, passwordHash: 'x' }, op.now()))
  return email
}

/** A form sent as bytes, each time from an address of its own unless told. */
export async function send(page: Page, typed: Record<string, string>, headers = {}) {
  const { action, inputs } = formOf(page)
  const body = new FormData()
  for (const [name, value] of [...inputs, ...Object.entries(typed)]) body.append(name, value)
  const answer = await fetch(action, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: {
      origin: portal.origin,
      'sec-fetch-site': 'same-origin',
      'accept-language': 'en',
      'x-forwarded-for': `198.51.100.${Math.floor(Math.random() * 250)}`,
      ...headers,
    },
  })
  const location = answer.headers.get('location')
  return { status: answer.status, location, headers: answer.headers, body: await answer.text() }
}

export const browser = () => new OldBrowser(portal.origin)

export async function forgot(identifier: string, headers = {}, query = '') {
  return send(await browser().open(`/forgot${query}`), { identifier }, headers)
}

export async function resetLink(email: string, query = ''): Promise<string> {
  const before = server.received.length
  await forgot(email, {}, query)
  return linkIn(await server.lastTo(email, before))
}

export const signIn = async (email: string, password: string) => {
  const person = browser()
  await person.signIn(await person.open('/login'), { email, password })
  return person.cookies.has('gatehouse.session')
}

/** Every order so far has been written or dropped. */
export async function noMoreOrders(): Promise<void> {
  const open = { where: { kind: 'mail', deliveredAt: null, failedAt: null } }
  await expect.poll(() => op.db.outboxMessage.count(open)).toBe(0)
}
