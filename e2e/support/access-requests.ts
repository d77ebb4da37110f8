import { hashPassword } from '../../lib/accounts/passwords'
import { createOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import { createUser } from '../../lib/store/accounts/users'
import { addApp } from './add-app'
import { type ApiAnswer, type Call, callApi, caller, machineToken, sessionOf } from './api'
import { type Answer, askToken, type Fields } from './ask'
import { enrolApp } from './enrol'
import { exchange, getCode, SCOPE, webRequest } from './flow'
import type { OpenPortal } from './in-process'
import { formWith, OldBrowser } from './old-browser'
import type { AnyPortal } from './portal'

/** A portal in which people ask for `ledger:close` and a group decides about it. */

export const WANTED = 'ledger:close'
export const ANY = { 'if-match': '*' }
const PASSWORD = 'correct horse battery staple'

export const loginOf = (name: string) => ({
  email: `${name}@requests.example`,
  password: PASSWORD,
})

export type Person = { id: string; call: Call; session: Fields }

export function callAs(portal: AnyPortal, session: Fields): Call {
  return (method, path, body, headers) => callApi(portal, session, method, path, body, headers)
}

/** Signed-in users of the test's own, by name. */
export async function people<Name extends string>(
  portal: AnyPortal,
  names: readonly Name[],
): Promise<Record<Name, Person>> {
  const op = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
  const passwordHash = await hashPassword(PASSWORD)
  const found: Record<string, Person> = {}
  for (const name of names) {
    const { email } = loginOf(name)
    const user = { name, email, emailVerified: true, adminRole: null, passwordHash }
    const id = await op.write((tx) => createUser(tx, user, new Date()))
    const session = await sessionOf(portal, loginOf(name))
    found[name] = { id, session, call: callAs(portal, session) }
  }
  await op.close()
  return found as Record<Name, Person>
}

/** The same user with an authenticator app, who has just proved it. */
export async function proved(portal: AnyPortal, name: string): Promise<Call> {
  const browser = new OldBrowser(portal.origin)
  await browser.signIn(await browser.open('/login'), loginOf(name))
  const app = await addApp(browser, PASSWORD)
  const asked = await browser.open('/second-factor?raise=yes')
  await browser.submit(formWith(asked, 'name="code"'), { code: app.next() })
  const cookie = browser.cookieHeader()
  return callAs(portal, { cookie, origin: portal.origin, 'x-gatehouse-request': '1' })
}

/** The same at a portal in this process, whose pages are not drawn. */
export async function provedInProcess(
  portal: OpenPortal,
  id: string,
  name: string,
): Promise<Fields> {
  const browser = new OldBrowser(portal.origin)
  await browser.signIn(await browser.open('/login'), loginOf(name))
  const app = await enrolApp(portal, { id, email: loginOf(name).email })
  await browser.submit(await browser.open('/second-factor?raise=yes'), { code: app.next() })
  const cookie = browser.cookieHeader()
  return { cookie, origin: portal.origin, 'x-gatehouse-request': '1' }
}

export type World = { api: Call; group: string; rule: string; apiId: string }

/** An API with a permission that needs a role, granted to the web application. */
export async function worldIn(
  portal: AnyPortal,
  approvers: readonly Person[],
  more: object = {},
): Promise<World> {
  const api = caller(portal, await machineToken(portal))
  const ledger = await made(api, '/spaces/demo/resources', {
    prefix: 'ledger',
    name: 'Ledger',
    audience: 'https://ledger.example',
  })
  const item = { resource: 'ledger', descriptions: { en: 'Close the books' }, needsRole: true }
  for (const key of [WANTED, 'ledger:read']) {
    const path = `/spaces/demo/permissions/${key}`
    ok(await api('PUT', path, item))
  }
  const { grants } = ok(await api('GET', '/applications/app_demo_web/grants'))
  const all = [
    ...grants.map(({ id: _, ...grant }: { id: string }) => grant),
    { pattern: 'ledger:*' },
  ]
  ok(await api('PUT', '/applications/app_demo_web/grants', { grants: all }, ANY))
  const group = await made(api, '/groups', { key: 'controllers', name: 'Controllers' })
  for (const { id } of approvers) ok(await api('PUT', `/groups/${group.id}/members/${id}`))
  const rule = await made(api, '/request-rules', {
    api: 'ledger',
    name: 'Closing',
    patterns: [WANTED],
    maxSeconds: 3600,
    stages: [{ approvers: [{ type: 'group', id: group.id }], needed: 2 }],
    ...more,
  })
  return { api, group: group.id, rule: rule.id, apiId: ledger.id }
}

// biome-ignore lint/suspicious/noExplicitAny: what the schema has accepted, a test may look into
export function ok({ status, json, raw }: ApiAnswer): any {
  if (status < 300) return json
  throw new Error(`${status} ${raw}`)
}

export async function made(api: Call, path: string, body: object) {
  return ok(await api('POST', path, body))
}

/** Tokens of the web application, which asks for what is refused, too. */
export async function tokensAtWeb(portal: AnyPortal, browser: OldBrowser) {
  const scope = `${SCOPE} ${WANTED}`
  const code = await getCode(browser, webRequest(portal.demo(), { scope }))
  return JSON.parse((await exchange(portal, code)).body)
}

export function reasonFor(
  tokens: { scope_rejected_reasons?: { scope: string }[] },
  scope = WANTED,
): Record<string, unknown> {
  return (tokens.scope_rejected_reasons ?? []).find((one) => one.scope === scope) ?? {}
}

/** A token of another machine with these scopes of the portal. */
export async function machineWith(portal: AnyPortal, api: Call, scopes: readonly string[]) {
  const { id, secret } = await made(api, '/applications', { kind: 'machine', name: 'Agent' })
  const grants = scopes.map((pattern) => ({ pattern }))
  ok(await api('PUT', `/applications/${id}/grants`, { grants }, ANY))
  const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const token = async () => {
    const answer: Answer = await askToken(portal.origin, { ...fields, scope: scopes.join(' ') })
    return answer.status === 200 ? JSON.parse(answer.body).access_token : ''
  }
  return { id, token }
}
