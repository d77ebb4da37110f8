import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../lib/accounts/passwords'
import { newSecret } from '../../lib/crypto/secrets'
import { createOp, type OpenOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import { saveLink } from '../../lib/store/accounts/links'
import { createUser } from '../../lib/store/accounts/users'
import { ask } from '../support/ask'
import { aliceAtWeb, authorizeUrl, received, webRequest } from '../support/flow'
import { filledForm, formOf, OldBrowser, type Page } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'

/** docs/attacks.md, M: the pages, seen by somebody who means harm. */

let portal: Portal
let op: OpenOp

beforeAll(async () => {
  // One proxy stands in front, so that a test can come from many networks.
  portal = await startPortal({ args: ['--demo'], env: { TRUSTED_PROXIES: '1' } })
  op = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
})
afterAll(async () => {
  await op.close()
  await portal.stop()
})

const person = (index: number) => portal.demo().users[index] ?? { email: '', password: '' }
const FORM_HEADERS = () => ({ origin: portal.origin, 'sec-fetch-site': 'same-origin' })

/** A sign-in as a form sends it, from a network of one's choice. */
async function attempt(identifier: string, password: string, from = '198.51.100.7') {
  const page = await passwordForm(identifier)
  return post(page, { identifier, password }, { 'x-forwarded-for': from })
}

/** Any name can be sent with it. */
function passwordForm(identifier: string): Promise<Page> {
  return new OldBrowser(portal.origin).open(`/login?${new URLSearchParams({ identifier })}`)
}

async function post(page: Page, typed: Record<string, string>, headers: Record<string, string>) {
  const { action, body } = filledForm(page, typed)
  const response = await fetch(action, {
    method: 'POST',
    body,
    headers: { 'accept-language': 'en', ...FORM_HEADERS(), ...headers },
    redirect: 'manual',
  })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

const textOf = (html: string) =>
  (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '').replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

describe('M1, M2, M3: guessing', () => {
  test('M1: unknown, wrong and disabled are one text and one status', async () => {
    const stamps = { createdAt: new Date(), updatedAt: new Date() }
    const emailKey = 'gone@example.org'
    await op.db.user.create({
      data: {
        id: 'usr_gone',
        emailKey,
        profile: {},
        attributes: {},
        ...stamps,
        disabledAt: new Date(),
      },
    })
    const answers = await Promise.all(
      [person(0).email, 'nobody@example.org', emailKey].map((who) => attempt(who, 'not it at all')),
    )
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
    const texts = answers.map(({ html }) => textOf(html).replaceAll(/\S+@\S+/g, 'WHO'))
    expect(new Set(texts).size).toBe(1)
    expect(answers.every(({ headers }) => headers.getSetCookie().length === 0)).toBe(true)
  })

  test('M2: one password at many names: the network is told to wait, 429', async () => {
    const spray = Array.from({ length: 101 }, (_, at) => `name${at}@example.org`)
    const form = await passwordForm('somebody@example.org')
    const from = { 'x-forwarded-for': '203.0.113.9' }
    const statuses: number[] = []
    for (const names of chunks(spray, 10)) {
      const some = await Promise.all(
        names.map((identifier) => post(form, { identifier, password: 'Summer2026!' }, from)),
      )
      statuses.push(...some.map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(100)
    const late = await attempt('fresh@example.org', 'Summer2026!', '203.0.113.9')
    expect(late.status).toBe(429)
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
    // Somebody else's network is not punished for it.
    expect((await attempt('fresh@example.org', 'Summer2026!', '203.0.113.200')).status).toBe(400)
  })

  test('M3: one name guessed at is locked for longer each time, and a reset by mail opens it', async () => {
    const email = `${crypto.randomUUID()}@example.org`
    const passwordHash = await hashPassword('the first of her passwords')
    const user = { name: 'Ann', email, emailVerified: true, adminRole: null, passwordHash }
    const userId = await op.write((tx) => createUser(tx, user, op.now()))
    const form = await passwordForm(email)
    /** The wait that eleven guesses end in. */
    const guess = async () => {
      const typed = { identifier: email, password: 'a guess' }
      const from = { 'x-forwarded-for': '198.51.100.7' }
      const all = await Promise.all(Array.from({ length: 11 }, () => post(form, typed, from)))
      return Number(all.find(({ status }) => status === 429)?.headers.get('retry-after'))
    }
    const waits: number[] = []
    for (let round = 0; round < 3; round += 1) {
      waits.push(await guess())
      // As if that time had passed.
      await op.db.rateCounter.updateMany({
        where: { key: { startsWith: 'login:account:' }, NOT: { key: { endsWith: ':locks' } } },
        data: { expiresAt: new Date(0) },
      })
    }
    expect(waits.map((wait) => Math.round(wait / 60))).toEqual([1, 2, 4])
    await guess()
    expect((await attempt(email, 'the first of her passwords')).status).toBe(429)
    const token = newSecret('ghlk')
    const times = { createdAt: op.now(), expiresAt: new Date(Date.now() + 60_000) }
    const tokenHash = op.hashSecret(token)
    await op.write((tx) => saveLink(tx, { tokenHash, purpose: 'reset', userId, email, ...times }))
    const browser = new OldBrowser(portal.origin)
    const page = await browser.open(`/reset?token=${token}`)
    await browser.submit(page, { password: 'the second of her passwords' })
    expect((await attempt(email, 'the second of her passwords')).status).toBe(303)
  })
})

function chunks<T>(list: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  )
}

test('M8: an empty or half-filled form stays where it is, 400, and signs nobody in', async () => {
  const browser = new OldBrowser(portal.origin)
  const page = await browser.open(`/login?${new URLSearchParams({ identifier: person(0).email })}`)
  for (const typed of [{}, { identifier: person(0).email }, { password: person(0).password }]) {
    const answer = await post(page, typed as Record<string, string>, {})
    expect(answer.status).toBe(400)
    expect(answer.headers.getSetCookie()).toEqual([])
  }
  const between = await browser.open('/second-factor')
  expect(between.html.includes('This request has expired')).toBe(true)
})

test('M9: a session that was there before the sign-in is nobody’s after it', async () => {
  const browser = await aliceAtWeb(portal)
  const before = browser.cookies.get('gatehouse.session') ?? ''
  const fixed = new OldBrowser(portal.origin)
  fixed.cookies.set('gatehouse.session', before)
  expect((await fixed.open('/account')).url).toContain('/account')
  // Alice signs in again in her browser; whoever holds the old cookie is out.
  await browser.signIn(await browser.open('/login'), person(0))
  expect(browser.cookies.get('gatehouse.session')).not.toBe(before)
  expect((await browser.open('/account')).url).toContain('/account')
  expect((await fixed.open('/account')).url).toContain('/login')
})

test('M10: every cookie is ours alone, unreadable, and its secret is stored as a hash', async () => {
  const { email, password } = person(0)
  const { headers } = await attempt(email, password, '198.51.100.20')
  const cookies = headers.getSetCookie()
  expect(cookies.length).toBeGreaterThan(0)
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; Path=\//)
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; SameSite=lax/i)
    expect(cookie).not.toMatch(/domain=/i)
  }
  const rows = await op.db.session.findMany({ where: { user: { email } } })
  expect(rows.every(({ secretHash }) => /^[\w-]{43}$/.test(secretHash))).toBe(true)
  expect(rows.every(({ idleExpiresAt, expiresAt }) => idleExpiresAt < expiresAt)).toBe(true)
})

describe('M14: consent', () => {
  test('M14: an answer needs the browser that was asked, and our own page', async () => {
    const bob = new OldBrowser(portal.origin)
    const ask = webRequest(portal.demo(), { prompt: 'consent' })
    const page = await bob.signIn(await bob.open(authorizeUrl(ask)), person(1))
    expect(page.url).toContain('/consent')
    const cookie = bob.cookieHeader()
    const foreign = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const crossSite = await post(page, { scope: 'orders:read' }, foreign)
    expect(crossSite.status).toBe(403)
    const withoutOwner = await aliceAtWeb(portal)
    const stolen = await post(page, {}, { cookie: withoutOwner.cookieHeader() })
    expect(textOf(stolen.html)).toContain('This request has expired')
    // Neither of them answered for Bob.
    const done = await bob.submit(page, { scope: ['orders:read'] })
    expect(received(done).code).toBeDefined()
  })
})

const PROTECTED = ['/account', '/account/security', '/account/sessions', '/account/apps']

describe('M20: ways around a page', () => {
  const TRICKS: [string, (path: string) => { path: string; headers: Record<string, string> }][] = [
    ['x-middleware-subrequest', (path) => ({ path, headers: { 'x-middleware-subrequest': SUB } })],
    ['RSC', (path) => ({ path: `${path}?_rsc=1abc`, headers: { rsc: '1' } })],
    ['.rsc', (path) => ({ path: `${path}.rsc`, headers: { rsc: '1' } })],
    ['prefetch', (path) => ({ path, headers: { rsc: '1', 'next-router-prefetch': '1' } })],
    [
      'segment prefetch',
      (path) => ({
        path: `${path}?_rsc=1`,
        headers: {
          rsc: '1',
          'next-router-segment-prefetch': '/_tree',
          'next-router-prefetch': '1',
        },
      }),
    ],
    ['_next/data', (path) => ({ path: `/_next/data/x${path}.json`, headers: {} })],
    ['encoded', (path) => ({ path: path.replace('account', '%61ccount'), headers: {} })],
    ['dots', (path) => ({ path: `/login/..${path}`, headers: {} })],
    ['case', (path) => ({ path: path.toUpperCase(), headers: {} })],
  ]
  const SUB = 'proxy:proxy:proxy:proxy:proxy'

  test.each(TRICKS)('M20: %s shows nothing of anybody’s account', async (_name, trick) => {
    for (const page of PROTECTED) {
      const { path, headers } = trick(page)
      const first = await ask(portal.origin, { path, headers })
      // Next corrects the `_rsc` of a request for data: the real answer is behind it.
      const again = first.headers.location?.includes('_rsc') ? first.headers.location : null
      const answer = again ? await ask(portal.origin, { path: again, headers }) : first
      expect(answer.status).toBeLessThan(500)
      expect(answer.body.includes('Signed in as')).toBe(false)
      const leads = answer.headers.location ?? ''
      const redirected =
        leads.includes('/login') || /\/login\?returnTo=|NEXT_REDIRECT/.test(answer.body)
      const onlyNames = answer.body.length < 600 // of folders: what a prefetch gets of any page
      expect([page, answer.status, redirected || onlyNames || answer.status === 404]).toEqual([
        page,
        answer.status,
        true,
      ])
    }
  })
})

describe('M21: actions', () => {
  test('M21: an action of the account, replayed by nobody, does nothing', async () => {
    const alice = await aliceAtWeb(portal)
    const page = await alice.open('/account/sessions')
    const sessions = () => op.db.session.count({ where: { endedAt: null } })
    const apps = await alice.open('/account/apps')
    for (const seen of [page, apps]) {
      const before = await sessions()
      const consents = await op.db.consent.count()
      expect(formOf(seen).inputs.some(([name]) => name.startsWith('$ACTION'))).toBe(true)
      const answer = await post(seen, {}, {})
      expect([303, 307, 400, 403]).toContain(answer.status)
      expect(await sessions()).toBe(before)
      expect(await op.db.consent.count()).toBe(consents)
    }
  })

  test('M20, M21: an unknown action id is refused', async () => {
    for (const id of ['0'.repeat(42), 'x', '../../etc/passwd']) {
      const response = await fetch(`${portal.origin}/login`, {
        method: 'POST',
        headers: { ...FORM_HEADERS(), 'next-action': id, 'content-type': 'text/plain' },
        body: '[]',
      })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
    }
  })
})

test('M22: malformed Flight payloads are refused, and the portal lives on', async () => {
  const page = await new OldBrowser(portal.origin).open('/forgot')
  const { inputs } = formOf(page)
  const action = inputs.find(([name]) => name.startsWith('$ACTION'))?.[0] ?? ''
  const bodies: Record<string, string>[] = [
    { [action]: '', '0': '["$1:a:a"]', '1': '{"a":"$0:constructor:constructor"}' },
    { '0': '{"then":"$1:__proto__:then","status":"resolved_model","value":"{}"}', '1': '"$@0"' },
    { '0': '["$K1"]', '1_$ACTION_REF_1': 'x' },
    { '0': `[${'"$1",'.repeat(2_000)}"$1"]`, '1': '"$0"' },
    { '1_$ACTION_REF_1': '', '1_$ACTION_1:0': '{"id":"$F0","bound":"$@1"}' },
  ]
  const before = await rss()
  const statuses: number[] = []
  for (const fields of bodies) {
    for (const headers of [{}, { 'next-action': '0'.repeat(42) }]) {
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.append(name, value)
      const response = await fetch(page.url, {
        method: 'POST',
        body,
        headers: { ...FORM_HEADERS(), ...headers } as Record<string, string>,
        redirect: 'manual',
      })
      await response.arrayBuffer()
      statuses.push(response.status)
      expect(response.headers.getSetCookie()).toEqual([])
    }
  }
  expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true)
  expect((await fetch(`${portal.origin}/healthz`)).status).toBe(200)
  expect((await rss()) - before).toBeLessThan(200 * 1024 * 1024)
})

async function rss(): Promise<number> {
  const metrics = await (await fetch(`${portal.origin}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1])
}

test('M24: no picture is fetched from elsewhere', async () => {
  const remote = ['https://evil.example/a.png', 'http://127.0.0.1/a.png', '//evil.example/a.png']
  for (const url of [...remote, '/logo.svg', 'file:///etc/passwd']) {
    const path = `/_next/image?${new URLSearchParams({ url, w: '64', q: '75' })}`
    const { status, body } = await ask(portal.origin, { path })
    expect([url, status >= 400 && status < 500]).toEqual([url, true])
    expect(body.includes('root:')).toBe(false)
  }
})

test('M16: no page of ours can be framed', async () => {
  const alice = await aliceAtWeb(portal)
  const paths = ['/', '/login', '/login?identifier=x', '/logout', '/accounts', '/second-factor']
  for (const path of [...paths, '/consent', ...PROTECTED]) {
    const { headers } = await alice.open(path)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
  }
})
