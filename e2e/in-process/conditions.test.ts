import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONDITION_FUNCTIONS } from '../../lib/access/meter'
import { type Call, caller, machineToken } from '../support/api'
import { type Answer, askToken, type Fields } from '../support/ask'
import { aliceAtWeb, authorizeUrl, received, webRequest } from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import { ACCESS_TOKEN, type Service, TOKEN_EXCHANGE } from '../support/service-chain'

/**
 * Every variable and every function of conditions that docs/integration.md names, in a condition
 * that holds and in one that does not, decided for a real token.
 */

const MET = 'granted'
const NO = 'condition_failed'
const MISSING = 'context_missing'

type Row = [condition: string, answer: string]

/** The same for every token; `where` is what the token is for. */
const REQUEST: Row[] = [
  ['request.time > timestamp("2020-01-01T00:00:00Z")', MET],
  ['request.time < timestamp("2020-01-01T00:00:00Z")', NO],
  ['request.time - timestamp("2020-01-01T00:00:00Z") > duration("1h")', MET],
  ['request.time - timestamp("2020-01-01T00:00:00Z") < duration("1h")', NO],
  ['request.ip == "127.0.0.1"', MET],
  ['request.ip == "127.0.0.2"', NO],
  ['inNetwork(request.ip, "127.0.0.0/8")', MET],
  ['inNetwork(request.ip, "10.0.0.0/8")', NO],
  ['inNetwork(request.ip, "::/0")', NO],
  ['request.user_agent.startsWith("Mozilla")', NO],
  ['resource.audience == "https://where.test"', MET],
  ['resource.audience == "https://elsewhere.test"', NO],
  ['resource.scope.startsWith("where:")', MET],
  ['resource.scope == "orders:read"', NO],
  // Known only in a check. With `&&`: alone it would be a grant for one instance, or for one user.
  ['request.context.weather == "fine"', MISSING],
  ['!has(request.context)', MET],
  ['has(request.context)', NO],
  ['resource.type == "order"', MISSING],
  ['resource.id == "4711" && true', MISSING],
  ['resource.properties.status == "open"', MISSING],
  ['!has(resource.properties) || resource.properties.status != "archived"', MET],
  ['subject.type == "user"', MISSING],
  ['subject.id == "x"', MISSING],
  ['subject.properties.role == "admin"', MISSING],
  ['action.name == "read"', MISSING],
  ['action.properties.soft', MISSING],
]

/** `getFullYear() > 2000`, in UTC and in each of these places. */
const OF_TIME: [part: string, always: string, never: string][] = [
  ['getFullYear', '> 2000', '< 2000'],
  ['getMonth', '>= 0', '> 11'],
  ['getDate', '>= 1', '> 31'],
  ['getDayOfMonth', '>= 0', '> 30'],
  ['getDayOfWeek', '>= 0', '> 6'],
  ['getDayOfYear', '>= 0', '> 366'],
  ['getHours', '>= 0', '> 23'],
  ['getMinutes', '>= 0', '> 59'],
  ['getSeconds', '>= 0', '> 59'],
  ['getMilliseconds', '>= 0', '> 999'],
]
const ZONES = ['', '"UTC"', '"Europe/Zurich"', '"Asia/Tokyo"']
const TIMES: Row[] = OF_TIME.flatMap(([part, always, never]) =>
  ZONES.flatMap((zone): Row[] => [
    [`request.time.${part}(${zone}) ${always}`, MET],
    [`request.time.${part}(${zone}) ${never}`, NO],
  ]),
)

