import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../lib/accounts/passwords'
import type { Op } from '../../lib/context/op'
import { createOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import type { Database } from '../../lib/store/database'
import { type AdminRole, createUser } from '../../lib/store/users'
import { ADMIN_SCOPES, type Call, caller, machineToken, sessionOf } from '../support/api'
import { ask } from '../support/ask'
import { freshDatabase, KINDS } from '../support/databases'
import { authorizeUrl, webRequest } from '../support/flow'
import { formOf, OldBrowser, type Page } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'
import { linkIn, type MailServer, startMailServer } from '../support/smtp'

/** docs/attacks.md, M21, M25, M28 and M31: addresses, invitations, deletion and one's own data. */

const PASSWORD = 'correct horse battery staple'
const NEXT = 'seven quiet herons by the weir'
const DAY_MS = 24 * 60 * 60 * 1000

type Login = { id: string; email: string; password: string }

describe.each(KINDS)('accounts on %s', (kind) => {
  let server: MailServer
  let portal: Portal
  let house: Op & { db: Database }
  let passwordHash = ''
  let api: Call

  beforeAll(async () => {
    server = await startMailServer()
    const DATABASE_URL = await freshDatabase[kind]()
    const mail = { SMTP_URL: server.url, MAIL_FROM: 'id@example.com' }
    portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL, ...mail } })
    house = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
    passwordHash = await hashPassword(PASSWORD)
    api = caller(portal, await machineToken(portal))
  })

  afterAll(async () => {
    await house.close()
    await portal.stop()
    await server.close()
  })

  async function newPerson(adminRole: AdminRole | null = null): Promise<Login> {
    const email = `${crypto.randomUUID()}@example.org`
    const person = { name: 'Ann', email, emailVerified: true, adminRole, passwordHash }
    const id = await house.changePolicy((tx) => createUser(tx, person, house.now()))
    return { id, email, password: PASSWORD }
  }

  const browser = () => new OldBrowser(portal.origin)
  const rowOf = ({ id }: { id: string }) => house.db.user.findUnique({ where: { id } })
  const pathOf = ({ url }: Page) => new URL(url).pathname

  async function signedIn(login: Login): Promise<OldBrowser> {
    const person = browser()
    await person.signIn(await person.open('/login'), login)
    return person
  }

  /** Opens a page that wants to know again who it is. */
  async function confirmed(person: OldBrowser, path: string): Promise<Page> {
    const question = await person.open(path)
    if (pathOf(question) !== '/account/confirm') return question
    return person.submit(question, { password: PASSWORD })
  }

  async function send(page: Page, typed: Record<string, string>, cookie = '') {
    const { action, inputs } = formOf(page)
    const body = new FormData()
    for (const [name, value] of [...inputs, ...Object.entries(typed)]) body.append(name, value)
    const headers = { cookie, origin: portal.origin, 'sec-fetch-site': 'same-origin' }
    const answer = await fetch(action, { method: 'POST', body, headers, redirect: 'manual' })
    return { location: answer.headers.get('location'), html: await answer.text() }
  }

  const tokenHashOf = (link: string) =>
    house.hashSecret(new URL(link).searchParams.get('token') ?? '')

  describe('another address', () => {
    async function changeLink(person: OldBrowser, email: string): Promise<string> {
      const page = await confirmed(person, '/account/email')
      const before = server.received.length
      const sent = await person.submit(page, { email })
      expect(sent.url).toContain('done=emailSent')
      return linkIn(await server.lastTo(email, before))
    }

    test('M25: counts once the link sent there is used, once; both addresses hear of it', async () => {
      const login = await newPerson()
      const person = await signedIn(login)
      const next = `next-${login.email}`
      const link = await changeLink(person, next)
      expect(new URL(link).origin).toBe(portal.origin)
      for (let look = 0; look < 3; look += 1) {
        expect((await browser().open(link)).html).toContain(next)
      }
      expect((await rowOf(login))?.email).toBe(login.email)
      const before = server.received.length
      const page = await person.open(link)
      const cookie = person.cookieHeader()
      const answers = await Promise.all(Array.from({ length: 10 }, () => send(page, {}, cookie)))
      expect(answers.map(({ location }) => location).sort()).toEqual([
        ...Array(9).fill('/email'),
        '/email/done',
      ])
      expect(await rowOf(login)).toMatchObject({ email: next, emailKey: next, emailVerified: true })
      expect((await server.lastTo(next, before)).subject).toBe('Your account has this address now')
      const old = await server.lastTo(login.email, before)
      expect(old.subject).toBe('Your account has another address now')
      expect(old.text).not.toMatch(/https?:/)
      expect((await browser().open(link)).html).toContain('doesn’t work any more')
      const again = await signedIn({ ...login, email: next })
      expect(again.cookies.has('gatehouse.session')).toBe(true)
    })

    test('M25: an expired link, one of another purpose, and one from before a new password are closed', async () => {
      const login = await newPerson()
      const person = await signedIn(login)
      const links = [
        await changeLink(person, `a-${login.email}`),
        await changeLink(person, `b-${login.email}`),
        await changeLink(person, `c-${login.email}`),
      ]
      const [expired = '', other = '', late = ''] = links
      const change = (link: string, data: object) =>
        house.db.oneTimeLink.update({ where: { tokenHash: tokenHashOf(link) }, data })
      const pages = await Promise.all(links.map((link) => person.open(link)))
      await change(expired, { expiresAt: new Date(Date.now() - 1) })
      await change(other, { purpose: 'verify' })
      const form = await person.open('/account/security/password')
      await person.submit(form, { current: PASSWORD, next: NEXT })
      const cookie = person.cookieHeader()
      for (const page of pages) expect((await send(page, {}, cookie)).location).toBe('/email')
      expect((await browser().open(late)).html).toContain('doesn’t work any more')
      expect((await rowOf(login))?.email).toBe(login.email)
    })

    test('M1: one that is taken gets the same answer, its owner hears of it, nothing changes', async () => {
      const [login, owner] = [await newPerson(), await newPerson()]
      const person = await signedIn(login)
      const page = await confirmed(person, '/account/email')
      const before = server.received.length
      const sent = await person.submit(page, { email: owner.email.toUpperCase() })
      expect(sent.url).toContain('done=emailSent')
      const letter = await server.lastTo(owner.email, before)
      expect(letter.subject).toBe('You already have an account')
      expect((await rowOf(login))?.email).toBe(login.email)
    })

    test('one that somebody took meanwhile stays theirs', async () => {
      const login = await newPerson()
      const email = `wanted-${login.email}`
      const person = await signedIn(login)
      const link = await changeLink(person, email)
      const quick = await newPerson()
      const data = { email, emailKey: email }
      await house.db.user.update({ where: { id: quick.id }, data })
      const answer = await send(await person.open(link), {}, person.cookieHeader())
      expect(answer.location).toBe('/email')
      expect((await rowOf(login))?.email).toBe(login.email)
    })

    test('M26: what is no address, and one’s own, is refused; M2: the fourth time waits', async () => {
      const login = await newPerson()
      const person = await signedIn(login)
      const page = await confirmed(person, '/account/email')
      for (const email of ['', 'a@x.org,b@y.org', 'a@x.org\nBcc: b@y.org', login.email]) {
        const { location, html } = await send(page, { email }, person.cookieHeader())
        expect(location).toBeNull()
        expect(html).toContain('aria-invalid="true"')
      }
      for (let time = 0; time < 3; time += 1) await changeLink(person, `x${time}-${login.email}`)
      const slowed = await person.submit(page, { email: `late-${login.email}` })
      expect(slowed.html).toMatch(/Please wait \d+ minutes/)
    })
  })

  test('M31: nobody makes themselves verified, an admin or somebody else', async () => {
    const login = await newPerson()
    await house.db.user.update({ where: { id: login.id }, data: { emailVerified: false } })
    const before = await rowOf(login)
    const person = await signedIn(login)
    const page = await person.open('/account')
    const forged = {
      ...{ id: 'usr_x', email: 'x@x.org', emailVerified: 'true', email_verified: 'true' },
      ...{ adminRole: 'owner', username: 'admin', picture: 'https://x.org', deleteAfter: '2000' },
      ...{ attributes: '{"admin":true}', phone_number_verified: 'true', sub: 'usr_x' },
    }
    const saved = await person.submit(page, { name: 'Ann Again', ...forged })
    expect(saved.url).toContain('done=profile')
    const after = await rowOf(login)
    expect(after).toMatchObject({
      ...before,
      name: 'Ann Again',
      updatedAt: after?.updatedAt,
      version: (before?.version ?? 0) + 1,
    })
    expect((await person.open('/account')).html).toContain('href="/verify?returnTo=%2Faccount"')
  })

  describe('deleting one’s account', () => {
    test('asks twice, ends everything, and offers nothing but to stay', async () => {
      const login = await newPerson()
      const person = await signedIn(login)
      const page = await confirmed(person, '/account/delete')
      const wrong = await person.submit(page, { typed: 'somebody@else.example' })
      expect(wrong.html).toContain('aria-invalid="true"')
      const done = await person.submit(page, { typed: login.email })
      expect(pathOf(done)).toBe('/account/delete/done')
      expect(person.cookies.has('gatehouse.session')).toBe(false)

      const back = await signedIn(login)
      const pages = ['/', '/login', '/account', '/account/security', '/account/data/download']
      for (const path of pages) {
        const seen = await back.open(path)
        expect(pathOf(seen)).toBe('/account/keep')
        expect(seen.html).not.toContain(login.email)
      }
      const atApp = await back.open(authorizeUrl(webRequest(portal.demo())))
      expect(pathOf(atApp)).toBe('/account/keep')
      const headers = { cookie: back.cookieHeader(), 'x-gatehouse-request': '1' }
      expect((await ask(portal.origin, { path: '/api/v1/users', headers })).status).toBe(401)

      const kept = await back.submit(await back.open('/account/keep'), {})
      expect(kept.url).toContain('/account?done=kept')
      expect((await rowOf(login))?.deleteAfter).toBeNull()
      expect(pathOf(await back.open('/account/security'))).toBe('/account/security')
    })

    test('M21: without a session, or without having confirmed it, nothing happens', async () => {
      const login = await newPerson()
      const person = await signedIn(login)
      const page = await confirmed(person, '/account/delete')
      expect((await send(page, { typed: login.email })).location).toMatch(/^\/login\?/)
      const other = await signedIn(login)
      const unconfirmed = await send(page, { typed: login.email }, other.cookieHeader())
      expect(unconfirmed.location).toMatch(/^\/account\/confirm\?/)
      expect((await rowOf(login))?.deleteAfter).toBeNull()
    })
  })

  test('one’s own data: a file, for whoever has just said who they are', async () => {
    const login = await newPerson()
    const person = await signedIn(login)
    const question = await person.open('/account/data/download')
    expect(pathOf(question)).toBe('/account/confirm')
    const file = await person.submit(question, { password: PASSWORD })
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="gatehouse-my-data.json"',
      'cache-control': 'no-store',
    })
    expect(JSON.parse(file.html).profile).toMatchObject({ id: login.id, email: login.email })
  })

  describe('an invitation', () => {
    async function invitee(more: object = {}): Promise<{ id: string; email: string }> {
      const email = `${crypto.randomUUID()}@example.org`
      const { status, json } = await api('POST', '/users', { name: 'Ivo', email, ...more })
      expect(status).toBe(201)
      return { id: json.id, email }
    }

    const inviteBy = (call: Call, id: string, body: object = {}) =>
      call('POST', `/users/${id}/invitation`, body)

    test('M25: leads to a password of their own, by mail; looking spends nothing, and it works once', async () => {
      const { id, email } = await invitee()
      const before = server.received.length
      const answer = await inviteBy(api, id, { locale: 'zh-Hans' })
      expect([answer.status, answer.json.link]).toEqual([201, null])
      const week = new Date(answer.json.expiresAt).getTime() - Date.now()
      expect(Math.round(week / DAY_MS)).toBe(7)
      const letter = await server.lastTo(email, before)
      expect(letter.subject).toBe('邀请您加入')
      const link = linkIn(letter)
      const stored = await house.db.oneTimeLink.findFirstOrThrow({ where: { userId: id } })
      expect(stored).toMatchObject({ tokenHash: tokenHashOf(link), purpose: 'invite', email })
      for (let look = 0; look < 3; look += 1) {
        expect((await browser().open(link)).html).toContain(email)
      }
      const page = await browser().open(link)
      for (const password of ['', 'short', 'x'.repeat(1025), '1qaz2wsx3edc4rfv']) {
        expect((await send(page, { password })).location).toBeNull()
      }
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => send(page, { password: `${PASSWORD} ${i}` })),
      )
      const winners = answers.flatMap(({ location }, i) => (location ? [i] : []))
      expect(winners).toHaveLength(1)
      expect(await rowOf({ id })).toMatchObject({ emailVerified: true })
      const person = await signedIn({ id, email, password: `${PASSWORD} ${winners[0]}` })
      expect(person.cookies.has('gatehouse.session')).toBe(true)
      expect((await browser().open(link)).html).toContain('doesn’t work any more')
      expect((await send(page, { password: NEXT })).location).toBeNull()
      expect((await inviteBy(api, id)).status).toBe(409)
    })

    test('is also answered, once, to whoever asks for it; of two links one opens the account', async () => {
      const { id, email } = await invitee()
      const before = server.received.length
      const { json } = await inviteBy(api, id, { returnLink: true })
      const mailed = linkIn(await server.lastTo(email, before))
      expect(json.link).toMatch(new RegExp(`^${portal.origin}/invite\\?token=ghlk_`))
      expect(json.link).not.toBe(mailed)
      const pages = [await browser().open(json.link), await browser().open(mailed)]
      const answers = await Promise.all(pages.map((page) => send(page, { password: NEXT })))
      expect(answers.map(({ location }) => location).sort()).toEqual(['/invite/done', null])
      const log = await house.db.auditEntry.findMany({ where: { targetId: id } })
      expect(log.map(({ event }) => event)).toEqual(
        expect.arrayContaining(['user.created', 'user.invited', 'invitation.accepted']),
      )
      expect(JSON.stringify(log.map(({ detail }) => detail))).not.toContain('ghlk_')
    })

    test('M25: is closed when it has expired, when a newer one was sent, when the address is another, and for a disabled user', async () => {
      const linkFor = async (id: string) => {
        const { json } = await inviteBy(api, id, { returnLink: true })
        return { link: json.link as string, page: await browser().open(json.link) }
      }
      const isClosed = async ({ link, page }: Awaited<ReturnType<typeof linkFor>>) => {
        expect((await send(page, { password: NEXT })).location).toBeNull()
        return (
          (await house.db.passwordCredential.count({
            where: { user: { links: { some: { tokenHash: tokenHashOf(link) } } } },
          })) === 0
        )
      }
      const expired = await linkFor((await invitee()).id)
      await house.db.oneTimeLink.update({
        where: { tokenHash: tokenHashOf(expired.link) },
        data: { expiresAt: new Date(Date.now() - 1) },
      })
      expect(await isClosed(expired)).toBe(true)

      const twice = await invitee()
      const older = await linkFor(twice.id)
      await linkFor(twice.id)
      expect(await isClosed(older)).toBe(true)

      const moved = await invitee()
      const elsewhere = await linkFor(moved.id)
      const email = `moved-${moved.email}`
      await house.db.user.update({ where: { id: moved.id }, data: { email, emailKey: email } })
      expect(await isClosed(elsewhere)).toBe(true)

      const off = await invitee()
      const late = await linkFor(off.id)
      await house.db.user.update({ where: { id: off.id }, data: { disabledAt: new Date() } })
      expect(await isClosed(late)).toBe(true)
      expect((await inviteBy(api, off.id)).status).toBe(409)
    })

    test('N1, N5: is for callers who may change users, and for nobody above them', async () => {
      const { id } = await invitee()
      const reader = caller(portal, await machineToken(portal, 'users:read'))
      expect((await inviteBy(reader, id)).status).toBe(403)
      expect((await inviteBy(caller(portal, null), id)).status).toBe(401)
      expect((await inviteBy(api, 'usr_nobody')).status).toBe(404)
      expect((await inviteBy(api, id, { link: 'x' })).status).toBe(400)
      expect(
        (await inviteBy(api, (await invitee({ email: null, username: `u${Date.now()}` })).id))
          .status,
      ).toBe(409)
      const owner = await invitee()
      await house.db.user.update({ where: { id: owner.id }, data: { adminRole: 'owner' } })
      const admin = caller(portal, await machineToken(portal, ADMIN_SCOPES))
      expect((await inviteBy(admin, owner.id, { returnLink: true })).status).toBe(403)
    })
  })

  test('where mail is sent, nobody reads it here', async () => {
    const { status, json } = await api('GET', '/outbox')
    expect([status, json.detail]).toEqual([
      403,
      'mail is read here in development only, and without a mail server',
    ])
  })
})

