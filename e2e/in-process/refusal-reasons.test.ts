import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chooseScopes, pauseApp, removeApp, resumeApp } from '../../lib/accounts/connected-apps'
import { DAY_MS } from '../../lib/base/time'
import { REFRESH_IDLE_MS } from '../../lib/oidc/grants/refresh_token'
import type { RefusalReason } from '../../lib/oidc/refusal-reasons'
import { people, WANTED, worldIn } from '../support/access-requests'
import { caller, machineToken } from '../support/api'
import { type Answer, ask, askToken, type Fields } from '../support/ask'
import { usually } from '../support/databases'
import {
  aliceAtWeb,
  authorizeUrl,
  exchange,
  getCode,
  received,
  userinfo,
  webRequest,
} from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import type { OldBrowser } from '../support/old-browser'

/**
 * Each cause of a refused refresh, and some others, brought about as a user or an admin does it. The
 * reason is in the log line, in the metrics and in the audit log; the client is told as much as ever.
 */

const WEB = 'app_demo_web'
const ALICE = 'usr_demo_alice'
const FROM = { ip: '127.0.0.1', headers: new Headers() }
const SAME = {
  error: 'invalid_grant',
  error_description: 'the grant is unknown, expired, used or revoked',
}

const STRONGER = {
  claims: JSON.stringify({ id_token: { acr: { essential: true, value: 'phr' } } }),
}
/** What an error redirect says, and nothing else. */
const REDIRECTED = ['error', 'error_description', 'state', 'iss']

type Line = Record<string, unknown>

