import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordLapsed } from '../../lib/accounts/impersonation'
import { endEverySession } from '../../lib/accounts/own-sessions'
import { heldSessions } from '../../lib/accounts/session-cookie'
import { signedInCaller, userScopes } from '../../lib/api/http/caller'
import { clientFor } from '../../lib/api/http/client'
import { isProblem } from '../../lib/api/http/problem'
import { mayGoOn, obstacleFor, startImpersonation } from '../../lib/api/users/impersonations'
import { emptyOutbox } from '../../lib/delivery/deliver'
import {
  ANY,
  callAs,
  loginOf,
  machineWith,
  made,
  ok,
  type Person,
  people,
  WANTED,
  worldIn,
} from '../support/access-requests'
import { type Call, callApi, caller, machineToken } from '../support/api'
import { ask, type Fields } from '../support/ask'
import { usually } from '../support/databases'
import { type App, enrolApp } from '../support/enrol'
import { authorizeUrl, webRequest } from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import { OldBrowser } from '../support/old-browser'
import { type MailServer, startMailServer } from '../support/smtp'

/** An admin in the account of a user: by the operation that the page performs, and by its cookie. */

const NAMES = ['adam', 'bea', 'carl', 'dan', 'eva', 'fred', 'gus'] as const
type Name = (typeof NAMES)[number]
type Settings = { impersonation?: string; impersonators?: string }