const FUNCTIONS: Row[] = [
  ['dyn(resource.scope) == resource.scope', MET],
  ['dyn(resource.scope) == "x"', NO],
  ['type(request.ip) == string', MET],
  ['type(request.ip) == int', NO],
  ['bool("true")', MET],
  ['bool("false")', NO],
  ['double("1.5") > 1.0', MET],
  ['double("1.5") > 2.0', NO],
  ['int("7") == 7', MET],
  ['int("7") == 8', NO],
  ['uint("7") == 7u', MET],
  ['uint("7") == 8u', NO],
  ['string(7) == "7"', MET],
  ['string(7) == "8"', NO],
  ['bytes("ab").size() == 2', MET],
  ['bytes("ab").size() == 3', NO],
  ['bytes("ab").hex() == "6162"', MET],
  ['bytes("ab").hex() == "6163"', NO],
  ['bytes("ab").base64() == "YWI="', MET],
  ['bytes("ab").base64() == "YWM="', NO],
  ['b"ab".at(0) == 97', MET],
  ['b"ab".at(0) == 98', NO],
  ['size(request.ip) == 9', MET],
  ['request.ip.size() == 8', NO],
  ['[1, 2].size() == 2', MET],
  ['request.ip.startsWith("127.")', MET],
  ['request.ip.startsWith("10.")', NO],
  ['request.ip.endsWith(".1")', MET],
  ['request.ip.endsWith(".2")', NO],
  ['request.ip.contains("0.0")', MET],
  ['request.ip.contains("7.7")', NO],
  ['request.ip.indexOf(".") == 3', MET],
  ['request.ip.indexOf(".") == 0', NO],
  ['request.ip.lastIndexOf(".") == 7', MET],
  ['request.ip.lastIndexOf(".") == 3', NO],
  ['"ABC".lowerAscii() == "abc"', MET],
  ['"ABC".lowerAscii() == "ABC"', NO],
  ['"abc".upperAscii() == "ABC"', MET],
  ['"abc".upperAscii() == "abc"', NO],
  ['" a ".trim() == "a"', MET],
  ['" a ".trim() == " a "', NO],
  ['request.ip.substring(0, 3) == "127"', MET],
  ['request.ip.substring(0, 3) == "0.0"', NO],
  ['request.ip.split(".") == ["127", "0", "0", "1"]', MET],
  ['request.ip.split(".").size() == 3', NO],
  ['["a", "b"].join("-") == "a-b"', MET],
  ['["a", "b"].join("-") == "ab"', NO],
  ['"a" in ["a", "b"]', MET],
  ['"c" in ["a", "b"]', NO],
  ['[1, 2].all(x, x > 0)', MET],
  ['[1, 2].all(x, x > 1)', NO],
  ['[1, 2].exists(x, x == 2)', MET],
  ['[1, 2].exists(x, x == 3)', NO],
  ['[1, 2].exists_one(x, x == 2)', MET],
  ['[2, 2].exists_one(x, x == 2)', NO],
  ['[1, 2].map(x, x + 1) == [2, 3]', MET],
  ['[1, 2].map(x, x + 1) == [1, 2]', NO],
  ['[1, 2].filter(x, x > 1) == [2]', MET],
  ['[1, 2].filter(x, x > 1) == [1]', NO],
  ['cel.bind(x, request.ip, x == "127.0.0.1")', MET],
  ['cel.bind(x, request.ip, x == "127.0.0.2")', NO],
  ['has(request.ip)', MET],
]

const NO_EXCHANGE: Row[] = [
  ['request.exchange.depth == 1', MISSING],
  ['!has(request.exchange)', MET],
]

const MACHINE: Row[] = [
  ['request.user_agent == "probe/1"', MET],
  ['request.grant_type == "client_credentials"', MET],
  ['request.grant_type == "authorization_code"', NO],
  ['client.id == "app_probe"', MET],
  ['client.id == "app_other"', NO],
  ['client.application_id == "app_probe"', MET],
  ['client.application_id == "app_other"', NO],
  ['client.access_key == "ak_probe"', MISSING],
  ['!has(client.access_key)', MET],
  ['user.id == "usr_demo_alice" && true', MISSING],
  ['user.department == "sales"', MISSING],
  ['!has(user.id)', MET],
  ['auth.acr == "pwd"', MISSING],
  ['"pwd" in auth.amr', MISSING],
  ['auth.age < 300', MISSING],
  ['atLeast(auth.acr, "pwd")', MISSING],
  ...NO_EXCHANGE,
]

const ACCESS_KEY: Row[] = [
  ['client.id == "ak_probe"', MET],
  ['client.id == "app_probe"', NO],
  ['client.application_id == "app_probe"', MET],
  ['client.access_key == "ak_probe"', MET],
  ['client.access_key == "ak_other"', NO],
]

const OF_USER: Row[] = [
  ['user.id == "usr_demo_alice"', MET],
  // With `&&`: alone it would be a grant for somebody else, which counts as if it did not exist.
  ['user.id == "usr_demo_bob" && true', NO],
  ['user.department == "sales"', MET],
  ['user.department == "legal"', NO],
  ['"auditors" in user.teams', MET],
  ['"owners" in user.teams', NO],
  ['user.level > 2', MET],
  ['user.level > 3', NO],
  ['has(user.department)', MET],
  ['has(user.nothing)', NO],
  ['user.nothing == "x"', MISSING],
  ['auth.acr == "pwd"', MET],
  ['auth.acr == "sms"', NO],
  ['"pwd" in auth.amr', MET],
  ['"otp" in auth.amr', 'mfa_required'],
  ['auth.age < 300', MET],
  ['auth.age > 300', NO],
  ['atLeast(auth.acr, "pwd")', MET],
  ['atLeast(auth.acr, "mfa")', 'mfa_required'],
]

