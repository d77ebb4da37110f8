import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Op } from '../../lib/context/op'
import { createOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import type { Database } from '../../lib/store/database'
import { createUser } from '../../lib/store/users'
import { ask } from '../support/ask'
import { freshDatabase, KINDS } from '../support/databases'
import { aliceAtWeb, exchange, getCode, refresh, webRequest } from '../support/flow'
import { formOf, OldBrowser, type Page } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'
import { freePort } from '../support/postgres'
import { linkIn, type MailServer, startMailServer } from '../support/smtp'

/** docs/attacks.md, M1, M2, M25, M26, M28 and M30: what goes by mail, with a real mail server. */

const PASSWORD = 'a fresh and unguessable phrase'
const FROM = 'Example ID <id@example.com>'

describe.each(KINDS)('mail on %s', (kind) => {
  let server: MailServer
  let portal: Portal
  let house: Op & { db: Database }
  let people = 0

  beforeAll(async () => {
    server = await startMailServer()
    portal = await startPortal({
      args: ['--demo'],
      env: {
        DATABASE_URL: await freshDatabase[kind](),
        SMTP_URL: server.url,
        MAIL_FROM: FROM,
        REGISTRATION: 'open',
        TRUSTED_PROXIES: '1',
      },
    })
    house = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
  })

  afterAll(async () => {
    await house.close()
    await portal.stop()
    await server.close()
  })

  async function somebody(): Promise<string> {
    people += 1
    const email = `person${people}@example.com`
    const user = { name: `Person ${people}`, email, emailVerified: false, adminRole: null }
    await house.write((tx) => createUser(tx, { ...user, passwordHash: 'x' }, house.now()))
    return email
  }

  /** A form sent as bytes, each time from an address of its own unless told. */
  async function send(page: Page, typed: Record<string, string>, headers = {}) {
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

  const browser = () => new OldBrowser(portal.origin)

  async function forgot(identifier: string, headers = {}, query = '') {
    return send(await browser().open(`/forgot${query}`), { identifier }, headers)
  }

  async function resetLink(email: string, query = ''): Promise<string> {
    const before = server.received.length
    await forgot(email, {}, query)
    return linkIn(await server.lastTo(email, before))
  }

  const signIn = async (email: string, password: string) => {
    const person = browser()
    await person.signIn(await person.open('/login'), { email, password })
    return person.cookies.has('gatehouse.session')
  }

  describe('a forgotten password', () => {
    test('from the sign-in page to a new password and back to where one was going', async () => {
      const email = await somebody()
      const login = await browser().open(`/login?identifier=${email}&returnTo=%2Flogout`)
      expect(login.html.includes('href="/forgot?returnTo=%2Flogout"')).toBe(true)
      const link = await resetLink(email, '?returnTo=%2Flogout')
      expect(link).toMatch(
        new RegExp(`^${portal.origin}/reset\\?token=ghlk_\\S+returnTo=%2Flogout$`),
      )
      for (let look = 0; look < 3; look += 1) {
        expect((await browser().open(link)).html).toContain('Choose a new password')
      }
      const before = server.received.length
      const answer = await send(await browser().open(link), { password: PASSWORD })
      expect([answer.status, answer.location]).toEqual([303, '/reset/done?returnTo=%2Flogout'])
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect((await browser().open(answer.location ?? '')).html).toContain(
        'href="/login?returnTo=%2Flogout"',
      )
      expect(await signIn(email, PASSWORD)).toBe(true)
      expect((await server.lastTo(email, before)).subject).toBe('Your password was changed')
      expect((await browser().open(link)).html).toContain('doesn’t work any more')
      const { id, emailVerified } = await house.db.user.findUniqueOrThrow({
        where: { emailKey: email },
      })
      expect(emailVerified).toBe(true)
      const events = await house.db.auditEntry.findMany({ where: { actorId: id } })
      expect(events.map(({ event }) => event)).toContain('password.reset')
    })

    test('ends every session and every token grant of that user, and of nobody else', async () => {
      const alice = await aliceAtWeb(portal)
      const tokens = JSON.parse(
        (await exchange(portal, await getCode(alice, webRequest(portal.demo())))).body,
      )
      const [, bob] = portal.demo().users
      const other = browser()
      await other.signIn(await other.open('/login'), bob ?? { email: '', password: '' })
      const link = await resetLink(portal.demo().users[0]?.email ?? '')
      await send(await browser().open(link), { password: PASSWORD })
      expect((await refresh(portal, tokens.refresh_token)).status).toBe(400)
      expect((await alice.open('/')).html).not.toContain('You’re signed in')
      expect((await other.open('/')).html).toContain('You’re signed in')
    })

    test('M25: of 20 that send one link at once, one wins', async () => {
      const email = await somebody()
      const page = await browser().open(await resetLink(email))
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => send(page, { password: `${PASSWORD} ${i}` })),
      )
      const winners = answers.flatMap(({ location }, i) => (location ? [i] : []))
      expect(winners).toHaveLength(1)
      expect(await signIn(email, `${PASSWORD} ${winners[0]}`)).toBe(true)
    })

    test('M25: a used link closes the others; an expired one, one for another address and one of another purpose are closed', async () => {
      const email = await somebody()
      const links = [await resetLink(email), await resetLink(email), await resetLink(email)]
      const hashOf = (link = '') => house.hashSecret(new URL(link).searchParams.get('token') ?? '')
      const pages = await Promise.all(links.map((link) => browser().open(link)))
      const isRefused = async (page: Page | undefined) =>
        page !== undefined && (await send(page, { password: PASSWORD })).location === null

      const past = { data: { expiresAt: new Date(Date.now() - 1) } }
      await house.db.oneTimeLink.update({ where: { tokenHash: hashOf(links[0]) }, ...past })
      expect(await isRefused(pages[0])).toBe(true)
      const verify = { data: { purpose: 'verify' } }
      await house.db.oneTimeLink.update({ where: { tokenHash: hashOf(links[1]) }, ...verify })
      expect(await isRefused(pages[1])).toBe(true)
      const emailKey = `moved-${email}`
      await house.db.user.update({
        where: { emailKey: email },
        data: { email: emailKey, emailKey },
      })
      expect(await isRefused(pages[2])).toBe(true)
      expect(await signIn(emailKey, PASSWORD)).toBe(false)
    })

    test('M28: a password that is short, long or repeated is refused, and the link stays good', async () => {
      const email = await somebody()
      const page = await browser().open(await resetLink(email))
      for (const password of ['', 'short', 'x'.repeat(1025), 'aaaaaaaaaaaaaaaaaaaa']) {
        const { status, location, body } = await send(page, { password })
        expect([status, location]).toEqual([200, null])
        expect(body).toContain('aria-invalid="true"')
      }
      expect((await send(page, { password: PASSWORD })).location).toBe('/reset/done')
    })

    test('M1: known, unknown, disabled and nonsense get one answer', async () => {
      const off = await somebody()
      const now = house.now()
      await house.db.user.update({ where: { emailKey: off }, data: { disabledAt: now } })
      await noMoreOrders()
      const before = server.received.length
      const known = await somebody()
      const names = [known, 'nobody@example.com', off, 'nobody', 'a@x.org,b@y.org', 'a\u0001b']
      const answers = await Promise.all(names.map((name) => forgot(name)))
      const seen = answers.map(({ status, body, headers }) => ({
        status,
        body: masked(body),
        headers: [...headers]
          .filter(([name]) => !['date', 'x-request-id'].includes(name))
          .map(([name, value]) => [name, masked(value)]),
      }))
      for (const one of seen) expect(one).toEqual(seen[0])
      expect(answers[0]).toMatchObject({ status: 303, location: '/forgot/sent' })
      await server.lastTo(known, before)
      await noMoreOrders()
      expect(server.received.slice(before).flatMap(({ to }) => to)).toEqual([known])
    })

    test('M26: no header and no second recipient comes out of what was typed', async () => {
      const email = await somebody()
      await noMoreOrders()
      const before = server.received.length
      for (const typed of [
        `${email}\r\nBcc: evil@example.org`,
        `${email},evil@example.org`,
        `${email} evil@example.org`,
      ]) {
        await forgot(typed)
      }
      await forgot(email.replace('@', '＠').toUpperCase())
      const mail = await server.lastTo(email, before)
      await noMoreOrders()
      expect(server.received.slice(before).flatMap(({ to }) => to)).toEqual([email])
      expect(mail.raw).not.toMatch(/evil|^bcc:/im)
    })

    test('M25: the link is the issuer’s, whatever Host says', async () => {
      const { hostname, port } = new URL(portal.origin)
      for (const host of ['evil.example', `evil.example:${port}`]) {
        const { status } = await ask(portal.origin, { path: '/forgot', headers: { host } })
        expect(status).toBe(421)
      }
      const email = await somebody()
      const before = server.received.length
      const refused = await forgot(email, { 'x-forwarded-host': 'evil.example' })
      expect(refused.location).toBeNull()
      await forgot(email, { forwarded: 'host=evil.example', 'x-original-host': 'evil.example' })
      const mail = await server.lastTo(email, before)
      expect(mail.raw).not.toContain('evil.example')
      expect(new URL(linkIn(mail)).hostname).toBe(hostname)
    })

    test('M2: one name is slowed down after 3, known or not, and one network after 20', async () => {
      for (const name of [await somebody(), 'stranger@example.com']) {
        for (let i = 0; i < 3; i += 1) expect((await forgot(name)).status).toBe(303)
        const slowed = await forgot(name)
        expect(slowed.location).toBeNull()
        expect(slowed.body).toMatch(/Please wait \d+ minutes/)
      }
      const one = { 'x-forwarded-for': '203.0.113.9' }
      for (let i = 0; i < 20; i += 1) {
        expect((await forgot(`n${i}@example.com`, one)).status).toBe(303)
      }
      expect((await forgot('n20@example.com', one)).body).toMatch(/Please wait \d+ minutes/)
      expect((await forgot('n20@example.com')).status).toBe(303)
    })
  })

  describe('a new account', () => {
    const register = async (typed: Record<string, string>, headers = {}, query = '') =>
      send(
        await browser().open(`/register${query}`),
        { name: 'Nell', password: PASSWORD, ...typed },
        headers,
      )

    test('signs in at once; the address is its own after a button was pressed, once', async () => {
      const email = 'nell@example.com'
      const before = server.received.length
      const login = await browser().open('/login?returnTo=%2Flogout')
      expect(login.html).toContain('href="/register?returnTo=%2Flogout"')
      const answer = await register({ email }, {}, '?returnTo=%2Flogout')
      expect([answer.status, answer.location]).toEqual([303, '/register/sent?returnTo=%2Flogout'])
      expect(await signIn(email, PASSWORD)).toBe(true)
      const verified = async () =>
        (await house.db.user.findUniqueOrThrow({ where: { emailKey: email } })).emailVerified
      const link = linkIn(await server.lastTo(email, before))
      const person = browser()
      await person.signIn(await person.open('/login'), { email, password: PASSWORD })
      const page = await person.open(link)
      expect(page.html).toContain('Confirm your address')
      expect(await verified()).toBe(false)
      const cookie = { cookie: person.cookieHeader() }
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(page, {}, cookie)))
      const places = answers.map(({ location }) => location).sort()
      expect(places).toEqual([
        '/verify/done?returnTo=%2Flogout',
        ...Array(19).fill('/verify?token='),
      ])
      expect(await verified()).toBe(true)
      expect((await browser().open(link)).html).toContain('doesn’t work any more')
    })

    test('M1: an address that is taken gets the same answer; its owner hears of it; nothing changes', async () => {
      const email = await somebody()
      const before = server.received.length
      const rows = await house.db.user.count()
      const taken = await register({ email: email.toUpperCase() })
      const free = await register({ email: 'free@example.com' })
      const shown = ({ status, location, body }: typeof taken) => [status, location, body]
      expect(shown(taken)).toEqual(shown(free))
      expect((await server.lastTo(email, before)).subject).toBe('You already have an account')
      expect(await house.db.user.count()).toBe(rows + 1)
      expect(await signIn(email, PASSWORD)).toBe(false)
    })

    test('of 10 that want one address at once, one account comes', async () => {
      const email = 'race@example.com'
      const before = await house.db.user.count()
      const typed = { email, name: 'Racer' }
      const answers = await Promise.all(Array.from({ length: 10 }, () => register(typed)))
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses).toEqual([...Array(7).fill(200), 303, 303, 303])
      expect(await house.db.user.count()).toBe(before + 1)
    })

    test('M26, M28: an address that is not one, a weak password or no name is refused', async () => {
      const before = await house.db.user.count()
      for (const typed of [
        { email: 'a@x.org,b@y.org' },
        { email: 'a@x.org\r\nBcc: b@y.org' },
        { email: `${'a'.repeat(1024)}@x.org` },
        { email: 'bob@exаmple.com' }, // a Cyrillic letter
        { email: 'ok@example.com', password: 'short' },
        { email: 'ok@example.com', name: ' \u0007 ' },
      ]) {
        const { location, body } = await register(typed)
        expect(location).toBeNull()
        expect(body).toContain('aria-invalid="true"')
      }
      expect(await house.db.user.count()).toBe(before)
    })

    test('M2: one network is slowed down', async () => {
      const one = { 'x-forwarded-for': '203.0.113.77' }
      const network = house.limits.networkOf('203.0.113.77')
      for (let i = 0; i < 20; i += 1) {
        await house.counters.hit(`register:address:${network}`, house.now(), 60_000)
      }
      const slowed = await register({ email: 'late@example.com' }, one)
      expect(slowed.body).toMatch(/Please wait \d+ minutes/)
    })
  })

  test('a signed-in person gets another link to confirm their address, three times', async () => {
    const email = await somebody()
    const link = await resetLink(email)
    await send(await browser().open(link), { password: PASSWORD })
    const where = { emailKey: email }
    await house.db.user.update({ where, data: { emailVerified: false } })
    const stranger = await browser().open('/verify')
    expect(new URL(stranger.url).pathname).toBe('/login')
    const person = browser()
    await person.signIn(await person.open('/login'), { email, password: PASSWORD })
    await noMoreOrders()
    const before = server.received.length
    for (let i = 0; i < 3; i += 1) {
      const sent = await person.submit(await person.open('/verify'), {})
      expect(new URL(sent.url).pathname).toBe('/verify/sent')
    }
    const slowed = await person.submit(await person.open('/verify'), {})
    expect(slowed.html).toMatch(/Please wait \d+ minutes/)
    const page = await person.open(linkIn(await server.lastTo(email, before)))
    expect(new URL((await person.submit(page, {})).url).pathname).toBe('/verify/done')
    expect((await house.db.user.findUniqueOrThrow({ where })).emailVerified).toBe(true)
    expect((await person.open('/verify')).html).toContain('confirmed already')
  })

  /** Every order so far has been written or dropped. */
  async function noMoreOrders(): Promise<void> {
    const open = { where: { kind: 'mail', deliveredAt: null, failedAt: null } }
    await expect.poll(() => house.db.outboxMessage.count(open), { timeout: 10_000 }).toBe(0)
  }

  test('what was ordered before a kill -9, with the server away, is delivered once after it', async () => {
    const port = await freePort()
    const env = { ...portal.env, SMTP_URL: `smtp://127.0.0.1:${port}` }
    const email = await somebody()
    await portal.stop()
    portal = await startPortal({ env })
    expect((await forgot(email)).status).toBe(303)
    portal.signal('SIGKILL')
    await portal.exited
    portal = await startPortal({ env })
    const { id } = await house.db.outboxMessage.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
    const error = async () =>
      (await house.db.outboxMessage.findUniqueOrThrow({ where: { id } })).lastError
    await expect.poll(error, { timeout: 40_000 }).toMatch(/^smtp E/)
    const late = await startMailServer({ port })
    const page = await browser().open(linkIn(await late.lastTo(email)))
    await noMoreOrders()
    expect(late.received.map(({ to }) => to)).toEqual([[email]])
    expect((await send(page, { password: PASSWORD })).location).toBe('/reset/done')
    await late.lastTo(email, 1)
    await late.close()
  })
})

/** A nonce of the policy and Next's own ids differ from answer to answer. */
function masked(text: string): string {
  return text.replaceAll(/nonce-[^']+|nonce="[^"]+"/g, 'nonce')
}

test('registration is closed unless it is opened', async () => {
  const portal = await startPortal({ args: ['--demo'] })
  const browser = new OldBrowser(portal.origin)
  expect((await browser.open('/login')).html).not.toContain('/register')
  const page = await browser.open('/register')
  expect(page.html).toContain('Accounts are made by invitation here')
  expect(formOf(page).asksPassword).toBe(false)
  await portal.stop()
})

test('in production without a server mail is off, which is said and not held against anybody', async () => {
  const portal = await startPortal({ env: { ISSUER: 'https://id.example.com' } })
  const ready = await ask(portal.origin, { path: '/readyz' })
  expect([ready.status, JSON.parse(ready.body).mail]).toEqual([200, 'off'])
  const headers = { host: 'id.example.com', 'accept-language': 'en' }
  const page = await ask(portal.origin, { path: '/forgot', headers })
  expect(page.body).toContain('can’t send mail')
  await portal.stop()
})