describe.each(usually('sqlite'))('refusals have a reason on %s', (kind) => {
  let portal: OpenPortal
  let alice: OldBrowser
  const lines: Line[] = []

  beforeAll(async () => {
    const env = { TRUSTED_PROXIES: '1', REFRESH_REPLAY_SECONDS: '0' }
    portal = await openPortal({ kind, env })
    portal.op.log.answered = (line) => void lines.push(line)
    alice = await aliceAtWeb(portal)
  })

  afterAll(() => portal.stop())

  const web = () => {
    const { client_id, client_secret } = portal.demo().web
    return { client_id, client_secret }
  }
  const admin = async () => caller(portal, await machineToken(portal))
  const changed = async (path: string, body: object) => {
    const call = await admin()
    const { headers } = await call('GET', path)
    const answer = await call('PATCH', path, body, { 'if-match': headers.etag ?? '' })
    expect(answer.status, answer.raw).toBe(200)
  }
  const sessionOfAlice = async () => {
    const session = await portal.op.sessionOf({
      headers: new Headers({ cookie: alice.cookieHeader() }),
    })
    if (!session) throw new Error('Alice is signed out')
    return session
  }
  const codeFor = (more: Fields = {}) => getCode(alice, webRequest(portal.demo(), more))
  const tokens = async (more: Fields = {}) => {
    const answer = await exchange(portal, await codeFor(more))
    expect(answer.status, answer.body).toBe(200)
    return JSON.parse(answer.body)
  }
  const refresh = (refresh_token: string, client: Fields = web(), headers: Fields = {}) =>
    askToken(portal.origin, { grant_type: 'refresh_token', refresh_token, ...client }, headers)

  async function counted(error: string, reason: string): Promise<number> {
    const { body } = await ask(portal.origin, { path: '/metrics' })
    const name = `gatehouse_refusals_total{error="${error}",reason="${reason}"} `
    const line = body.split('\n').find((one) => one.startsWith(name))
    return Number(line?.slice(name.length) ?? 0)
  }

  async function auditOf(requestId: string) {
    await portal.op.settled()
    const where = { requestId, event: { endsWith: '.refused' } }
    const entry = await portal.op.db.auditEntry.findFirst({ where })
    return entry && { event: entry.event, target: entry.targetId, detail: entry.detail as Line }
  }

  /** Refuses once, and says what is known of it; the answer itself names no reason. */
  async function traced(error: string, reason: RefusalReason, refuse: () => Promise<Answer>) {
    const before = await counted(error, reason)
    const answer = await refuse()
    const requestId = answer.headers['x-request-id'] ?? ''
    expect(lines.find((line) => line.requestId === requestId)).toMatchObject({ error, reason })
    expect(await counted(error, reason)).toBe(before + 1)
    expect(`${answer.body} ${JSON.stringify(answer.headers)}`).not.toContain(`"${reason}"`)
    return { answer, audit: await auditOf(requestId) }
  }

  async function expectRefused(reason: RefusalReason, refuse: () => Promise<Answer>, more = {}) {
    const { answer, audit } = await traced('invalid_grant', reason, refuse)
    expect([answer.status, JSON.parse(answer.body)]).toEqual([400, { ...SAME, ...more }])
    expect(audit).toMatchObject({
      event: 'token.refused',
      target: WEB,
      detail: { error: 'invalid_grant', reason },
    })
    return audit?.detail ?? {}
  }

  describe('F14: a refused refresh', () => {
    test('an unknown token', () => expectRefused('refresh_unknown', () => refresh('ghrt_x')))

    test('F5: the token of another application stays good, and nothing of it is told', async () => {
      const { refresh_token } = await tokens()
      const call = await admin()
      const made = await call('POST', '/applications', {
        kind: 'web',
        name: 'Other',
        redirectUris: ['https://other.example/cb'],
      })
      const { id: client_id, secret: client_secret } = made.json
      await changed(`/applications/${client_id}`, {
        grantTypes: ['authorization_code', 'refresh_token'],
      })
      const other = () => refresh(refresh_token, { client_id, client_secret })
      const { answer, audit } = await traced('invalid_grant', 'refresh_other_client', other)
      expect(JSON.parse(answer.body)).toEqual(SAME)
      expect(audit).toEqual({
        event: 'token.refused',
        target: client_id,
        detail: { error: 'invalid_grant', reason: 'refresh_other_client' },
      })
      expect((await refresh(refresh_token)).status).toBe(200)
    })

    test('T1: the user paused the application', async () => {
      const { refresh_token } = await tokens()
      await pauseApp(portal.op, await sessionOfAlice(), WEB, FROM)
      const words = { error_description: 'the user paused this application' }
      await expectRefused('paused', () => refresh(refresh_token), words)
      await resumeApp(portal.op, await sessionOfAlice(), WEB, FROM)
      expect((await refresh(refresh_token)).status).toBe(200)
    })

    test('F2: used twice, and then everything of that sign-in', async () => {
      const { refresh_token } = await tokens()
      const next = JSON.parse((await refresh(refresh_token)).body)
      const first = await expectRefused('refresh_replayed', () => refresh(refresh_token))
      expect(first).toMatchObject({
        suspicion: 'late',
        token_grant: expect.stringMatching(/^tgr_/),
      })
      const second = await expectRefused('sign_in_revoked', () => refresh(next.refresh_token))
      expect(second).toMatchObject({ token_grant: first.token_grant, ended_for: 'refresh_replay' })
    })

    test('F8: the user removed the application', async () => {
      const { refresh_token } = await tokens()
      await removeApp(portal.op, await sessionOfAlice(), WEB, FROM)
      const detail = await expectRefused('sign_in_revoked', () => refresh(refresh_token))
      expect(detail).toMatchObject({ ended_for: 'app_removed' })
      alice = await aliceAtWeb(portal)
    })

    test('F8: the user withdrew every scope of the sign-in', async () => {
      const { refresh_token } = await tokens({ scope: 'offline_access orders:read' })
      const ticked = ['profile', 'email']
      await chooseScopes(portal.op, await sessionOfAlice(), { applicationId: WEB, ticked }, FROM)
      await expectRefused('consent_gone', () => refresh(refresh_token))
      const all = ['profile', 'email', 'offline_access', 'orders:read']
      const choice = { applicationId: WEB, ticked: all }
      await chooseScopes(portal.op, await sessionOfAlice(), choice, FROM)
    })

    test('F8: the session ended, and offline access had been withdrawn', async () => {
      const { refresh_token, id_token } = await tokens()
      const ticked = ['profile', 'email', 'orders:read']
      await chooseScopes(portal.op, await sessionOfAlice(), { applicationId: WEB, ticked }, FROM)
      await alice.ask(`/oidc/session/end?id_token_hint=${id_token}`)
      await expectRefused('session_ended', () => refresh(refresh_token))
      alice = await aliceAtWeb(portal)
      const again = { applicationId: WEB, ticked: [...ticked, 'offline_access'] }
      await chooseScopes(portal.op, await sessionOfAlice(), again, FROM)
    })

    test('B43: a required scope is gone: the client is told that it can be asked for', async () => {
      const who = await people(portal, ['ann', 'ben', 'cleo'])
      const world = await worldIn(portal, Object.values(who))
      const { refresh_token } = await tokens()
      await changed(`/applications/${WEB}`, { requiredScopes: [WANTED] })
      const help = { next_action: 'request' }
      const detail = await expectRefused('user_not_admitted', () => refresh(refresh_token), help)
      expect(detail).toMatchObject({ required_scopes: [WANTED], next_action: 'request' })
      const { status } = await world.api('DELETE', `/request-rules/${world.rule}`, undefined, {
        'if-match': '*',
      })
      expect(status).toBe(204)
      const waiting = await refresh(refresh_token)
      expect(JSON.parse(waiting.body)).toEqual(SAME)
      await changed(`/applications/${WEB}`, { requiredScopes: [] })
      expect((await refresh(refresh_token)).status).toBe(200)
    })

    test('F8: the user is disabled', async () => {
      const { refresh_token } = await tokens()
      await changed(`/users/${ALICE}`, { enabled: false })
      await expectRefused('user_disabled', () => refresh(refresh_token))
      await changed(`/users/${ALICE}`, { enabled: true })
      alice = await aliceAtWeb(portal)
    })

    test('F9: nobody used it for 14 days, and the sign-in is 90 days old', async () => {
      const idle = await tokens()
      const kept = await tokens()
      portal.moveClock(REFRESH_IDLE_MS)
      await expectRefused('refresh_expired', () => refresh(idle.refresh_token))
      portal.moveClock(90 * DAY_MS)
      await expectRefused('sign_in_expired', () => refresh(kept.refresh_token))
      alice = await aliceAtWeb(portal)
    })
  })

  describe('other refusals', () => {
    test('E5: a code that comes twice', async () => {
      const code = await codeFor()
      expect((await exchange(portal, code)).status).toBe(200)
      await expectRefused('code_used', () => exchange(portal, code))
    })

    test('E3: a code after a minute', async () => {
      const code = await codeFor()
      portal.moveClock(61_000)
      await expectRefused('code_expired', () => exchange(portal, code))
    })

    test('D16: an unknown client: the log has the reason, no application has an entry', async () => {
      const unknown = { client_id: 'app_nobody', client_secret: 'x' }
      const { audit } = await traced('invalid_client', 'client_unknown', () =>
        refresh('x', unknown),
      )
      expect(audit).toBeNull()
    })

    test('H: userinfo after the user removed the application', async () => {
      const { access_token } = await tokens()
      await removeApp(portal.op, await sessionOfAlice(), WEB, FROM)
      const asked = () => userinfo(portal.origin, access_token)
      const { audit } = await traced('invalid_token', 'access_token_ended', asked)
      expect(audit).toMatchObject({ event: 'userinfo.refused', target: WEB })
      alice = await aliceAtWeb(portal)
    })

    test('L3: a sign-out to an address that is not registered', async () => {
      const query = { client_id: WEB, post_logout_redirect_uri: 'https://x.test/' }
      const path = `/oidc/session/end?${new URLSearchParams(query)}`
      const asked = () => ask(portal.origin, { path })
      const { answer, audit } = await traced('invalid_request', 'logout_redirect_uri', asked)
      expect(answer.status).toBe(400)
      expect(audit).toMatchObject({ event: 'logout.refused', target: WEB })
    })

    test('a sign-in that has expired or was completed', async () => {
      const asked = () => ask(portal.origin, { path: '/oidc/auth/int_0123456789abcdef' })
      const { audit } = await traced('invalid_request', 'interaction_ended', asked)
      expect(audit).toBeNull()
    })

    test.each<[string, string, RefusalReason, Fields, boolean]>([
      ['B14', 'invalid_request', 'prompt', { prompt: 'none login' }, true],
      ['B27', 'unmet_authentication_requirements', 'stronger_sign_in_needed', STRONGER, true],
      [
        'B12',
        'consent_required',
        'consent_needed',
        { prompt: 'none', scope: 'openid phone' },
        false,
      ],
    ])('%s: an authorization request, %s', async (_row, error, reason, more, isRecorded) => {
      const path = authorizeUrl(webRequest(portal.demo(), more))
      const headers = { cookie: alice.cookieHeader() }
      const asked = () => ask(portal.origin, { path, headers })
      const { answer, audit } = await traced(error, reason, asked)
      const address = new URL(answer.headers.location ?? '')
      expect(address.searchParams.get('error')).toBe(error)
      expect([...address.searchParams.keys()]).toEqual(REDIRECTED)
      expect(audit?.detail.reason).toBe(isRecorded ? reason : undefined)
    })

    test('B11, B37: nobody is signed in, and Cancel: no entry of the audit log', async () => {
      const path = authorizeUrl(webRequest(portal.demo(), { prompt: 'none' }))
      const asked = () => ask(portal.origin, { path })
      expect((await traced('login_required', 'login_needed', asked)).audit).toBeNull()
      const consent = await alice.open(
        authorizeUrl(webRequest(portal.demo(), { prompt: 'consent' })),
      )
      const before = await counted('access_denied', 'user_declined')
      const back = await alice.submit(consent, {}, ['answer', 'cancel'])
      expect(received(back)).toMatchObject({ error: 'access_denied' })
      expect(await counted('access_denied', 'user_declined')).toBe(before + 1)
    })

    test('B13: several accounts, and nobody to choose one', async () => {
      const [, bob = { email: '', password: '' }] = portal.demo().users
      const both = await aliceAtWeb(portal)
      const asking = authorizeUrl(webRequest(portal.demo(), { prompt: 'select_account' }))
      await both.signIn(await both.open(asking), bob)
      const path = authorizeUrl(webRequest(portal.demo(), { prompt: 'none' }))
      const asked = () => ask(portal.origin, { path, headers: { cookie: both.cookieHeader() } })
      const error = 'account_selection_required'
      expect((await traced(error, 'account_choice_needed', asked)).audit).toBeNull()
    })

    test('all of them are listed at the application', async () => {
      const call = await admin()
      const { status, json } = await call('GET', `/applications/${WEB}/refusals`)
      expect(status).toBe(200)
      const events = json.data.map(({ event }: { event: string }) => event)
      expect(events).toEqual(
        expect.arrayContaining([
          'token.refused',
          'userinfo.refused',
          'logout.refused',
          'authorize.refused',
        ]),
      )
    })
  })
})