const USER: Row[] = [
  ...OF_USER,
  ...NO_EXCHANGE,
  // The browser at the consent page is another one than the client.
  ['!has(request.user_agent) || request.user_agent in ["a test", "probe/1"]', MET],
  // Of a refresh too.
  ['request.grant_type == "authorization_code"', MET],
  ['request.grant_type == "refresh_token"', NO],
  ['client.id == "app_probe_web"', MET],
  ['client.application_id == "app_other"', NO],
]

const EXCHANGED: Row[] = [
  ...OF_USER,
  ['request.user_agent == "probe/1"', MET],
  [`request.grant_type == "${TOKEN_EXCHANGE}"`, MET],
  ['request.grant_type == "authorization_code"', NO],
  ['client.id == "app_probe"', MET],
  ['request.exchange.from == "app_probe_web"', MET],
  ['request.exchange.from == "app_probe"', NO],
  ['request.exchange.first == "app_probe_web"', MET],
  ['request.exchange.first == "app_probe"', NO],
  ['request.exchange.depth == 1', MET],
  ['request.exchange.depth > 1', NO],
  ['"came:in" in request.exchange.scope', MET],
  ['"came:out" in request.exchange.scope', NO],
  ['"https://came.test" in request.exchange.audience', MET],
  ['"https://where.test" in request.exchange.audience', NO],
  ['request.exchange.registration == "admin"', MET],
  ['request.exchange.registration == "open"', NO],
]

const ALWAYS = [...REQUEST, ...TIMES, ...FUNCTIONS]
const ASKED: Record<string, Row[]> = {
  machine: [...ALWAYS, ...MACHINE],
  key: [...REQUEST, ...ACCESS_KEY],
  user: [...ALWAYS, ...USER],
  exchanged: [...ALWAYS, ...EXCHANGED],
}
/** RFC 6749 §3.3: as many as one request may ask for. */
const AT_ONCE = 90
const SECRET_KEY = 'k'.repeat(40)
const CALLBACK = 'https://probe.test/cb'

/** `Date` before Next.js replaces it. */
const OF_NODE = Date

let portal: OpenPortal
let api: Call
let web: Fields
let service: Service
let answers: Record<string, Map<string, string>>

const scopeAt = (who: string, at: number) => `where:${who}${at}`
const scopesOf = (who: string) => (ASKED[who] ?? []).map((_, at) => scopeAt(who, at))

beforeAll(async () => {
  portal = await openPortal()
  // As on a host: the pages are loaded once the portal answers, and Next.js replaces `Date`.
  await import('next/dist/server/node-environment-extensions/date')
  expect(Date).not.toBe(OF_NODE)
  api = caller(portal, await machineToken(portal))
  await build()
  answers = {
    machine: await answersOf('machine', (scope) => client({ ...service.credentials, scope })),
    key: await answersOf('key', (scope) =>
      client({ client_id: 'ak_probe', client_secret: SECRET_KEY, scope }),
    ),
    user: await answersOf('user', userToken),
    exchanged: await answersOf('exchanged', exchanged),
  }
})
afterAll(async () => {
  // Other files run in this process, too.
  globalThis.Date = OF_NODE
  OF_NODE.prototype.constructor = OF_NODE
  await portal.stop()
})

async function done(method: string, path: string, body: unknown) {
  const answer = await api(method, path, body, method === 'POST' ? {} : { 'if-match': '*' })
  expect(answer.status, answer.raw).toBeLessThan(300)
  return answer.json
}

async function build(): Promise<void> {
  const all = Object.keys(ASKED).flatMap(scopesOf)
  const described = (key: string) => ({ key, descriptions: { en: key } })
  await done('POST', '/spaces', { key: 'probe', name: 'Probe' })
  await done('PUT', '/spaces/probe/model', {
    resources: [
      {
        prefix: 'where',
        name: 'Where',
        audience: 'https://where.test',
        permissions: all.map(described),
      },
      {
        prefix: 'came',
        name: 'Came',
        audience: 'https://came.test',
        permissions: ['came:in', 'came:out'].map(described),
      },
    ],
    roles: [],
  })
  const attributes = { department: 'sales', teams: ['auditors'], level: 3 }
  await done('PATCH', '/users/usr_demo_alice', { attributes })
  const grantTypes = ['client_credentials', TOKEN_EXCHANGE]
  const machine = { kind: 'machine', name: 'Probe', id: 'app_probe', grantTypes }
  const { id, secret } = await done('POST', '/applications', machine)
  service = { id, secret, credentials: { client_id: id, client_secret: secret } }
  const key = { accessKey: 'ak_probe', secretKey: SECRET_KEY, name: 'Probe' }
  await done('POST', `/applications/${id}/keys`, key)
  const redirectUris = [CALLBACK]
  const site = { kind: 'web', name: 'Probe web', id: 'app_probe_web', redirectUris }
  const made = await done('POST', '/applications', { ...site, pkce: 'not_required' })
  web = { client_id: made.id, client_secret: made.secret }
  const introspectors = [id]
  await done('PATCH', '/spaces/probe/resources/came', { introspectors })
  const given = (who: string) =>
    (ASKED[who] ?? []).map(([condition], at) => ({ pattern: scopeAt(who, at), condition }))
  const byExchange = given('exchanged').map((one) => ({ ...one, exchangeFrom: web.client_id }))
  const grants = [...given('machine'), ...given('key'), ...byExchange]
  await done('PUT', `/applications/${id}/grants`, { grants })
  const ofUsers = [...given('user'), { pattern: 'came:in' }]
  await done('PUT', `/applications/${web.client_id}/grants`, { grants: ofUsers })
}

