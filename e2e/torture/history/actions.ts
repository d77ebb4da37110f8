import { DEMO } from '../../../lib/store/operations/demo'
import type { Answer } from '../../support/ask'
import { authorizeUrl, webRequest } from '../../support/flow'
import { OldBrowser } from '../../support/old-browser'
import type { Pair } from '../arena'
import { PASSWORD } from '../people'
import type { Random } from '../random'
import type { Call, Entry, GivenTokens } from './log'
import type { Wire } from './wire'
import { SCOPE, type World } from './world'

/** What a client of the load does next: one call, logged as it was seen. */

export type Driver = {
  pair: Pair
  world: World
  wire: Wire
  random: Random
  log: Entry[]
  /** Of the processes that are up; whoever is in the middle of a call when one dies loses it. */
  ports: readonly number[]
}

type Action = (driver: Driver, client: number, port: number) => Promise<void>

/** Logs the call; `read` makes of the answer what the caller learned by it, null: nothing. */
async function logged(
  { log }: Driver,
  client: number,
  lost: Call,
  send: () => Promise<Answer | null>,
  read: (answer: Answer) => Call | null,
): Promise<Call | null> {
  const start = performance.now()
  const answer = await send()
  const end = performance.now()
  const learned = answer && read(answer)
  log.push({ ...(learned ?? lost), client, start, end: learned ? end : null })
  return learned
}

const webOf = ({ pair }: Driver) => {
  const { client_id: id, client_secret: secret } = pair.front.demo().web
  return { id, secret }
}

/** A code, from whoever is signed in; whoever is not signs in. */
const authorize: Action = async (driver, _client, port) => {
  const { world, wire, random, pair } = driver
  const visitor = random.pick(world.visitors)
  if (!visitor) return
  const { cookie } = visitor
  if (cookie === null) return signIn(driver, visitor, port)
  const path = authorizeUrl(webRequest(pair.front.demo(), { scope: SCOPE }))
  const answer = await wire.send(port, { path, headers: { cookie } })
  if (!answer) return
  const code = new URL(answer.headers.location ?? '', pair.front.origin).searchParams.get('code')
  if (code !== null) world.codes.push({ code, user: visitor.id })
  else if (visitor.cookie === cookie) visitor.cookie = null
}

async function signIn(_driver: Driver, visitor: World['visitors'][number], port: number) {
  const browser = new OldBrowser(`http://localhost:${port}`)
  try {
    const page = await browser.open('/login')
    await browser.signIn(page, { email: visitor.email, password: PASSWORD })
  } catch {
    return // it died meanwhile
  }
  if (browser.cookies.has('gatehouse.session')) visitor.cookie = browser.cookieHeader()
}

const AGAIN = 0.1

const exchange: Action = async (driver, client, port) => {
  const { world, wire, random, pair } = driver
  const held = take(world.codes, random, AGAIN)
  if (!held) return
  const lost: Call = { op: 'exchange', ...held, given: null }
  const fields = {
    grant_type: 'authorization_code',
    code: held.code,
    redirect_uri: pair.front.demo().web.redirect_uris[0] ?? '',
  }
  const send = () => wire.form(port, '/oidc/token', fields, webOf(driver))
  const learned = await logged(driver, client, lost, send, (answer) => ({
    ...lost,
    given: givenIn(answer),
  }))
  keep(world, learned, held.user)
}

const refresh: Action = async (driver, client, port) => {
  const { world, wire, random } = driver
  const held = take(world.refreshTokens, random, 2 * AGAIN)
  if (!held) return
  const lost: Call = { op: 'refresh', ...held, given: null }
  const fields = { grant_type: 'refresh_token', refresh_token: held.token }
  const send = () => wire.form(port, '/oidc/token', fields, webOf(driver))
  const learned = await logged(driver, client, lost, send, (answer) => ({
    ...lost,
    given: givenIn(answer),
  }))
  // Lost: the same one again gives the same successor, or is refused.
  if (learned === null) world.refreshTokens.push(held)
  else keep(world, learned, held.user)
}

function givenIn({ status, body }: Answer): GivenTokens | null {
  if (status !== 200) return null
  const { access_token: access, refresh_token: refresh } = JSON.parse(body)
  return { access, refresh }
}

function keep(world: World, learned: Call | null, user: string): void {
  if (learned === null || !('given' in learned) || !learned.given) return
  const { access, refresh: token } = learned.given
  world.accessTokens.push({ token: access, of: 'web' })
  world.refreshTokens.push({ token, user })
}

/** One of those that are there; most are used once. */
function take<T>(list: T[], random: Random, stays: number): T | undefined {
  const picked = random.pick(list)
  if (picked !== undefined && !random.chance(stays)) list.splice(list.indexOf(picked), 1)
  return picked
}

