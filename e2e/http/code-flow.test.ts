import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Op } from '../../lib/context/op'
import { MOST_REPEATS } from '../../lib/oidc/grants/repeats'
import { createOp } from '../../lib/op'
import type { Demo } from '../../lib/operations/demo'
import { readConfig } from '../../lib/settings/config'
import type { Database } from '../../lib/store/database'
import { type Answer, ask, askToken, FORM, machineFields } from '../support/ask'
import { freshDatabase, KINDS } from '../support/databases'
import {
  aliceAtWeb,
  authorizeUrl,
  exchange,
  getCode,
  received,
  refresh,
  SCOPE,
  userinfo,
  webRequest,
} from '../support/flow'
import type { OldBrowser } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'

/** docs/attacks.md, E to J: codes, refresh tokens, access tokens, introspection and revocation. */

describe.each(KINDS)('on %s', (kind) => {
  let portal: Portal
  let second: Portal
  let demo: Demo
  let house: Op & { db: Database }
  let alice: OldBrowser

  beforeAll(async () => {
    const DATABASE_URL = await freshDatabase[kind]()
    portal = await startPortal({
      args: ['--demo'],
      env: { DATABASE_URL, REFRESH_REPLAY_SECONDS: '2' },
    })
    const { PORT: _taken, ...shared } = portal.env
    const strict = { ISSUER: portal.origin, REFRESH_REPLAY_SECONDS: '0' }
    second = await startPortal({ env: { ...shared, ...strict } })
    demo = portal.demo()
    house = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
    alice = await aliceAtWeb(portal)
  })

  afterAll(async () => {
    await house.close()
    await second.stop()
    await portal.stop()
  })

  const code = (more: Record<string, string> = {}) => getCode(alice, webRequest(demo, more))
  const body = (answer: Answer) => JSON.parse(answer.body)
  const tokens = async () => body(await exchange(portal, await code({ nonce: 'n-1' })))
  const otherClient = () => ({
    client_id: demo.machine.client_id,
    client_secret: demo.machine.client_secret,
  })

  async function requireScopes(requiredScopes: string[]): Promise<void> {
    await house.changePolicy((tx) =>
      tx.application.update({ where: { id: demo.web.client_id }, data: { requiredScopes } }),
    )
    await new Promise((resolve) => setTimeout(resolve, 1_050))
  }

  function expectInvalidGrant(answer: Answer): void {
    expect([answer.status, body(answer).error]).toEqual([400, 'invalid_grant'])
    expect(answer.headers['cache-control']).toBe('no-store')
  }

  describe('E: authorization_code', () => {
    test('E11, E12: the answer, and the id_token', async () => {
      const answer = await exchange(portal, await code({ nonce: 'the nonce' }))
      expect(answer.status).toBe(200)
      expect([answer.headers['cache-control'], answer.headers.pragma]).toEqual([
        'no-store',
        'no-cache',
      ])
      const json = body(answer)
      expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: SCOPE })
      expect(json.refresh_token).toMatch(/^ghrt_/)
      const claims = decodeJwt(json.id_token)
      expect(decodeProtectedHeader(json.id_token)).toMatchObject({
        alg: 'RS256',
        kid: expect.any(String),
      })
      expect(claims).toMatchObject({
        iss: portal.origin,
        aud: demo.web.client_id,
        nonce: 'the nonce',
        acr: 'pwd',
        amr: ['pwd'],
      })
      expect(claims).not.toHaveProperty('email')
      const access = decodeJwt(json.access_token)
      expect(access).toMatchObject({
        sub: claims.sub,
        sid: claims.sid,
        client_id: demo.web.client_id,
      })
    })

    test('E1: missing, random, truncated, longer', async () => {
      const good = await code()
      expect(body(await exchange(portal, '')).error).toBe('invalid_request')
      const answers = await Promise.all(
        ['random', good.slice(0, -1), `${good}x`].map((value) => exchange(portal, value)),
      )
      for (const answer of answers) {
        expectInvalidGrant(answer)
        expect(answer.body).toBe(answers[0]?.body)
      }
    })

    test('E2: of another client; it stays good for its own', async () => {
      const good = await code()
      await house.changePolicy((tx) =>
        tx.application.update({
          where: { id: demo.machine.client_id },
          data: { grantTypes: ['client_credentials', 'authorization_code', 'refresh_token'] },
        }),
      )
      await new Promise((resolve) => setTimeout(resolve, 1_050))
      expectInvalidGrant(await exchange(portal, good, otherClient()))
      expect((await exchange(portal, good)).status).toBe(200)
    })

    test('E3: expired', async () => {
      const good = await code()
      const codeHash = house.hashSecret(good)
      await house.db.authorizationCode.update({
        where: { codeHash },
        data: { expiresAt: new Date() },
      })
      expectInvalidGrant(await exchange(portal, good))
    })

    test('E4: redirect_uri different or missing', async () => {
      const good = await code()
      expectInvalidGrant(
        await exchange(portal, good, { redirect_uri: demo.web.redirect_uris[1] ?? '' }),
      )
      expect(body(await exchange(portal, good, { redirect_uri: '' })).error).toBe('invalid_request')
      expect((await exchange(portal, good)).status).toBe(200)
    })

    test('E5: replay by the right client kills what the code gave', async () => {
      const good = await code()
      const first = body(await exchange(portal, good))
      expect((await userinfo(portal.origin, first.access_token)).status).toBe(200)
      expectInvalidGrant(await exchange(portal, good))
      expect((await userinfo(portal.origin, first.access_token)).status).toBe(401)
      expectInvalidGrant(await refresh(portal, first.refresh_token))
      expect(
        await house.db.auditEntry.count({ where: { event: 'code.replayed' } }),
      ).toBeGreaterThan(0)
    })

    test('E6: replay by somebody else kills nothing', async () => {
      const good = await code()
      const first = body(await exchange(portal, good))
      expect((await exchange(portal, good, { client_secret: 'wrong' })).status).toBe(401)
      expectInvalidGrant(await exchange(portal, good, otherClient()))
      expect((await userinfo(portal.origin, first.access_token)).status).toBe(200)
    })

    test('E7: 50 parallel exchanges at two processes: one 200, 49 invalid_grant', async () => {
      const good = await code()
      const before = await house.db.tokenGrant.count()
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          exchange(index % 2 ? portal : { ...second, demo: portal.demo }, good),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const answer of answers.filter(({ status }) => status !== 200))
        expectInvalidGrant(answer)
      expect(await house.db.tokenGrant.count()).toBe(before + 1)
    })

    test('E9: the user is disabled, or consent is taken back, before the exchange', async () => {
      const good = await code()
      const id = 'usr_demo_alice'
      await house.db.user.update({ where: { id }, data: { disabledAt: new Date() } })
      expectInvalidGrant(await exchange(portal, good))
      await house.db.user.update({ where: { id }, data: { disabledAt: null } })
      const kept = await house.db.consent.findMany({ where: { userId: id } })
      const another = await code()
      await house.db.consent.deleteMany({ where: { userId: id } })
      expectInvalidGrant(await exchange(portal, another))
      await house.db.consent.createMany({ data: kept })
    })

    test('E10: only its hash is stored', async () => {
      const good = await code()
      const rows = JSON.stringify(await house.db.authorizationCode.findMany())
      expect(rows).not.toContain(good)
    })

    test('E14: a clock that stepped back makes no code young again', async () => {
      const fiveMinutes = 5 * 60 * 1000
      const aged = async (value: string) => {
        const codeHash = house.hashSecret(value)
        const row = await house.db.authorizationCode.findUniqueOrThrow({ where: { codeHash } })
        const data = {
          createdAt: new Date(row.createdAt.getTime() + fiveMinutes),
          expiresAt: new Date(row.expiresAt.getTime() + fiveMinutes),
        }
        await house.db.authorizationCode.update({ where: { codeHash }, data })
      }
      const unused = await code()
      await aged(unused)
      expectInvalidGrant(await exchange(portal, unused))
      const used = await code()
      expect((await exchange(portal, used)).status).toBe(200)
      await aged(used)
      expectInvalidGrant(await exchange(portal, used))
    })

    test('the seed’s request with an access key, from the flow to the token', async () => {
      await house.changePolicy(async (tx) => {
        await tx.accessKey.update({
          where: { id: demo.machine.access_key },
          data: { applicationId: demo.web.client_id },
        })
      })
      await new Promise((resolve) => setTimeout(resolve, 1_050))
      const key = { client_id: demo.machine.access_key }
      const good = await getCode(alice, webRequest(demo, key))
      expectInvalidGrant(await exchange(portal, good))
      const answer = await exchange(portal, good, {
        ...key,
        client_secret: demo.machine.secret_key,
      })
      expect(body(answer)).toMatchObject({ scope: SCOPE })
      expect(decodeJwt(body(answer).id_token).aud).toBe(demo.machine.access_key)
    })
  })

  describe('F: refresh_token', () => {
    test('F1, F11: a new access token and a new refresh token; id_token as before', async () => {
      const first = await tokens()
      const next = body(await refresh(portal, first.refresh_token))
      expect(next.refresh_token).not.toBe(first.refresh_token)
      const [a, b] = [decodeJwt(first.id_token), decodeJwt(next.id_token)]
      for (const name of ['iss', 'sub', 'aud', 'auth_time', 'sid']) expect(b[name]).toBe(a[name])
      expect((await refresh(portal, next.refresh_token)).status).toBe(200)
    })

    test('F2: the old one after the window ends the family, access tokens included', async () => {
      const first = await tokens()
      const next = body(await refresh(portal, first.refresh_token))
      await new Promise((resolve) => setTimeout(resolve, 2_100))
      expectInvalidGrant(await refresh(portal, first.refresh_token))
      expectInvalidGrant(await refresh(portal, next.refresh_token))
      expect((await userinfo(portal.origin, next.access_token)).status).toBe(401)
      const ended = await house.db.auditEntry.findFirst({
        where: { event: 'refresh.replayed' },
        orderBy: { seq: 'desc' },
      })
      const { grant_id: token_grant } = decodeJwt(next.access_token)
      expect(ended?.detail).toEqual({ reason: 'late', token_grant })
    })

    test('F3: some in parallel within the window: one successor, byte for byte', async () => {
      const { refresh_token } = await tokens()
      const answers = await Promise.all(
        Array.from({ length: 1 + MOST_REPEATS }, () => refresh(portal, refresh_token)),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      const successors = new Set(answers.map((answer) => body(answer).refresh_token))
      expect(successors.size).toBe(1)
      expect((await refresh(portal, [...successors][0] ?? '')).status).toBe(200)
    })

    test('F3: 50 parallel within the window are too many: the family ends', async () => {
      const { refresh_token } = await tokens()
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => refresh(portal, refresh_token)),
      )
      const won = answers.filter(({ status }) => status === 200)
      expect(won).toHaveLength(1 + MOST_REPEATS)
      for (const answer of answers.filter(({ status }) => status !== 200))
        expectInvalidGrant(answer)
      const successors = new Set(won.map((answer) => body(answer).refresh_token))
      expect(successors.size).toBe(1)
      expectInvalidGrant(await refresh(portal, [...successors][0] ?? ''))
    })

    test('F3: 50 parallel with the window at 0: at most one wins, and the family ends', async () => {
      const { refresh_token } = await tokens()
      const strict = { ...second, demo: portal.demo }
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => refresh(strict, refresh_token)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const answer of answers.filter(({ status }) => status !== 200))
        expectInvalidGrant(answer)
      const winner = answers.find(({ status }) => status === 200)
      expectInvalidGrant(
        await refresh(strict, body(winner ?? { status: 0, headers: {}, body: '{}' }).refresh_token),
      )
    })

    test('F4: the old one is refused by another process, and the family ends for both', async () => {
      const { refresh_token } = await tokens()
      const next = body(await refresh(portal, refresh_token))
      const strict = { ...second, demo: portal.demo }
      expectInvalidGrant(await refresh(strict, refresh_token))
      expectInvalidGrant(await refresh(portal, next.refresh_token))
      expect((await userinfo(portal.origin, next.access_token)).status).toBe(401)
    })

    test('F5, F6: another client’s, and without authentication', async () => {
      const { refresh_token } = await tokens()
      expectInvalidGrant(await refresh(portal, refresh_token, otherClient()))
      expect((await refresh(portal, refresh_token, { client_secret: 'wrong' })).status).toBe(401)
      expect((await refresh(portal, refresh_token)).status).toBe(200)
    })

    test('F7: wider is invalid_scope, narrower narrows the access token only', async () => {
      const { refresh_token } = await tokens()
      const wider = await refresh(portal, refresh_token, { scope: 'openid orders:write' })
      expect(body(wider).error).toBe('invalid_scope')
      const narrow = body(await refresh(portal, refresh_token, { scope: 'openid' }))
      expect(narrow.scope).toBe('openid')
      expect(body(await refresh(portal, narrow.refresh_token)).scope).toBe(SCOPE)
    })

    test('F8: the user is disabled, and a role or consent taken away', async () => {
      const { refresh_token } = await tokens()
      const consent = {
        userId: 'usr_demo_alice',
        applicationId: demo.web.client_id,
        scope: 'orders:read',
      }
      const where = { userId_applicationId_scope: consent }
      await house.db.consent.update({ where, data: { granted: false } })
      const next = body(await refresh(portal, refresh_token))
      expect(next).toMatchObject({ scope_rejected: 'orders:read' })
      await house.db.consent.update({ where, data: { granted: true } })
      await house.db.user.update({
        where: { id: 'usr_demo_alice' },
        data: { disabledAt: new Date() },
      })
      expectInvalidGrant(await refresh(portal, next.refresh_token))
      expect((await userinfo(portal.origin, next.access_token)).status).toBe(401)
      await house.db.user.update({ where: { id: 'usr_demo_alice' }, data: { disabledAt: null } })
    })

    test('F8: consent taken back as a whole ends the grant', async () => {
      const { refresh_token } = await tokens()
      const where = { userId: 'usr_demo_alice' }
      const kept = await house.db.consent.findMany({ where })
      await house.db.consent.deleteMany({ where })
      expectInvalidGrant(await refresh(portal, refresh_token))
      await house.db.consent.createMany({ data: kept })
    })

    test('B43, F8: who may use an application is asked at sign-in, exchange and refresh', async () => {
      const waiting = await code()
      const { refresh_token } = await tokens()
      // The web app now requires a scope that Alice's role does not give her.
      await requireScopes(['orders:refund'])
      for (const more of [{}, { scope: 'openid' }, { scope: 'openid orders:refund' }]) {
        const page = await alice.open(authorizeUrl(webRequest(demo, more)))
        expect(received(page)).toMatchObject({ error: 'access_denied', state: 'the-state' })
      }
      expectInvalidGrant(await exchange(portal, waiting))
      expectInvalidGrant(await refresh(portal, refresh_token))
      await requireScopes([])
      expect((await refresh(portal, refresh_token)).status).toBe(200)
    })

    test('F9: idle and absolute lifetime', async () => {
      const idle = await tokens()
      const tokenHash = house.hashSecret(idle.refresh_token)
      await house.db.refreshToken.update({ where: { tokenHash }, data: { expiresAt: new Date() } })
      expectInvalidGrant(await refresh(portal, idle.refresh_token))
      const old = await tokens()
      const row = await house.db.refreshToken.findUniqueOrThrow({
        where: { tokenHash: house.hashSecret(old.refresh_token) },
      })
      await house.db.refreshFamily.update({
        where: { id: row.familyId },
        data: { expiresAt: new Date() },
      })
      expectInvalidGrant(await refresh(portal, old.refresh_token))
    })

    test('F10: kinds are never interchangeable', async () => {
      const all = await tokens()
      expectInvalidGrant(await refresh(portal, all.access_token))
      expectInvalidGrant(await refresh(portal, all.id_token))
      expect((await userinfo(portal.origin, all.refresh_token)).status).toBe(401)
    })
  })

  describe('H: userinfo', () => {
    test('GET, POST with a header, POST with a form', async () => {
      const { access_token } = await tokens()
      const got = await userinfo(portal.origin, access_token)
      expect(body(got)).toEqual({
        sub: 'usr_demo_alice',
        name: 'Alice Clerk',
        given_name: 'Alice',
        family_name: 'Clerk',
        zoneinfo: 'Europe/Zurich',
        locale: 'en',
        updated_at: expect.any(Number),
        email: 'alice@gatehouse.example',
        email_verified: true,
      })
      const headers = { authorization: `Bearer ${access_token}` }
      expect((await ask(portal.origin, { method: 'POST', path: '/oidc/me', headers })).body).toBe(
        got.body,
      )
      const form = {
        method: 'POST',
        path: '/oidc/me',
        headers: FORM,
        body: `access_token=${access_token}`,
      }
      expect((await ask(portal.origin, form)).body).toBe(got.body)
    })

    test('without credentials: a challenge without an error', async () => {
      const answer = await ask(portal.origin, { path: '/oidc/me' })
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        401,
        `Bearer realm="${portal.origin}"`,
      ])
    })

    test('H1, H2, H4, H5, H7: what is no access token of ours', async () => {
      const { id_token, access_token } = await tokens()
      const [head = '', payload = ''] = access_token.split('.')
      const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
      for (const token of [
        `${none}.${payload}.`,
        `${head}.${payload}.AAAA`,
        id_token,
        'x',
        'a.b.c',
        'x'.repeat(9000),
      ]) {
        const answer = await userinfo(portal.origin, token)
        expect(answer.status).toBe(401)
        expect(answer.headers['www-authenticate']).toContain('error="invalid_token"')
      }
      const machine = body(await askToken(portal.origin, machineFields(portal)))
      expect((await userinfo(portal.origin, machine.access_token)).status).toBe(401)
    })

    test('H9, H10: in the query, and twice', async () => {
      const { access_token } = await tokens()
      const query = await ask(portal.origin, { path: `/oidc/me?access_token=${access_token}` })
      expect([query.status, body(query).error]).toEqual([400, 'invalid_request'])
      const headers = { ...FORM, authorization: `Bearer ${access_token}` }
      const twice = {
        method: 'POST',
        path: '/oidc/me',
        headers,
        body: `access_token=${access_token}`,
      }
      expect((await ask(portal.origin, twice)).status).toBe(400)
    })

    test('H12: without openid', async () => {
      const plain = body(await exchange(portal, await code({ scope: 'orders:read' })))
      expect(plain).not.toHaveProperty('id_token')
      const answer = await userinfo(portal.origin, plain.access_token)
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        403,
        `Bearer realm="${portal.origin}", error="insufficient_scope"`,
      ])
    })
  })

  describe('I, J: introspection and revocation', () => {
    const introspect = (token: string, more: Record<string, string> = {}) =>
      ask(portal.origin, {
        method: 'POST',
        path: '/oidc/token/introspection',
        headers: FORM,
        body: new URLSearchParams({
          token,
          client_id: demo.web.client_id,
          client_secret: demo.web.client_secret,
          ...more,
        }).toString(),
      })
    const revoke = (token: string, more: Record<string, string> = {}) =>
      ask(portal.origin, {
        method: 'POST',
        path: '/oidc/token/revocation',
        headers: FORM,
        body: new URLSearchParams({
          token,
          client_id: demo.web.client_id,
          client_secret: demo.web.client_secret,
          ...more,
        }).toString(),
      })

    test('I1, I2, I6: no authentication, no token, GET', async () => {
      const { access_token } = await tokens()
      expect((await introspect(access_token, { client_secret: 'wrong' })).status).toBe(401)
      expect(body(await introspect('')).error).toBe('invalid_request')
      expect((await ask(portal.origin, { path: '/oidc/token/introspection' })).status).toBe(405)
    })

    test('I3, I5, I7: active for its client; anything else is exactly inactive', async () => {
      const { access_token, refresh_token, id_token } = await tokens()
      expect(body(await introspect(access_token, { token_type_hint: 'nonsense' }))).toMatchObject({
        active: true,
        sub: 'usr_demo_alice',
        scope: SCOPE,
        client_id: demo.web.client_id,
      })
      for (const token of [refresh_token, id_token, 'x', `${access_token}x`]) {
        const answer = await introspect(token)
        expect([answer.status, answer.body]).toEqual([200, '{"active":false}'])
      }
    })

    test('a scope that is not granted any more is not there any more', async () => {
      const machine = body(
        await askToken(portal.origin, machineFields(portal, { scope: 'orders:read orders:write' })),
      )
      const scopeOf = async () => body(await introspect(machine.access_token, otherClient())).scope
      expect(await scopeOf()).toBe('orders:read orders:write')
      const where = { applicationId: demo.machine.client_id, pattern: 'orders:write' }
      const kept = await house.db.grant.findMany({ where })
      await house.changePolicy((tx) => tx.grant.deleteMany({ where }))
      await new Promise((resolve) => setTimeout(resolve, 1_050))
      expect(await scopeOf()).toBe('orders:read')
      await house.changePolicy((tx) => tx.grant.createMany({ data: kept }))
      await new Promise((resolve) => setTimeout(resolve, 1_050))
    })

    test('I4: another application’s token', async () => {
      const machine = body(await askToken(portal.origin, machineFields(portal)))
      expect((await introspect(machine.access_token)).body).toBe('{"active":false}')
      const { access_token } = await tokens()
      // A machine of the API's own space is its resource server.
      expect(body(await introspect(access_token, otherClient())).active).toBe(true)
    })

    test('J1, J2, J5: a revoked access token is dead at once; unknown ones are 200', async () => {
      const { access_token, refresh_token } = await tokens()
      expect((await revoke(access_token)).status).toBe(200)
      expect((await introspect(access_token)).body).toBe('{"active":false}')
      expect((await userinfo(portal.origin, access_token)).status).toBe(401)
      expect((await refresh(portal, refresh_token)).status).toBe(200)
      for (const token of [access_token, 'unknown']) expect((await revoke(token)).status).toBe(200)
    })

    test('J1: a revoked refresh token takes its family and its access tokens along', async () => {
      const { access_token, refresh_token } = await tokens()
      expect((await revoke(refresh_token)).status).toBe(200)
      expectInvalidGrant(await refresh(portal, refresh_token))
      expect((await userinfo(portal.origin, access_token)).status).toBe(401)
    })

    test('J3, J4: another client’s token stays; no token is invalid_request', async () => {
      const { access_token, refresh_token } = await tokens()
      expect((await revoke(access_token, otherClient())).status).toBe(200)
      expect((await revoke(refresh_token, otherClient())).status).toBe(200)
      expect((await userinfo(portal.origin, access_token)).status).toBe(200)
      expect((await refresh(portal, refresh_token)).status).toBe(200)
      expect(body(await revoke('')).error).toBe('invalid_request')
    })

    test('M12: when the session ends, tokens without offline_access end with it', async () => {
      const browser = await aliceAtWeb(portal)
      const online = body(
        await exchange(portal, await getCode(browser, webRequest(demo, { scope: 'openid' }))),
      )
      expect(online).not.toHaveProperty('refresh_token')
      expect((await userinfo(portal.origin, online.access_token)).status).toBe(200)
      await browser.submit(await browser.open('/logout'), {})
      expect((await userinfo(portal.origin, online.access_token)).status).toBe(401)
    })
  })
})
