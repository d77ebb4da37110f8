import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInWithPassword } from '../../lib/accounts/sign-in'
import { callApi, machineToken } from '../support/api'
import { type Answer, ask, askToken, FORM, machineFields } from '../support/ask'
import { aliceAtWeb, authorizeUrl, received, webRequest } from '../support/flow'
import { type OpenPortal, openPortal, openSecond } from '../support/in-process'
import { OldBrowser } from '../support/old-browser'

/** docs/attacks.md, D23, D25, G8 and Q13. The portal stands behind one proxy, so callers can differ. */

let portal: OpenPortal

beforeAll(async () => {
  // Few enough that also a slow machine sends too many.
  const env = { TRUSTED_PROXIES: '1', CLIENT_REQUESTS_PER_MINUTE: '60' }
  portal = await openPortal({ env })
})
afterAll(() => portal.stop())

const from = (ip: string) => ({ 'x-forwarded-for': ip })

function expectSlowDown(answer: Answer): void {
  expect([answer.status, JSON.parse(answer.body).error]).toEqual([429, 'slow_down'])
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(answer.headers['cache-control']).toBe('no-store')
}

async function guess(
  times: number,
  fields: Record<string, string>,
  ip: string,
  { origin } = portal,
): Promise<Answer> {
  let last: Answer | null = null
  for (let i = 0; i < times; i += 1) last = await askToken(origin, fields, from(ip))
  if (!last) throw new Error('nobody guessed')
  return last
}

describe('D23: guessing a secret', () => {
  test('is 429 after 20 wrong ones; the right one still works from elsewhere', async () => {
    const wrong = machineFields(portal, { client_secret: 'ghcs_wrong' })
    expect((await guess(20, wrong, '192.0.2.1')).status).toBe(401)
    expectSlowDown(await guess(1, wrong, '192.0.2.1'))
    expectSlowDown(await guess(1, machineFields(portal), '192.0.2.1'))
    expect((await guess(1, machineFields(portal), '192.0.2.2')).status).toBe(200)
  })

  test('many at once: no more are checked than one after the other', async () => {
    const wrong = machineFields(portal, { client_secret: 'ghcs_wrong' })
    const ask = () => askToken(portal.origin, wrong, from('192.0.2.20'))
    const answers = await Promise.all(Array.from({ length: 120 }, ask))
    const unlocked = answers.filter(({ status }) => status !== 429)
    expect(unlocked.map(({ status }) => status)).toEqual(Array(20).fill(401))
  })

  test('looks the same for a client that does not exist (D16)', async () => {
    const unknown = machineFields(portal, { client_id: 'app_nobody' })
    expect((await guess(20, unknown, '192.0.2.3')).status).toBe(401)
    expectSlowDown(await guess(1, unknown, '192.0.2.3'))
  })

  test('M4: counts a whole IPv6 /64 as one', async () => {
    const wrong = machineFields(portal, { client_secret: 'ghcs_wrong' })
    for (let i = 0; i < 20; i += 1) await guess(1, wrong, `2001:db8:1:1::${i + 1}`)
    expectSlowDown(await guess(1, wrong, '2001:db8:1:1:ffff::1'))
    expect((await guess(1, machineFields(portal), '2001:db8:1:2::1')).status).toBe(200)
  })
})

test('G8, D25: one client asks too often: 429 on every spelling, others are not concerned', async () => {
  const key = portal.demo().machine
  const byKey = { client_id: key.access_key, client_secret: key.secret_key }
  const burst = await Promise.all(
    Array.from({ length: 60 }, () => askToken(portal.origin, machineFields(portal, byKey))),
  )
  const refused = burst.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(60)
  for (const answer of refused) expectSlowDown(answer)
  expect((await askToken(portal.origin, machineFields(portal))).status).toBe(200)
})

/** 240 a minute are bursts of 40, told in batches of 2. */
describe('several instances on one PostgreSQL hold together', () => {
  const BURST = 40
  const BATCH = 2
  const PER_SECOND = 4
  let first: OpenPortal
  let second: OpenPortal

  beforeAll(async () => {
    const env = { TRUSTED_PROXIES: '1', CLIENT_REQUESTS_PER_MINUTE: '240' }
    first = await openPortal({ kind: 'postgres', env })
    second = await openSecond(first)
  })
  afterAll(async () => {
    await second.stop()
    await first.stop()
  })

  test('G8: one client at both at once gets one burst, and at most a batch more from each', async () => {
    const began = performance.now()
    const asked = Array.from({ length: 160 }, (_, index) =>
      askToken((index % 2 === 0 ? first : second).origin, machineFields(first)),
    )
    const answers = await Promise.all(asked)
    const seconds = (performance.now() - began) / 1000
    const through = answers.filter(({ status }) => status === 200).length
    expect(through).toBeGreaterThanOrEqual(BURST)
    expect(through).toBeLessThanOrEqual(BURST + 2 * BATCH + Math.ceil(PER_SECOND * seconds))
    for (const answer of answers) if (answer.status !== 200) expectSlowDown(answer)
  })

  test('D23: wrong secrets are counted together; each further instance lets one more be wrong', async () => {
    const wrong = machineFields(first, { client_id: 'app_nobody' })
    expect((await guess(20, wrong, '198.51.100.1', first)).status).toBe(401)
    expect((await guess(1, wrong, '198.51.100.1', second)).status).toBe(401)
    expectSlowDown(await guess(1, wrong, '198.51.100.1', first))
    expectSlowDown(await guess(1, wrong, '198.51.100.1', second))
  })

  test('M3: an account that is locked at one is locked at the other', async () => {
    const [alice] = first.demo().users
    const identifier = alice?.email ?? ''
    const from = { ip: '198.51.100.2', userAgent: 'a test' }
    const attempt = ({ op }: OpenPortal, password: string) =>
      signInWithPassword(op, { identifier, password }, from)
    for (let i = 0; i < 10; i += 1) await attempt(first, 'wrong wrong wrong')
    const locked = await attempt(second, alice?.password ?? '')
    expect(locked).toMatchObject({ ok: false, problem: 'slow_down' })
  })
})

