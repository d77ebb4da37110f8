import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  alice,
  allowOtherClient,
  body,
  code,
  demo,
  expectInvalidGrant,
  op,
  otherClient,
  portal,
  requireScopes,
  second,
  startCodeFlow,
  tokens,
} from '../support/code-flow'
import { KINDS } from '../support/databases'
import {
  authorizeUrl,
  exchange,
  received,
  refresh,
  SCOPE,
  userinfo,
  webRequest,
} from '../support/flow'
import { untilDecided } from '../support/patience'

describe.each(KINDS)('POST /oidc/token refresh_token on %s', (kind) => {
  startCodeFlow(kind)

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
      for (const one of [portal, second]) one.moveClock(2_100)
      expectInvalidGrant(await refresh(portal, first.refresh_token))
      expectInvalidGrant(await refresh(portal, next.refresh_token))
      expect((await userinfo(portal.origin, next.access_token)).status).toBe(401)
      const ended = await op.db.auditEntry.findFirst({
        where: { event: 'refresh.replayed' },
        orderBy: { seq: 'desc' },
      })
      const { grant_id: token_grant } = decodeJwt(next.access_token)
      expect(ended?.detail).toEqual({ reason: 'late', token_grant })
    })

    test.each([5, 50])(
      'F3: %i in parallel within the window: one successor, byte for byte',
      async (count) => {
        const { refresh_token } = await tokens()
        const answers = await Promise.all(
          Array.from({ length: count }, () => untilDecided(() => refresh(portal, refresh_token))),
        )
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
        const successors = new Set(answers.map((answer) => body(answer).refresh_token))
        expect(successors.size).toBe(1)
        expect((await refresh(portal, [...successors][0] ?? '')).status).toBe(200)
      },
    )

    test('F3: 50 parallel with the window at 0: at most one wins, and the family ends', async () => {
      const { refresh_token } = await tokens()
      const strict = { ...second, demo: portal.demo }
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => untilDecided(() => refresh(strict, refresh_token))),
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
      await allowOtherClient()
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
      await op.db.consent.update({ where, data: { granted: false } })
      const next = body(await refresh(portal, refresh_token))
      expect(next).toMatchObject({ scope_rejected: 'orders:read' })
      await op.db.consent.update({ where, data: { granted: true } })
      await op.db.user.update({
        where: { id: 'usr_demo_alice' },
        data: { disabledAt: new Date() },
      })
      expectInvalidGrant(await refresh(portal, next.refresh_token))
      expect((await userinfo(portal.origin, next.access_token)).status).toBe(401)
      await op.db.user.update({ where: { id: 'usr_demo_alice' }, data: { disabledAt: null } })
    })

    test('F8: consent taken back as a whole ends the grant', async () => {
      const { refresh_token } = await tokens()
      const where = { userId: 'usr_demo_alice' }
      const kept = await op.db.consent.findMany({ where })
      await op.db.consent.deleteMany({ where })
      expectInvalidGrant(await refresh(portal, refresh_token))
      await op.db.consent.createMany({ data: kept })
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
      const tokenHash = op.hashSecret(idle.refresh_token)
      await op.db.refreshToken.update({ where: { tokenHash }, data: { expiresAt: new Date() } })
      expectInvalidGrant(await refresh(portal, idle.refresh_token))
      const old = await tokens()
      const row = await op.db.refreshToken.findUniqueOrThrow({
        where: { tokenHash: op.hashSecret(old.refresh_token) },
      })
      await op.db.refreshFamily.update({
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
})
