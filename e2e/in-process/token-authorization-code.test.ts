import { decodeJwt, decodeProtectedHeader } from 'jose'
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
  second,
  startCodeFlow,
} from '../support/code-flow'
import { KINDS } from '../support/databases'
import { exchange, getCode, refresh, SCOPE, userinfo, webRequest } from '../support/flow'

describe.each(KINDS)('POST /oidc/token authorization_code on %s', (kind) => {
  startCodeFlow(kind)

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
      await allowOtherClient()
      expectInvalidGrant(await exchange(portal, good, otherClient()))
      expect((await exchange(portal, good)).status).toBe(200)
    })

    test('E3: expired', async () => {
      const good = await code()
      const codeHash = op.hashSecret(good)
      await op.db.authorizationCode.update({
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
      expect(await op.db.auditEntry.count({ where: { event: 'code.replayed' } })).toBeGreaterThan(0)
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
      const before = await op.db.tokenGrant.count()
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          exchange(index % 2 ? portal : { ...second, demo: portal.demo }, good),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const answer of answers.filter(({ status }) => status !== 200))
        expectInvalidGrant(answer)
      expect(await op.db.tokenGrant.count()).toBe(before + 1)
    })

    test('E9: the user is disabled, or consent is taken back, before the exchange', async () => {
      const good = await code()
      const id = 'usr_demo_alice'
      await op.db.user.update({ where: { id }, data: { disabledAt: new Date() } })
      expectInvalidGrant(await exchange(portal, good))
      await op.db.user.update({ where: { id }, data: { disabledAt: null } })
      const kept = await op.db.consent.findMany({ where: { userId: id } })
      const another = await code()
      await op.db.consent.deleteMany({ where: { userId: id } })
      expectInvalidGrant(await exchange(portal, another))
      await op.db.consent.createMany({ data: kept })
    })

    test('E10: only its hash is stored', async () => {
      const good = await code()
      const rows = JSON.stringify(await op.db.authorizationCode.findMany())
      expect(rows).not.toContain(good)
    })

    test('E14: a clock that stepped back makes no code young again', async () => {
      const fiveMinutes = 5 * 60 * 1000
      const aged = async (value: string) => {
        const codeHash = op.hashSecret(value)
        const row = await op.db.authorizationCode.findUniqueOrThrow({ where: { codeHash } })
        const data = {
          createdAt: new Date(row.createdAt.getTime() + fiveMinutes),
          expiresAt: new Date(row.expiresAt.getTime() + fiveMinutes),
        }
        await op.db.authorizationCode.update({ where: { codeHash }, data })
      }
      const unused = await code()
      await aged(unused)
      expectInvalidGrant(await exchange(portal, unused))
      const used = await code()
      expect((await exchange(portal, used)).status).toBe(200)
      await aged(used)
      expectInvalidGrant(await exchange(portal, used))
    })

    test('a request with an access key, from the flow to the token', async () => {
      await op.changePolicy(async (tx) => {
        await tx.accessKey.update({
          where: { id: demo.machine.access_key },
          data: { applicationId: demo.web.client_id },
        })
      })
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
})