describe('Q90: behind a proxy that TRUSTED_PROXIES does not name', () => {
  let behind: OpenPortal

  beforeAll(async () => {
    behind = await openPortal()
  })
  afterAll(() => behind.stop())

  test('Q90: who guesses a secret locks out themselves, not the client', async () => {
    const wrong = machineFields(behind, { client_secret: 'ghcs_wrong' })
    expect((await guess(20, wrong, '203.0.113.7', behind)).status).toBe(401)
    expectSlowDown(await guess(1, wrong, '203.0.113.7', behind))
    expect((await guess(1, machineFields(behind), '198.51.100.7', behind)).status).toBe(200)
    // As it arrives if somebody claims to be the client: the proxy adds what it saw.
    const claimed = '198.51.100.7, 203.0.113.7'
    expect((await guess(20, wrong, claimed, behind)).status).toBe(401)
    expect((await guess(1, machineFields(behind), '198.51.100.7', behind)).status).toBe(200)
  })

  test('Q90: the health checks say so', async () => {
    const token = await machineToken(behind)
    const codes = async (headers: Record<string, string>) => {
      const { json } = await callApi(behind, token, 'GET', '/health', undefined, headers)
      return json.data.map(({ code }: { code: string }) => code)
    }
    expect(await codes(from('203.0.113.7'))).toContain('callers_behind_proxy')
    expect(await codes({ forwarded: 'for=203.0.113.7' })).toContain('callers_behind_proxy')
    expect(await codes({})).toContain('callers_known')
  })
})

describe('Q91: sign-ins that nobody finishes', () => {
  const AT_ONCE = 400
  const stored = () => portal.op.db.interaction.count()
  const begin = (ip: string, cookie?: string) =>
    ask(portal.origin, {
      path: authorizeUrl(webRequest(portal.demo())),
      headers: { ...from(ip), ...(cookie && { cookie }) },
    })

  test('Q91: one network begins a few hundred at once; then 429, and nothing is stored', async () => {
    const before = await stored()
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => begin('192.0.2.91')))
    const refused = answers.filter(({ status }) => status !== 303)
    expect(refused.length).toBeGreaterThan(0)
    expect((await stored()) - before).toBe(AT_ONCE - refused.length)
    for (const { status, headers, body } of refused) {
      expect([status, headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect(headers).not.toHaveProperty('location')
      expect(body).toContain('too many requests')
    }
  })

  test('Q91: a form that is sent from elsewhere is counted, too', async () => {
    const body = String(new URLSearchParams(webRequest(portal.demo())))
    const post = { method: 'POST', path: '/oidc/auth', headers: { ...FORM, ...from('192.0.2.92') } }
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => ask(portal.origin, { ...post, body })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 429]))
  })

  test('Q91: other networks, and users who are signed in, do not wait', async () => {
    const browser = await aliceAtWeb(portal)
    const flood = Array.from({ length: AT_ONCE }, () => begin('192.0.2.93'))
    const [other, alice] = [begin('192.0.2.94'), begin('192.0.2.93', browser.cookieHeader())]
    expect((await Promise.all(flood)).map(({ status }) => status)).toContain(429)
    expect((await other).status).toBe(303)
    const { status, headers } = await alice
    expect([status, headers.location]).toEqual([303, expect.stringContaining('code=')])
  })
})

describe('Q13: interactions of one browser', () => {
  const VISITS = 200
  const KEPT = 8
  const pathOf = ({ url }: { url: string }) => new URL(url).pathname
  const kept = ({ cookies }: OldBrowser) =>
    [...cookies.keys()].filter((name) => name.startsWith('gatehouse.int_'))

  test('Q13: 200 visits to /oidc/auth leave the latest few, and the newest finishes', async () => {
    const { origin } = portal
    const browser = new OldBrowser(origin)
    const ways: string[] = []
    for (let visit = 0; visit < VISITS; visit += 1) {
      const { status, location } = await browser.ask(authorizeUrl(webRequest(portal.demo())))
      expect([visit, status]).toEqual([visit, 303])
      expect(kept(browser).length).toBeLessThanOrEqual(KEPT)
      ways.push(location ?? '')
    }
    expect(kept(browser)).toHaveLength(KEPT)
    const login = await browser.open(ways.at(-1) ?? '')
    const alice = portal.demo().users[0] ?? { email: '', password: '' }
    const asked = await browser.signIn(login, alice)
    const done = pathOf(asked) === '/consent' ? await browser.submit(asked, {}) : asked
    expect(received(done)).toMatchObject({ state: 'the-state', code: expect.any(String) })

    const resumed = (way = '') => new URL(way, origin).searchParams.get('returnTo') ?? ''
    expect(received(await browser.open(resumed(ways.at(-KEPT)))).code).toBeDefined()
    const old = await browser.open(resumed(ways.at(-KEPT - 1)))
    const foreign = await new OldBrowser(origin).open(resumed(ways.at(-KEPT + 1)))
    expect([old.status, pathOf(old)]).toEqual([400, resumed(ways.at(-KEPT - 1))])
    expect(foreign.status).toBe(old.status)
  })
})