describe.each(usually('sqlite'))('impersonation on %s', (kind) => {
  let portal: OpenPortal
  let mails: MailServer
  let who: Record<Name, Person>
  /** Holds every scope of an owner. */
  let api: Call
  let adam: Fields
  let owner: Fields

  beforeAll(async () => {
    mails = await startMailServer()
    portal = await openPortal({
      kind,
      env: { SMTP_URL: mails.url, MAIL_FROM: 'Example ID <id@example.com>' },
    })
    who = await people(portal, NAMES)
    const emergency = {
      people: [{ type: 'user', id: who.eva.id }],
      seconds: 1800,
      reviewSeconds: 86_400,
      reviewers: [{ type: 'user', id: who.dan.id }],
    }
    const askers = `user.id == "${who.eva.id}"`
    await worldIn(portal, [who.dan, who.fred], { askers, emergency })
    api = caller(portal, await machineToken(portal))
    ok(await api('PATCH', `/users/${who.adam.id}`, { adminRole: 'admin' }, ANY))
    ok(await api('PATCH', `/users/${who.gus.id}`, { adminRole: 'auditor' }, ANY))
    adam = await provedAs('adam')
    owner = await proved(portal.demo().admin, 'usr_demo_admin')
    await set({ impersonation: 'full', impersonators: 'admins' })
  })
  afterAll(async () => {
    await portal.stop()
    await mails.close()
  })

  const set = async (security: Settings) => ok(await api('PATCH', '/settings', { security }, ANY))
  const op = () => portal.op
  const sessionIn = (headers: Fields) => op().sessionOf({ headers: new Headers(headers) })
  async function later(minutes: number): Promise<void> {
    portal.moveClock(minutes * 60_000)
    api = caller(portal, await machineToken(portal))
  }
  const apps = new Map<string, App>()
  const provedAs = (name: Name) => proved(loginOf(name), who[name].id)

  /** Signs in with an authenticator app, which counts as just used. */
  async function proved(login: { email: string; password: string }, id: string): Promise<Fields> {
    const browser = new OldBrowser(portal.origin)
    const page = await browser.signIn(await browser.open('/login'), login)
    const app = apps.get(id) ?? (await enrolApp(portal, { id, email: login.email }))
    apps.set(id, app)
    const isAsked = page.url.includes('/second-factor')
    const asked = isAsked ? page : await browser.open('/second-factor?raise=yes')
    await browser.submit(asked, { code: app.next() })
    return { cookie: browser.cookieHeader(), ...ownPage() }
  }
  const ownPage = () => ({ origin: portal.origin, 'x-gatehouse-request': '1' })

  type Asked = { reason?: string; mode?: string; by?: Fields }

  /** As the page of the user does it: the cookie of the browser in the account. */
  async function open(
    name: string,
    { reason = 'Ticket 4711', mode = 'read_only', by = adam }: Asked = {},
  ): Promise<Fields> {
    const session = await sessionIn(by)
    if (!session) throw new Error('nobody is signed in')
    const incoming = {
      method: 'GET',
      url: '',
      headers: new Headers(),
      ip: '192.0.2.7',
      requestId: 'req',
      body: async () => new Uint8Array(),
    }
    const call = clientFor(op(), signedInCaller(session), incoming)
    const params = { user: name in who ? who[name as Name].id : name }
    const { body } = await call(startImpersonation, { params, body: { reason, mode } })
    const { active } = await op().heldBy({ headers: new Headers(by) })
    const held = { active: body.secret, others: active === null ? [] : [active] }
    const cookie = (await heldSessions(op(), held, 3600)).split(';')[0] ?? ''
    return { cookie, ...ownPage() }
  }

  /** What was refused: the status of the problem, its reason and what is missing. */
  async function refused(opening: Promise<unknown>): Promise<unknown[]> {
    const problem = await opening.then(
      () => null,
      (error) => error,
    )
    if (!isProblem(problem)) throw problem ?? new Error('it was not refused')
    const { code, reason, options } = problem
    return [code, reason?.code, options.members?.missing].filter((one) => one !== undefined)
  }
  const isOpen = async (headers: Fields) => {
    const session = await sessionIn(headers)
    if (!session?.impersonation) return false
    return mayGoOn(op(), { ...session, impersonation: session.impersonation })
  }
  const running = async () => ok(await api('GET', '/impersonations')).data

  test('opens the account of the user, who holds nothing more by it, and ends once', async () => {
    const inside = await open('bea')
    const session = await sessionIn(inside)
    expect(session).toMatchObject({
      user: { id: who.bea.id, adminRole: null },
      acr: 'pwd',
      factorAt: null,
      confirmedAt: null,
      impersonation: { mode: 'read_only', admin: { id: who.adam.id } },
    })
    // No other account of this browser acts meanwhile.
    expect(await op().otherSessionsOf({ headers: new Headers(inside) })).toEqual([])
    const [one, ...more] = await running()
    expect([one.user.id, one.admin.id, one.reason, more]).toEqual([
      who.bea.id,
      who.adam.id,
      'Ticket 4711',
      [],
    ])
    ok(await api('DELETE', `/impersonations/${one.id}`))
    expect((await api('DELETE', `/impersonations/${one.id}`)).status).toBe(404)
    expect(await sessionIn(inside)).toBeNull()
  })

  test('Q240: nobody opens the account of an owner, their own, or of somebody above them', async () => {
    const own = (name: string, asked?: Asked) => refused(open(name, asked))
    expect(await own('usr_demo_admin')).toEqual(['forbidden', 'impersonation_owner'])
    expect(await own('adam')).toEqual(['conflict', 'own_account'])
    const gus = await provedAs('gus')
    expect(await own('bea', { by: gus })).toEqual(['forbidden', 'impersonation_not_yours'])
    expect(await own('usr_nobody')).toEqual(['not_found', 'no_user'])

    ok(await api('PATCH', `/users/${who.carl.id}`, { enabled: false }, ANY))
    expect(await own('carl')).toEqual(['conflict', 'impersonation_inactive'])
    ok(await api('PATCH', `/users/${who.carl.id}`, { enabled: true }, ANY))
    const eva = callAs(portal, await provedAs('eva'))
    const wanted = { scope: WANTED, reason: 'The books are open', emergency: true }
    const opened = await made(eva, '/access-requests', wanted)
    expect(await own('eva')).toEqual(['conflict', 'impersonation_emergency'])
    expect(await own('eva', { by: owner })).toEqual(['conflict', 'impersonation_emergency'])
    ok(await eva('POST', `/access-requests/${opened.id}/revocation`, {}))
    expect(await running()).toEqual([])
  })

  test('Q240: whoever decides about more than the caller holds is above them', async () => {
    // An admin role governs every API: this one has lost what it takes.
    const session = await sessionIn(adam)
    if (!session) throw new Error('adam is signed out')
    const like = { ...signedInCaller(session), scopes: userScopes('auditor') }
    const obstacle = (name: Name) => obstacleFor(op(), like, who[name].id, 'read_only')
    expect(await obstacle('dan')).toBe('impersonation_above')
    expect(await obstacle('bea')).toBeNull()
  })

  test('Q241: with a reason, a second factor just used, on a page, and as the settings say', async () => {
    expect(await refused(open('bea', { reason: ' ' }))).toEqual(['invalid', 'required'])
    expect(await refused(open('bea', { reason: 'x'.repeat(501) }))).toEqual(['invalid', 'too_long'])
    expect(await refused(open('bea', { mode: 'root' }))).toEqual(['invalid', 'one_of'])
    await later(11)
    expect(await refused(open('bea'))).toEqual(['second_factor_needed'])
    adam = await provedAs('adam')
    await set({ impersonation: 'read_only' })
    expect(await refused(open('bea', { mode: 'full' }))).toEqual(['invalid', 'impersonation_mode'])
    await set({ impersonation: 'off' })
    expect(await refused(open('bea'))).toEqual(['forbidden', 'impersonation_off'])
    await set({ impersonation: 'full' })
    // It is no call of the API: an application with every scope does not open an account.
    const path = `/users/${who.bea.id}/impersonations`
    expect((await api('POST', path, { reason: 'x', mode: 'full' })).status).toBe(404)
    expect(await running()).toEqual([])
  })

  test.each(['read_only', 'full'])(
    'Q242: the cookie calls nothing of the API, in the mode %s',
    async (mode) => {
      const inside = await open('bea', { mode })
      const requests = [
        ['GET', '/users'],
        ['GET', '/requestable-permissions'],
        ['GET', '/impersonations'],
        ['POST', '/access-requests', { scope: WANTED, reason: 'x' }],
        ['PATCH', `/users/${who.bea.id}`, { name: 'Mallory' }],
        ['DELETE', `/users/${who.bea.id}/sessions`],
      ] as const
      for (const [method, path, body] of requests) {
        const { status, json } = await callApi(portal, inside, method, path, body)
        expect([method, path, status, json.detail]).toEqual([
          method,
          path,
          403,
          'You are in the account of somebody else. Its pages are open to you, the API is not.',
        ])
      }
      const me = ok(await api('GET', `/users/${who.bea.id}`))
      expect(me.name).toBe('bea')
    },
  )

  test('Q243: applications get no code, no device and no logout out of it', async () => {
    const inside = await open('bea', { mode: 'full' })
    const at = (url: string) =>
      ask(portal.origin, { path: url.slice(portal.origin.length), headers: inside })
    const request = webRequest(portal.demo())
    const url = (more: Fields) => new URL(authorizeUrl({ ...request, ...more }), portal.origin).href
    expect((await at(url({}))).headers.location).toBe('/impersonated')
    expect((await at(url({ prompt: 'login' }))).headers.location).toBe('/impersonated')
    const silent = await at(url({ prompt: 'none' }))
    expect(silent.headers.location).toContain('error=login_required')
    const out = await at(`${portal.origin}/oidc/session/end`)
    expect([out.status, out.headers.location]).toEqual([303, '/logout'])
    expect(await isOpen(inside)).toBe(true)
    expect(await op().db.authorizationCode.count({ where: { userId: who.bea.id } })).toBe(0)
  })

  test('Q244: it ends with time, with either account, with the right and with the settings', async () => {
    const ends = async (
      name: Name,
      work: () => Promise<unknown>,
      back: () => Promise<unknown>,
      by = adam,
    ) => {
      const inside = await open(name, { by })
      expect(await isOpen(inside)).toBe(true)
      await work()
      const after = await isOpen(inside)
      await back()
      expect([name, after]).toEqual([name, false])
    }
    const patch = (name: Name, body: object) => async () =>
      ok(await api('PATCH', `/users/${who[name].id}`, body, ANY))
    await ends('bea', patch('bea', { adminRole: 'owner' }), patch('bea', { adminRole: null }))
    await ends(
      'bea',
      patch('adam', { adminRole: 'auditor' }),
      patch('adam', { adminRole: 'admin' }),
    )
    await ends(
      'bea',
      () => set({ impersonators: 'owners' }),
      () => set({ impersonators: 'admins' }),
    )
    await ends(
      'bea',
      () => set({ impersonation: 'off' }),
      () => set({ impersonation: 'full' }),
    )
    await ends('carl', patch('carl', { enabled: false }), patch('carl', { enabled: true }))
    const theirs = await sessionIn(who.fred.session)
    if (!theirs) throw new Error('fred is signed out')
    await ends(
      'fred',
      () => endEverySession(op(), theirs, { ip: null }),
      async () => {},
    )
    await ends('bea', patch('adam', { enabled: false }), patch('adam', { enabled: true }))
    adam = await provedAs('adam')
    const gone = await open('bea')
    const own = await sessionIn(adam)
    if (own) await op().endSession(own, { ip: null, headers: new Headers() })
    expect(await isOpen(gone)).toBe(false)
    adam = await provedAs('adam')
    const late = await open('bea')
    await later(31)
    expect(await isOpen(late)).toBe(false)
    adam = await provedAs('adam')
  })

  test('Q245: opened ten times at once, an admin is in one account', async () => {
    const opened = await Promise.all(
      Array.from({ length: 10 }, (_, at) => open(at % 2 ? 'bea' : 'carl')),
    )
    const open10 = await Promise.all(opened.map(isOpen))
    expect(open10.filter(Boolean)).toHaveLength(1)
    expect(await running()).toHaveLength(1)
  })

  test('Q247: what does not know of it finds nobody by the cookie', async () => {
    const inside = await open('bea')
    const { active, others } = await op().heldBy({ headers: new Headers(inside) })
    const times = { idleMs: 3_600_000, longestMs: 3_600_000 }
    const found = (secret: string | null) =>
      op().sessions.find(op().hashSecret(secret ?? ''), op().now(), times)
    expect(await found(active)).toBeNull()
    expect((await found(others[0] ?? null))?.user.id).toBe(who.adam.id)
  })

  test('Q248: the user is told, and nothing of theirs is touched', async () => {
    const rows = () =>
      op().db.session.findMany({ where: { userId: who.carl.id }, orderBy: { id: 'asc' } })
    const before = await rows()
    await emptyOutbox(op(), () => true)
    mails.received.length = 0
    const inside = await open('carl', { reason: 'He asked for help with his applications' })
    expect(await isOpen(inside)).toBe(true)
    expect(await rows()).toEqual(before)
    await emptyOutbox(op(), () => true)
    const [mail, ...more] = mails.received.filter(({ to }) => to.includes(loginOf('carl').email))
    expect(more).toEqual([])
    expect(mail?.subject).toBe('An admin looks at your account')
    expect(mail?.text).toContain('Admin: adam')
    expect(mail?.text).toContain('He asked for help with his applications')
    expect(mail?.text).not.toContain('192.0.2.7')
    const [one] = await running()
    ok(await api('DELETE', `/impersonations/${one.id}`))
    const log = ok(await api('GET', `/audit-events?targetId=${who.carl.id}&limit=2`)).data
    expect(log.map(({ event }: { event: string }) => event)).toEqual([
      'impersonation.ended',
      'impersonation.started',
    ])
    expect(log[1]).toMatchObject({ actorId: who.adam.id, actorKind: 'user' })
  })

  test('an end that nobody asked for is recorded once', async () => {
    await open('fred')
    await later(31)
    expect([await recordLapsed(op()), await recordLapsed(op())]).toEqual([expect.any(Number), 0])
    const log = ok(await api('GET', `/audit-events?targetId=${who.fred.id}&limit=1`)).data
    expect(log[0]).toMatchObject({ event: 'impersonation.ended', actorKind: 'system' })
  })

  test('Q249: settings:write opens nobody’s account', async () => {
    await set({ impersonation: 'off', impersonators: 'owners' })
    const machine = await machineWith(portal, api, ['settings:write'])
    const settings = caller(portal, await machine.token())
    for (const security of [{ impersonation: 'read_only' }, { impersonators: 'admins' }]) {
      const { status, json } = await settings('PATCH', '/settings', { security }, ANY)
      expect([status, json.missing]).toEqual([403, ['users:impersonate']])
    }
    const admin = callAs(portal, adam)
    expect((await admin('GET', '/impersonations')).status).toBe(403)
    expect(
      (await admin('PATCH', '/settings', { security: { impersonation: 'full' } }, ANY)).status,
    ).toBe(403)
  })
})
