import { afterAll, beforeAll } from 'vitest'
import { hashPassword } from '../../lib/accounts/passwords'
import { createOp, type OpenOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import { type AdminRole, createUser } from '../../lib/store/accounts/users'
import { type Call, caller, machineToken } from './api'
import type { Kind } from './databases'
import { formOf, OldBrowser, type Page } from './old-browser'
import type { Portal } from './portal'
import { sharedMailPortal, sharedMailServer } from './shared-portal'
import type { MailServer } from './smtp'

/** What the tests of accounts share: a portal with a mail server, its store, and people. */

export const PASSWORD = 'correct horse battery staple'
export const NEXT = 'seven quiet herons by the weir'

export type Login = { id: string; email: string; password: string }

export let server: MailServer
export let portal: Portal
export let op: OpenOp
export let passwordHash = ''
export let api: Call

export function startAccounts(kind: Kind): void {
  beforeAll(async () => {
    server = await sharedMailServer()
    portal = await sharedMailPortal(kind)
    op = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
    passwordHash = await hashPassword(PASSWORD)
    api = caller(portal, await machineToken(portal))
  })

  afterAll(() => op.close())
}

export async function newPerson(adminRole: AdminRole | null = null): Promise<Login> {
  const email = `${crypto.randomUUID()}@example.org`
  const person = { name: 'Ann', email, emailVerified: true, adminRole, passwordHash }
  const id = await op.changePolicy((tx) => createUser(tx, person, op.now()))
  return { id, email, password: PASSWORD }
}

export const browser = () => new OldBrowser(portal.origin)
export const rowOf = ({ id }: { id: string }) => op.db.user.findUnique({ where: { id } })
export const pathOf = ({ url }: Page) => new URL(url).pathname

export async function signedIn(login: Login): Promise<OldBrowser> {
  const person = browser()
  await person.signIn(await person.open('/login'), login)
  return person
}

/** Opens a page that wants to know again who it is. */
export async function confirmed(person: OldBrowser, path: string): Promise<Page> {
  const question = await person.open(path)
  if (pathOf(question) !== '/account/confirm') return question
  return person.submit(question, { password: PASSWORD })
}

export async function send(page: Page, typed: Record<string, string>, cookie = '') {
  const { action, inputs } = formOf(page)
  const body = new FormData()
  for (const [name, value] of [...inputs, ...Object.entries(typed)]) body.append(name, value)
  const headers = { cookie, origin: portal.origin, 'sec-fetch-site': 'same-origin' }
  const answer = await fetch(action, { method: 'POST', body, headers, redirect: 'manual' })
  return { location: answer.headers.get('location'), html: await answer.text() }
}

export const tokenHashOf = (link: string) =>
  op.hashSecret(new URL(link).searchParams.get('token') ?? '')
