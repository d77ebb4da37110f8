import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacksAdminFactor } from '../../lib/accounts/admin-factor'
import { changePassword } from '../../lib/accounts/change-password'
import { hasJustSignedIn } from '../../lib/accounts/confirm'
import { finishSignIn } from '../../lib/accounts/finish-sign-in'
import { requestResetFor, resetPassword } from '../../lib/accounts/reset-password'
import { factorProof } from '../../lib/accounts/second-factor'
import {
  isAsker,
  isCodeOpen,
  requestSignInCode,
  signInWithCode,
} from '../../lib/accounts/sign-in-by-mail'
import { DAY_MS, MINUTE_MS } from '../../lib/base/time'
import { deliverDue } from '../../lib/delivery/deliver'
import { openSignInLink } from '../../lib/delivery/mail/sign-in-code'
import { callApi, machineToken } from '../support/api'
import { ANY, unique } from '../support/api-objects'
import { usually } from '../support/databases'
import { enrolApp } from '../support/enrol'
import { authorizeUrl, exchange, received, webRequest } from '../support/flow'
import { type OpenPortal, openPortal, openSecond } from '../support/in-process'
import { OldBrowser, type Page } from '../support/old-browser'
import { linkIn, type MailServer, type ReceivedMail, startMailServer } from '../support/smtp'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const MISMATCH = { ok: false, problem: 'mismatch' }
const VOID = { ok: false, problem: 'void' }
const WRONG = '00000000'

let portal: OpenPortal
let server: MailServer
let callers = 0

/** Each from a network of its own, unless told. */
function from(ip = `198.51.${(callers >> 8) % 256}.${callers++ % 256}`) {
  return { ip, userAgent: FIREFOX, locale: 'en' } as const
}

/** With a new token: the clock of the portal moves by days. */
const call = async (method: string, path: string, body?: unknown) =>
  callApi(portal, await machineToken(portal), method, path, body, ANY)

async function set(security: object) {
  expect((await call('PATCH', '/settings', { security })).status).toBe(200)
  await portal.op.latestSnapshot()
}

type User = { id: string; email: string }

async function newUser(more: object = {}): Promise<User> {
  const email = `${unique('mia')}@example.org`
  const body = { name: 'Mia', email, emailVerified: true, ...more }
  const { status, json, raw } = await call('POST', '/users', body)
  expect(status, raw).toBe(201)
  return { id: json.id, email }
}

const ask = (identifier: string, origin = from()) =>
  requestSignInCode(portal.op, { identifier, returnTo: '/account', ...origin })

async function deliverAll() {
  while ((await deliverDue(portal.op)) > 0);
}

/** All mails that the work leads to. */
async function mailsOf(work: () => Promise<unknown>): Promise<ReceivedMail[]> {
  await deliverAll()
  const before = server.received.length
  await work()
  await deliverAll()
  return server.received.slice(before)
}

/** The digits of the mail, and what its link says. */
function codeIn(mail: ReceivedMail | undefined) {
  if (!mail) throw new Error('no mail')
  const link = new URL(linkIn(mail))
  const secret = link.searchParams.get('token') ?? ''
  const opened = openSignInLink(portal.op, secret)
  if (!opened) throw new Error('the link cannot be read')
  const typed = /^ {2}(\d{4} \d{4})\r?$/m.exec(mail.text)?.[1] ?? ''
  expect(typed.replace(' ', '')).toBe(opened.code)
  return { typed, link, opened }
}

async function codeFor(identifier: string) {
  let browser = ''
  const [mail] = await mailsOf(async () => {
    const asked = await ask(identifier)
    if (asked.ok) browser = asked.browser
  })
  const { typed, opened } = codeIn(mail)
  return { browser, code: typed, opened }
}

const enter = (browser: string, code: string, more: object = {}) =>
  signInWithCode(portal.op, { browser, code }, { ...from(), ...more })

async function sessionOf(result: Awaited<ReturnType<typeof enter>>) {
  if (!result.ok || result.step !== 'session') throw new Error(JSON.stringify(result))
  const { secret } = result.started
  const session = await portal.op.sessions.find(portal.op.hashSecret(secret), portal.op.now())
  if (!session) throw new Error('no session')
  return session
}

