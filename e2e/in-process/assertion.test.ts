import { createServer, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenOp } from '../../lib/op'
import { type Answer, askToken } from '../support/ask'
import { usually } from '../support/databases'
import { type OpenPortal, openPortal } from '../support/in-process'
import { freePort } from '../support/postgres'

/** docs/attacks.md, D20 to D22: private_key_jwt. */

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const ID = 'app_demo_machine'

describe.each(usually('sqlite'))('private_key_jwt on %s', (kind) => {
  let portal: OpenPortal
  let allowedHost = ''
  let op: OpenOp
  let keys: Awaited<ReturnType<typeof generateKeyPair>>
  let others: Awaited<ReturnType<typeof generateKeyPair>>

  beforeAll(async () => {
    allowedHost = `127.0.0.1:${await freePort()}`
    portal = await openPortal({ kind, env: { OUTBOUND_HOSTS: allowedHost } })
    op = portal.op
    keys = await generateKeyPair('ES256')
    others = await generateKeyPair('ES256')
    const { kty = '', crv = '', x = '', y = '' } = await exportJWK(keys.publicKey)
    const jwk = { kty, crv, x, y, kid: 'k1', alg: 'ES256' }
    await op.changePolicy((tx) =>
      tx.application.update({
        where: { id: ID },
        data: {
          jwks: { keys: [jwk] },
          authMethods: ['private_key_jwt', 'client_secret_post'],
        },
      }),
    )
  })

  afterAll(() => portal.stop())

  const now = () => Math.floor(Date.now() / 1000)
  const claims = (more: Record<string, unknown> = {}): JWTPayload => {
    const all = {
      iss: ID,
      sub: ID,
      aud: portal.origin,
      jti: crypto.randomUUID(),
      iat: now(),
      exp: now() + 60,
      ...more,
    }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  }
  const sign = (payload: JWTPayload, key = keys.privateKey, kid = 'k1') =>
    new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid }).sign(key)
  const ask = (client_assertion: string, more: Record<string, string> = {}): Promise<Answer> =>
    askToken(portal.origin, {
      grant_type: 'client_credentials',
      scope: 'orders:read',
      client_assertion_type: TYPE,
      client_assertion,
      ...more,
    })

  test('a good one gets a token, with and without client_id', async () => {
    expect((await ask(await sign(claims()))).status).toBe(200)
    expect((await ask(await sign(claims()), { client_id: ID })).status).toBe(200)
  })

  test('8 s in the future is accepted (conformance: skew up to 10 s)', async () => {
    expect((await ask(await sign(claims({ nbf: now() + 8, iat: now() + 8 })))).status).toBe(200)
  })

  test.each<[string, () => Promise<string>]>([
    ['alg none', async () => new UnsecuredJWT(claims()).encode()],
    [
      'HS256 with the public key',
      async () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256' })
          .sign(Buffer.from(JSON.stringify(await exportJWK(keys.publicKey)))),
    ],
    ['the key of another client', () => sign(claims(), others.privateKey)],
    ['an unknown kid', () => sign(claims(), keys.privateKey, 'nope')],
    ['a wrong audience', () => sign(claims({ aud: 'https://else.example' }))],
    ['an audience in a list', () => sign(claims({ aud: [portal.origin] }))],
    ['the token endpoint as audience', () => sign(claims({ aud: `${portal.origin}/oidc/token` }))],
    ['no audience', () => sign(claims({ aud: undefined }))],
    ['no subject', () => sign(claims({ sub: undefined }))],
    ['no issuer', () => sign(claims({ iss: undefined }))],
    ['another issuer than subject', () => sign(claims({ iss: 'app_demo_web' }))],
    ['no id', () => sign(claims({ jti: undefined }))],
    ['no expiry', () => sign(claims({ exp: undefined }))],
    ['expired', () => sign(claims({ exp: now() - 300 }))],
    ['an hour to live', () => sign(claims({ exp: now() + 3600 }))],
    ['not before, in over a minute', () => sign(claims({ nbf: now() + 90 }))],
    ['issued in over a minute', () => sign(claims({ iat: now() + 90 }))],
    ['garbage', async () => 'a.b.c'],
  ])('D20: %s is invalid_client', async (_what, assertion) => {
    const answer = await ask(await assertion())
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([401, 'invalid_client'])
  })

  test('D11, D12: with a secret as well, with another client_id, with another type', async () => {
    expect((await ask(await sign(claims()), { client_id: ID, client_secret: 'x' })).status).toBe(
      400,
    )
    expect((await ask(await sign(claims()), { client_id: 'app_demo_web' })).status).toBe(401)
    expect((await ask(await sign(claims()), { client_assertion_type: 'x' })).status).toBe(401)
  })

  test('D21: of 50 parallel uses one is good', async () => {
    const assertion = await sign(claims())
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(assertion)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49)
  })

  describe('D22: keys by jwks_uri', () => {
    const published = createServer((request, response) => answerAs(request.url ?? '', response))
    let base = ''
    let fetched = 0

    async function answerAs(path: string, response: ServerResponse): Promise<void> {
      fetched += 1
      const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }
      const body = JSON.stringify({ keys: [jwk] })
      if (path === '/redirect') response.writeHead(302, { Location: `${base}/good` }).end()
      else if (path === '/huge') response.end(body + ' '.repeat(10 * 1024 * 1024))
      else if (path === '/good') response.end(body)
      // '/slow' is never answered.
    }

    async function publishAt(jwksUri: string): Promise<void> {
      await op.changePolicy(
        (tx) =>
          tx.$executeRaw`UPDATE "Application" SET "jwks" = NULL, "jwksUri" = ${jwksUri} WHERE "id" = ${ID}`,
      )
    }

    beforeAll(async () => {
      const port = Number(allowedHost.split(':')[1])
      await new Promise<void>((resolve) => published.listen(port, '127.0.0.1', resolve))
      base = `http://${allowedHost}`
    })
    afterAll(() => {
      published.closeAllConnections()
      published.close()
    })

    test('on a host that the operator allows: a token, and one fetch for several', async () => {
      await publishAt(`${base}/good`)
      fetched = 0
      for (let i = 0; i < 3; i += 1) expect((await ask(await sign(claims()))).status).toBe(200)
      expect(fetched).toBe(1)
    })

    test.each(['/redirect', '/huge', '/slow'])('%s is invalid_client', async (path) => {
      await publishAt(base + path)
      expect((await ask(await sign(claims()))).status).toBe(401)
    })

    test('a private address that nobody allowed is not called', async () => {
      await publishAt(`http://localhost:${allowedHost.split(':')[1]}/good`)
      fetched = 0
      expect((await ask(await sign(claims()))).status).toBe(401)
      expect(fetched).toBe(0)
    })
  })
})