const issue: Action = async (driver, client, port) => {
  const { world, wire, random } = driver
  const app = random.pick(world.apps)
  if (!app) return
  const lost: Call = { op: 'issue', app: app.id, token: null }
  const fields = { grant_type: 'client_credentials', scope: 'orders:read' }
  const send = () => wire.form(port, '/oidc/token', fields, app)
  const learned = await logged(driver, client, lost, send, ({ status, body }) => ({
    ...lost,
    token: status === 200 ? JSON.parse(body).access_token : null,
  }))
  if (learned?.op === 'issue' && learned.token !== null) {
    world.accessTokens.push({ token: learned.token, of: 'machine' })
  }
}

const RECENT = 40

const introspect: Action = async (driver, client, port) => {
  const { world, wire, random, pair } = driver
  const held = random.pick(world.accessTokens.slice(-RECENT))
  if (!held) return
  const { machine } = pair.front.demo()
  const demo = { id: machine.client_id, secret: machine.client_secret }
  const by = held.of === 'web' ? webOf(driver) : demo
  const lost: Call = { op: 'introspect', token: held.token, active: false }
  const send = () => wire.form(port, '/oidc/token/introspection', { token: held.token }, by)
  await logged(driver, client, lost, send, ({ status, body }) =>
    status === 200 ? { ...lost, active: JSON.parse(body).active } : null,
  )
}

/** A refresh token, and with it everything; or one access token. */
const revoke: Action = async (driver, client, port) => {
  const { world, wire, random } = driver
  const own = world.accessTokens.slice(-RECENT).filter(({ of }) => of === 'web')
  const held: readonly { token: string }[] = random.chance(0.5) ? world.refreshTokens : own
  const token = random.pick(held)?.token
  if (token === undefined) return
  const send = () => wire.form(port, '/oidc/token/revocation', { token }, webOf(driver))
  await logged(driver, client, { op: 'revoke', token }, send, ({ status }) =>
    status === 200 ? { op: 'revoke', token } : null,
  )
}

const check: Action = async (driver, client, port) => {
  const { world, wire, random } = driver
  const user = random.pick(world.holders)?.id
  if (user === undefined) return
  const body = { user, permission: 'orders:refund' }
  const request = { method: 'POST', path: '/permissions/check', body }
  const lost: Call = { op: 'check', user, allowed: false }
  const send = () => wire.api(port, world.bearer, request)
  await logged(driver, client, lost, send, ({ status, body: text }) =>
    status === 200 ? { ...lost, allowed: JSON.parse(text).allowed } : null,
  )
}

type Switch = { op: 'role' | 'user' | 'app'; name: string; on: boolean }

/** One at a time for each switch, so that everybody knows which came last. */
async function turn(driver: Driver, client: number, port: number, wanted: Switch): Promise<void> {
  const { world, wire } = driver
  if (world.busy.has(wanted.name)) return
  world.busy.add(wanted.name)
  const send = () => wire.api(port, world.bearer, requestFor(wanted))
  await logged(driver, client, wanted, send, ({ status }) => (status < 300 ? wanted : null))
  world.busy.delete(wanted.name)
}

function requestFor({ op, name, on }: Switch) {
  if (op === 'role') {
    return { method: on ? 'PUT' : 'DELETE', path: `/users/${name}/roles/${DEMO.ids.manager}` }
  }
  const path = op === 'user' ? `/users/${name}` : `/applications/${name}`
  return { method: 'PATCH', path, body: { enabled: on } }
}

const turnRole: Action = async (driver, client, port) => {
  const { world, random } = driver
  const name = random.pick(world.holders)?.id
  if (name) await turn(driver, client, port, { op: 'role', name, on: random.chance(0.5) })
}

const turnUser: Action = async (driver, client, port) => {
  const { world, random } = driver
  const name = random.pick(world.visitors)?.id
  if (name) await turn(driver, client, port, { op: 'user', name, on: random.chance(0.7) })
}

const turnApp: Action = async (driver, client, port) => {
  const { world, random } = driver
  const name = random.pick(world.apps)?.id
  if (name) await turn(driver, client, port, { op: 'app', name, on: random.chance(0.5) })
}

/** How often each of them comes up. */
const WEIGHTS: [Action, number][] = [
  [authorize, 16],
  [exchange, 12],
  [refresh, 18],
  [introspect, 20],
  [check, 14],
  [issue, 12],
  [revoke, 4],
  [turnRole, 4],
  [turnUser, 2],
  [turnApp, 3],
]

const ALL: Action[] = WEIGHTS.flatMap(([action, weight]) => Array<Action>(weight).fill(action))

export async function act(driver: Driver, client: number): Promise<void> {
  const port = driver.random.pick(driver.ports) ?? 0
  await driver.random.pick(ALL)?.(driver, client, port)
}