describe('the outbox without a mail server', () => {
  let portal: Portal

  beforeAll(async () => {
    portal = await startPortal({ args: ['--demo'] })
  })
  afterAll(async () => {
    await portal.stop()
  })

  test('shows what was written to callers with the scope for it, and to no auditor', async () => {
    const api = caller(portal, await machineToken(portal))
    const email = 'ivo@example.org'
    const { json: user } = await api('POST', '/users', { name: 'Ivo', email })
    await api('POST', `/users/${user.id}/invitation`, {})
    const written = async () => (await api('GET', '/outbox?limit=1')).json.data[0]
    await expect.poll(async () => (await written())?.to, { timeout: 10_000 }).toBe(email)
    const { subject, text } = await written()
    expect(subject).toBe('You are invited')
    expect(text).toContain(`${portal.origin}/invite?token=ghlk_`)
    const narrow = caller(portal, await machineToken(portal, 'users:read audit:read'))
    expect((await narrow('GET', '/outbox')).status).toBe(403)
    expect((await caller(portal, null)('GET', '/outbox')).status).toBe(401)

    const admin = await sessionOf(portal, portal.demo().admin)
    const asAdmin = await ask(portal.origin, { path: '/api/v1/outbox', headers: admin })
    expect(asAdmin.status).toBe(200)
    const house = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
    const passwordHash = await hashPassword(PASSWORD)
    const auditor = { name: 'Audrey', email: 'audrey@example.org', emailVerified: true }
    await house.changePolicy((tx) =>
      createUser(tx, { ...auditor, adminRole: 'auditor', passwordHash }, house.now()),
    )
    await house.close()
    const headers = await sessionOf(portal, { email: auditor.email, password: PASSWORD })
    expect((await ask(portal.origin, { path: '/api/v1/outbox', headers })).status).toBe(403)
  })

  test('is closed in production', async () => {
    const env = { ISSUER: 'https://id.example.com', DATA_DIR: portal.dataDir }
    const real = await startPortal({ env })
    const headers = { host: 'id.example.com' }
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers }
    const { client_id, client_secret } = portal.demo().machine
    const fields = { grant_type: 'client_credentials', client_id, client_secret }
    const body = new URLSearchParams({ ...fields, scope: 'outbox:read' }).toString()
    const token = await ask(real.origin, {
      method: 'POST',
      path: '/oidc/token',
      headers: form,
      body,
    })
    const authorization = `Bearer ${JSON.parse(token.body).access_token}`
    const answer = await ask(real.origin, {
      path: '/api/v1/outbox',
      headers: { ...headers, authorization },
    })
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([403, 'forbidden'])
    await real.stop()
  })
})