describe.each(usually('postgres'))('sign-in by mail on %s', (kind) => {
  beforeAll(async () => {
    server = await startMailServer()
    portal = await openPortal({ kind, env: { SMTP_URL: server.url, MAIL_FROM: 'id@example.com' } })
    await set({ mailSignIn: true })
  })
  afterAll(async () => {
    await portal.stop()
    await server.close()
  })

  const eventsOf = async (id: string) =>
    (
      await portal.op.db.auditEntry.findMany({ where: { actorId: id }, orderBy: { seq: 'asc' } })
    ).map(({ event, detail }) => [event, detail])

  describe('for an application', () => {
    const open = (browser: OldBrowser, more = {}) =>
      browser.open(authorizeUrl(webRequest(portal.demo(), { scope: 'openid', ...more })))

    async function signIn(browser: OldBrowser, page: Page, { email }: User): Promise<Page> {
      expect(new URL(page.url).pathname).toBe('/login')
      let next = page
      const [mail] = await mailsOf(async () => {
        next = await browser.submit(page, { identifier: email })
      })
      expect(new URL(next.url).pathname).toBe('/login/code')
      return browser.submit(next, { code: codeIn(mail).typed })
    }
    async function claims(browser: OldBrowser, page: Page) {
      const done = page.url.includes('/consent') ? await browser.submit(page, {}) : page
      const { body } = await exchange(portal, received(done).code ?? '')
      return decodeJwt(JSON.parse(body).id_token)
    }

    test('one factor with a name of its own; prompt=login and max_age ask again, acr_values for more', async () => {
      const mia = await newUser()
      const browser = new OldBrowser(portal.origin)
      const first = await claims(browser, await signIn(browser, await open(browser), mia))
      expect(first).toMatchObject({ sub: mia.id, acr: 'pwd', amr: ['mail'] })
      portal.moveClock(2 * MINUTE_MS)
      const silent = await claims(browser, await open(browser, { prompt: 'none' }))
      expect(silent.auth_time).toBe(first.auth_time)
      for (const more of [{ prompt: 'login' }, { max_age: '60' }]) {
        portal.moveClock(2 * MINUTE_MS)
        const again = await claims(browser, await signIn(browser, await open(browser, more), mia))
        expect(again.auth_time).toBeGreaterThan(Number(first.auth_time) + 60)
        expect(again.sid).toBe(first.sid)
      }
      const app = await enrolApp(portal, mia)
      const asked = await open(browser, { acr_values: 'mfa' })
      expect(new URL(asked.url).pathname).toBe('/second-factor')
      const proven = await claims(browser, await browser.submit(asked, { code: app.next() }))
      expect(proven).toMatchObject({ acr: 'mfa', amr: ['mail', 'otp', 'mfa'] })
      await portal.op.flush()
      expect(await eventsOf(mia.id)).toContainEqual(['login.succeeded', { method: 'mail' }])
    })
  })

  test('the mail says who asked, from where, and what the code is for; the user name finds it too', async () => {
    const username = unique('mia')
    const { email } = await newUser({ username })
    const [mail] = await mailsOf(() => ask(` ${username.toUpperCase()}`.trim(), from('192.0.2.44')))
    expect(mail).toMatchObject({ to: [email], subject: 'Your sign-in code' })
    expect(mail?.text).toContain('Device: Firefox on Linux')
    expect(mail?.text).toContain('IP address: 192.0.2.44')
    const { link } = codeIn(mail)
    expect([link.origin, link.pathname]).toEqual([portal.origin, '/login/code'])
    expect(link.searchParams.get('returnTo')).toBe('/account')
    const [requested] = await portal.op.db.auditEntry.findMany({
      where: { event: 'login.code_requested', ip: '192.0.2.44' },
    })
    expect(requested).toMatchObject({ result: 'success', actorId: null })
  })

  test('K1: an unknown, an unverified and a disabled user get the same answer, and no mail', async () => {
    const unverified = await newUser({ emailVerified: false })
    const disabled = await newUser({ enabled: false })
    const known = await newUser()
    for (const name of ['nobody@example.org', unverified.email, disabled.email, 'a\u0000b']) {
      const browsers: string[] = []
      const mails = await mailsOf(async () => {
        const asked = await ask(name)
        expect(asked).toEqual({ ok: true, browser: expect.stringMatching(/^ghbr_/) })
        if (asked.ok) browsers.push(asked.browser)
      })
      expect(mails).toEqual([])
      for (const browser of browsers) expect(await enter(browser, WRONG)).toEqual(MISMATCH)
    }
    const { browser } = await codeFor(known.email)
    expect(await enter(browser, WRONG)).toEqual(MISMATCH)
  })

  test('K2: of four that send one code at the same moment one gets in, and never again', async () => {
    const { id, email } = await newUser()
    const { browser, code } = await codeFor(email)
    const results = await Promise.all([1, 2, 3, 4].map(() => enter(browser, code)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(results.filter(({ ok }) => !ok)).toEqual(Array(3).fill(MISMATCH))
    expect(await enter(browser, code)).toEqual(MISMATCH)
    expect(await portal.op.db.session.count({ where: { userId: id } })).toBe(1)
  })

  test('K3: a code or link of another browser signs nobody in, and stays good where it was asked for', async () => {
    const mia = await newUser()
    const { browser, code, opened } = await codeFor(mia.email)
    const [other] = [await ask(mia.email)].flatMap((asked) => (asked.ok ? [asked.browser] : []))
    for (const foreign of [other ?? '', 'ghbr_unknown', '']) {
      expect(isAsker(portal.op, foreign, opened)).toBe(false)
      expect(await enter(foreign, code)).toEqual(MISMATCH)
    }
    expect(isAsker(portal.op, browser, opened)).toBe(true)
    const session = await sessionOf(await enter(browser, code))
    expect(session.user.id).toBe(mia.id)
  })

  test('K4: to look at the link spends nothing; a link that the portal did not make is closed', async () => {
    const { browser, code, opened } = await codeFor((await newUser()).email)
    for (let look = 0; look < 3; look += 1) expect(await isCodeOpen(portal.op, opened)).toBe(true)
    expect((await enter(browser, code)).ok).toBe(true)
    expect(await isCodeOpen(portal.op, opened)).toBe(false)
    for (const forged of ['', 'x', Buffer.from('{"code":"12345678"}').toString('base64url')]) {
      expect(openSignInLink(portal.op, forged)).toBeNull()
    }
  })

  describe('K5: a code is worth nothing any more', () => {
    const moved = (id: string) => call('PATCH', `/users/${id}`, { email: `${id}@example.org` })
    const cases: [string, (user: User) => Promise<unknown>][] = [
      ['after ten minutes', async () => portal.moveClock(10 * MINUTE_MS)],
      ['after the address changed', ({ id }) => moved(id)],
      [
        'after the address changed, also when the new one is verified',
        ({ id }) =>
          call('PATCH', `/users/${id}`, { email: `${id}@example.net`, emailVerified: true }),
      ],
      [
        'when the address is not verified any more',
        ({ id }) => call('PATCH', `/users/${id}`, { emailVerified: false }),
      ],
      [
        'after the user was disabled',
        ({ id }) => call('PATCH', `/users/${id}`, { enabled: false }),
      ],
      ['after the user was deleted', ({ id }) => call('DELETE', `/users/${id}`)],
      [
        'after an admin signed the user out everywhere',
        ({ id }) => call('DELETE', `/users/${id}/sessions`),
      ],
      ['after a password reset', reset],
      ['after the setting was turned off', () => set({ mailSignIn: false })],
    ]

    async function reset({ email }: User): Promise<void> {
      const { op } = portal
      const [mail] = await mailsOf(() => op.write((tx) => requestResetFor(op, tx, email, 'en')))
      if (!mail) throw new Error('no mail')
      const secret = new URL(linkIn(mail)).searchParams.get('token') ?? ''
      const password = 'seven quiet herons by the weir'
      expect(await resetPassword(op, { token: secret, password, ...from() })).toEqual({ ok: true })
    }

    test.each(cases)('%s', async (_when, change) => {
      const user = await newUser()
      const { browser, code } = await codeFor(user.email)
      await change(user)
      const refused = await enter(browser, code)
      await set({ mailSignIn: true })
      expect(refused.ok).toBe(false)
      expect(await portal.op.db.session.count({ where: { userId: user.id } })).toBe(0)
    })

    test('after the user changed the password', async () => {
      const user = await newUser()
      await reset(user)
      const { browser, code } = await codeFor(user.email)
      const other = await codeFor(user.email)
      const session = await sessionOf(await enter(other.browser, other.code))
      const typed = {
        current: 'seven quiet herons by the weir',
        next: 'nine loud geese on the roof',
      }
      expect(await changePassword(portal.op, session, typed, from())).toMatchObject({ ok: true })
      expect(await enter(browser, code)).toEqual(MISMATCH)
    })
  })

  describe('K6: guessing', () => {
    test('five tries, and then not even the right code, for as long as it would have lived', async () => {
      const { browser, code } = await codeFor((await newUser()).email)
      for (let guess = 0; guess < 5; guess += 1) {
        expect(await enter(browser, `1111111${guess}`)).toEqual(MISMATCH)
      }
      for (const minutes of [0, 4, 4]) {
        portal.moveClock(minutes * MINUTE_MS)
        expect(await enter(browser, code)).toEqual(VOID)
      }
    })

    test('tries at the same moment count too; another browser is not concerned', async () => {
      const { email } = await newUser()
      const { browser } = await codeFor(email)
      const guesses = await Promise.all(
        Array.from({ length: 12 }, (_, at) => enter(browser, `222222${10 + at}`)),
      )
      expect(guesses.filter((one) => !one.ok && one.problem === 'mismatch')).toHaveLength(5)
      const own = await codeFor(email)
      expect((await enter(own.browser, own.code)).ok).toBe(true)
    })

    test('of one network at many codes: it has to wait', async () => {
      const { browser } = await codeFor((await newUser()).email)
      const here = from('203.0.113.66')
      const guess = () => signInWithCode(portal.op, { browser, code: WRONG }, here)
      for (let at = 0; at < 100; at += 1) await guess()
      expect(await guess()).toMatchObject({ problem: 'slow_down' })
    })
  })

  describe('K7: mails that nobody wants', () => {
    test('three for a name and twenty from a network in a quarter of an hour, known or not', async () => {
      const { email } = await newUser()
      for (const name of [email, 'outsider@example.org']) {
        for (let at = 0; at < 3; at += 1) expect((await ask(name)).ok).toBe(true)
        expect(await ask(name)).toMatchObject({ ok: false, problem: 'slow_down' })
      }
      const here = from('203.0.113.67')
      for (let at = 0; at < 20; at += 1) expect((await ask(`n${at}`, here)).ok).toBe(true)
      expect(await ask('n20', here)).toMatchObject({ ok: false, problem: 'slow_down' })
    })

    test('twenty for an account in a day, whatever name is typed', async () => {
      const username = unique('mia')
      const { email } = await newUser({ username })
      const mails = await mailsOf(async () => {
        for (let round = 0; round < 5; round += 1) {
          for (const name of [email, username]) {
            for (let at = 0; at < 3; at += 1) expect((await ask(name)).ok).toBe(true)
          }
          await deliverAll()
          portal.moveClock(16 * MINUTE_MS)
        }
      })
      expect(mails).toHaveLength(20)
      portal.moveClock(DAY_MS)
      expect(await mailsOf(() => ask(email))).toHaveLength(1)
    })
  })

  describe('K8: a mail is one factor', () => {
    test('whoever has a second factor is asked for it, and nothing is open before', async () => {
      const mia = await newUser()
      const app = await enrolApp(portal, mia)
      const { browser, code } = await codeFor(mia.email)
      const first = await enter(browser, code)
      if (!first.ok || first.step !== 'second_factor') throw new Error('no second factor')
      expect(await portal.op.db.session.count({ where: { userId: mia.id } })).toBe(0)
      expect(await enter(browser, code)).toEqual(MISMATCH)
      const typed = { code: app.next(), recovery: '', passkey: '' }
      const proof = await factorProof(portal.op, mia.id, typed, from())
      if (!proof) throw new Error('nothing was typed')
      const answer = { proof, trust: false }
      const done = await finishSignIn(portal.op, first.waiting, mia.id, answer, from())
      expect(done).toMatchObject({ ok: true, deviceToken: null })
    })

    test('an admin who signed in with it alone still owes a second factor, and has confirmed nothing', async () => {
      await set({ adminSecondFactor: true })
      const owner = { email: portal.demo().admin.email }
      const { browser, code } = await codeFor(owner.email)
      const session = await sessionOf(await enter(browser, code))
      expect(await lacksAdminFactor(portal.op, session.user, session.acr)).toBe(true)
      expect(session.provenAt).not.toBeNull()
      expect(hasJustSignedIn(session, portal.op.now(), 10)).toBe(false)
      const withPassword = { ...session, amr: ['pwd'] }
      expect(hasJustSignedIn(withPassword, portal.op.now(), 10)).toBe(true)
      await set({ adminSecondFactor: false })
    })
  })

  test('without mail it is not offered, and the health check says so', async () => {
    const away = { SMTP_URL: '', MAIL_FROM: '', GATEHOUSE_MODE: 'production' }
    const second = await openSecond(portal, { ...away, ISSUER: 'https://id.example.com' })
    const asked = { identifier: 'x', returnTo: '/', ...from() }
    expect(await requestSignInCode(second.op, asked)).toEqual({ ok: false, problem: 'off' })
    const { json } = await callApi(second, await machineToken(second), 'GET', '/health')
    const codes = json.data.map(({ code }: { code: string }) => code)
    expect(codes).toEqual(expect.arrayContaining(['mail_off', 'mail_sign_in_off']))
    await second.stop()
  })

  test('it is off until an admin turns it on', async () => {
    await set({ mailSignIn: false })
    expect(await ask((await newUser()).email)).toEqual({ ok: false, problem: 'off' })
    await set({ mailSignIn: true })
  })
})