const AGENT = { 'user-agent': 'probe/1' }
const token = (fields: Fields) => askToken(portal.origin, fields, AGENT)
const client = (fields: Fields) => token({ grant_type: 'client_credentials', ...fields })

async function userToken(scope: string): Promise<Answer> {
  const alice = await aliceAtWeb(portal)
  const { client_id = '' } = web
  const asked = { client_id, redirect_uri: CALLBACK, scope: `openid came:in ${scope}` }
  const page = await alice.open(authorizeUrl({ ...webRequest(portal.demo(), asked) }))
  const done = page.url.includes('/consent')
    ? await alice.submit(page, { scope: asked.scope.split(' ') })
    : page
  const { code = '', ...rest } = received(done)
  expect(code, `${done.url} ${JSON.stringify(rest)}`).not.toBe('')
  return token({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...web })
}

async function exchanged(scope: string): Promise<Answer> {
  const { access_token } = JSON.parse((await userToken('')).body)
  return token({
    grant_type: TOKEN_EXCHANGE,
    subject_token: access_token,
    subject_token_type: ACCESS_TOKEN,
    ...service.credentials,
    scope,
  })
}

/** What was said about each scope: `granted`, or why not. */
async function answersOf(who: string, ask: (scope: string) => Promise<Answer>) {
  const found = new Map<string, string>()
  const scopes = scopesOf(who)
  for (let at = 0; at < scopes.length; at += AT_ONCE) {
    const { status, body } = await ask(scopes.slice(at, at + AT_ONCE).join(' '))
    expect(status, body).toBe(200)
    const { scope = '', scope_rejected_reasons = [] } = JSON.parse(body)
    for (const one of scope.split(' ')) found.set(one, MET)
    for (const { scope: one, code } of scope_rejected_reasons) found.set(one, code)
  }
  return found
}

test.each(Object.entries(ASKED))('each condition has its answer for: %s', (who, rows) => {
  const found = rows.map(([condition], at) => [condition, answers[who]?.get(scopeAt(who, at))])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(rows))
})

describe('the document', () => {
  const conditions = Object.values(ASKED).flatMap((rows) => rows.map(([source]) => source))

  test('names no variable that is not tried', () => {
    const text = readFileSync(new URL('../../docs/integration.md', import.meta.url), 'utf8')
    const [, rows = ''] =
      /\| variable \| fields \|\n\| --- \| --- \|\n((?:\|.*\n)+)/.exec(text) ?? []
    const named = rows
      .trim()
      .split('\n')
      .flatMap((row) => {
        const [, variables = '', fields = ''] = row.split('|')
        const [of = [], members = []] = [variables, fields].map((cell) => namesIn(cell))
        return of.flatMap((variable) => members.map((member) => `${variable}.${member}`))
      })
    expect(named.length).toBeGreaterThan(20)
    const tried = (name: string) => conditions.some((source) => source.includes(name))
    expect(named.filter((name) => !tried(name) && !NOT_ONES.has(name))).toEqual([])
  })

  test('and no function can be called that is not tried', () => {
    const untried = CONDITION_FUNCTIONS.filter(
      (name) => !conditions.some((source) => new RegExp(`\\b${name}\\(`).test(source)),
    )
    expect(untried).toEqual([])
  })

  const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
})

/** The table names values beside members, and the members of two variables together. */
const NOT_ONES = new Set([
  'request.authorization_code',
  ...['from', 'first', 'depth', 'scope', 'audience', 'registration'].map((one) => `request.${one}`),
  'subject.name',
  'action.type',
  'action.id',
])
