import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Op } from '../../lib/context/op'
import { PREPARED } from '../../lib/host/page-request'
import { createHost } from '../../lib/host/server'
import { machineToken } from '../support/api'
import { type Answer, type Ask, ask, basic, FORM } from '../support/ask'
import { demoDatabase } from '../support/databases'
import { type Portal, startNext, startPortal } from '../support/portal'
import { sendRaw } from '../support/raw'

/** server.ts and plain Next.js, a process of each, must answer the same bytes for the same request. */

let direct: Portal
let next: Portal
let machine: string

beforeAll(async () => {
  const DATABASE_URL = await demoDatabase.postgres()
  const env = { DATABASE_URL, TRUSTED_PROXIES: '1' }
  direct = await startPortal({ args: ['--demo'], env })
  next = await startNext({ ...direct.env, ISSUER: direct.origin })
  machine = await machineToken(direct)
})

afterAll(async () => {
  await next.stop()
  await direct.stop()
})

const LONG = 'x'.repeat(9 * 1024)

const fields = (more: Record<string, string> = {}) => {
  const { client_id, client_secret } = direct.demo().machine
  return new URLSearchParams({
    grant_type: 'client_credentials',
    client_id,
    client_secret,
    scope: 'orders:read orders:export orders:delete',
    ...more,
  }).toString()
}
const token = (body: string, headers: Record<string, string> = {}): Ask => ({
  method: 'POST',
  path: '/oidc/token',
  headers: { ...FORM, ...headers },
  body,
})

/** With the token of a machine that may do everything. */
const apiCall = (body: object, headers: Record<string, string> = {}): Ask => ({
  method: 'POST',
  path: '/api/v1/spaces',
  headers: {
    'content-type': 'application/json',
    authorization: `Bearer ${machine}`,
    ...headers,
  },
  body: JSON.stringify(body),
})

const forwardedFor = (path: string, host: string): Ask => ({
  path,
  headers: {
    host: 'inside.example',
    'x-forwarded-host': `${new URL(direct.origin).host}, ${host}`,
  },
})
const formFrom = (headers: Record<string, string>): Ask => ({
  method: 'POST',
  path: '/login',
  headers: { ...FORM, ...headers },
  body: 'identifier=x',
})

const signOut = (headers: Record<string, string>, more: Record<string, string> = {}): Ask => {
  const [uri = ''] = direct.demo().web.post_logout_redirect_uris
  const query = new URLSearchParams({ post_logout_redirect_uri: uri, ...more })
  return { path: `/oidc/session/end?${query}`, headers }
}

const requests: [string, () => Ask][] = [
  ['a token', () => token(fields())],
  ['a token from this machine', () => token(fields(), { 'x-forwarded-for': '127.0.0.1' })],
  ['a token from elsewhere', () => token(fields(), { 'x-forwarded-for': '203.0.113.9' })],
  ['a wrong secret', () => token(fields({ client_secret: 'wrong' }))],
  ['an unknown client', () => token(fields({ client_id: 'nobody' }))],
  ['a wrong Basic secret', () => token('grant_type=client_credentials', basic('a', 'b'))],
  ['no grant type', () => token(fields({ grant_type: '' }))],
  ['nothing granted', () => token(fields({ scope: 'nope' }))],
  ['a bad form', () => token('a=%zz')],
  ['a 70 KiB body', () => token('x'.repeat(70 * 1024))],
  ['JSON', () => token('{}', { 'content-type': 'application/json' })],
  ['secrets in the query', () => ({ ...token(fields()), path: '/oidc/token?client_secret=x' })],
  ['GET', () => ({ path: '/oidc/token' })],
  ['PUT', () => ({ method: 'PUT', path: '/oidc/token' })],
  ['HEAD', () => ({ method: 'HEAD', path: '/oidc/token' })],
  ['OPTIONS', () => ({ method: 'OPTIONS', path: '/oidc/token' })],
  ['a long URL', () => ({ path: `/.well-known/openid-configuration?${'x'.repeat(8200)}` })],
  ['an API URL of 9 KiB', () => ({ path: `/api/v1/spaces?q=${'x'.repeat(9 * 1024)}` })],
  ['an API body of 3 MiB', () => apiCall({ name: 'x'.repeat(3 * 1024 * 1024) })],
  ['an API call that conflicts', () => apiCall({ key: 'demo', name: 'Demo' })],
  ['a header outside its enum', () => apiCall({}, { consistency: 'lower' })],
  ['discovery', () => ({ path: '/.well-known/openid-configuration' })],
  ['discovery, the other place', () => ({ path: '/oidc/.well-known/openid-configuration' })],
  ['discovery (RFC 8414)', () => ({ path: '/.well-known/oauth-authorization-server' })],
  ['discovery HEAD', () => ({ method: 'HEAD', path: '/.well-known/openid-configuration' })],
  ['discovery POST', () => ({ method: 'POST', path: '/.well-known/openid-configuration' })],
  ['discovery preflight', () => ({ method: 'OPTIONS', path: '/.well-known/openid-configuration' })],
  ['JWKS', () => ({ path: '/oidc/.well-known/jwks.json' })],
  ['a foreign host', () => ({ path: '/oidc/token', headers: { host: 'evil.example' } })],
  ['a page at a foreign host', () => ({ path: '/login', headers: { host: 'evil.example' } })],
  ['a page that a proxy was asked for elsewhere', () => forwardedFor('/login', 'evil.example')],
  ['a token that a proxy was asked for elsewhere', () => forwardedFor('/oidc/me', 'evil.example')],
  ['a form of another site', () => formFrom({ origin: 'https://evil.example' })],
  ['a form of another site, by a person', () => formFrom({ accept: 'text/html' })],
  [
    'a form of another site, by a person in China',
    () => formFrom({ accept: 'text/html', 'accept-language': 'zh-CN' }),
  ],
  [
    'a form of another site that a proxy vouches for',
    () => formFrom({ origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }),
  ],
  ['a sign-in that cannot be trusted', () => ({ path: '/oidc/auth?client_id=nobody' })],
  ['a sign-out without a hint', () => signOut({})],
  ['a sign-out without a hint, in China', () => signOut({ 'accept-language': 'zh-CN' })],
  ['a sign-out with a bad hint', () => ({ path: '/oidc/session/end?id_token_hint=x' })],
  ['healthz', () => ({ path: '/healthz' })],
  ['healthz by address', () => ({ path: '/healthz', headers: { host: '10.0.0.1' } })],
  ['readyz', () => ({ path: '/readyz' })],
]

describe('server.ts and next start answer alike', () => {
  test.each(requests)('%s', async (_what, request) => {
    const [one, other] = await Promise.all([
      ask(direct.origin, request()),
      ask(next.origin, request()),
    ])
    expect(comparable(other)).toEqual(comparable(one))
  })
})

describe('a sign-out that cannot continue, in both hosts', () => {
  const bodies = (request: Ask) =>
    Promise.all([direct, next].map(async ({ origin }) => (await ask(origin, request)).body))

  test.each([
    [
      'L3: without a hint and client_id, a registered address: what is missing is said',
      () => signOut({}),
      'send id_token_hint or client_id with post_logout_redirect_uri',
    ],
    [
      'L3: the same for an address that nobody registered: nobody learns which are',
      () => signOut({}, { post_logout_redirect_uri: 'https://evil.example/' }),
      'send id_token_hint or client_id with post_logout_redirect_uri',
    ],
    [
      'L3: with client_id, an address that it did not register',
      () => {
        const { client_id } = direct.demo().spa
        return signOut({}, { client_id, post_logout_redirect_uri: 'https://evil.example/' })
      },
      'post_logout_redirect_uri is not registered',
    ],
  ])('%s', async (_what, request, reason) => {
    for (const body of await bodies(request())) {
      expect(body).toContain('<h1>This sign-out can’t continue</h1>')
      expect(body).toContain(`<dd>${reason}</dd>`)
      expect(body).not.toContain('sign-in')
    }
  })

  test('in the language of the browser', async () => {
    for (const body of await bodies(signOut({ 'accept-language': 'zh-CN' }))) {
      expect(body).toContain('<h1>无法继续退出登录</h1>')
    }
  })

  test('a sign-in still speaks of signing in', async () => {
    for (const body of await bodies({ path: '/oidc/auth?client_id=nobody' })) {
      expect(body).toContain('<h1>This sign-in can’t continue</h1>')
    }
  })
})

describe('server.ts, which prepares a page itself, and next start, where proxy.ts does it', () => {
  const refused = 'x-middleware-subrequest'

  test.each<[string, Ask]>([
    ['a page', { path: '/login' }],
    ['a page that does not exist', { path: '/nothing/here' }],
    ['a page for somebody who is signed in', { path: '/account?a=b%20c&d' }],
    ['an admin page', { path: '/admin/users' }],
    ['HEAD', { method: 'HEAD', path: '/login' }],
    ['a slash too many', { path: '/login/' }],
    ['an encoded letter', { path: '/%6Cogin' }],
    ['a file', { path: '/favicon.svg' }],
    ['the data of a page', { path: '/login', headers: { rsc: '1' } }],
    ['M20: a header of the inside', { path: '/account', headers: { [refused]: 'proxy:proxy' } }],
  ])('%s: the same headers and the same page', async (_what, request) => {
    const headers = { ...request.headers, origin: direct.origin }
    const [one, other] = await Promise.all(
      [direct, next].map(({ origin }) => ask(origin, { ...request, headers })),
    )
    expect(comparable(seen(other as Answer))).toEqual(comparable(seen(one as Answer)))
  })

  test('M20: nobody can say that a page is prepared', async () => {
    const { host } = new URL(direct.origin)
    const head = ['GET /account HTTP/1.1', `Host: ${host}`, `${PREPARED}: 1`, 'Connection: close']
    for (const portal of [direct, next]) {
      const answer = await sendRaw(portal, `${head.join('\r\n')}\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1.1 307 /)
      expect(answer).toMatch(
        /content-security-policy: default-src 'self'; script-src 'self' 'nonce-/i,
      )
      expect(answer).toMatch(/location: \/login\?returnTo=%2Faccount\r/i)
    }
  })
})

/**
 * What a visitor sees. A nonce is new each time, the order of the data behind the page depends on the
 * clock, and so does what is preloaded; a request ID is of the Node host only.
 */
function seen({ status, headers, body }: Answer): Answer {
  const [, nonce = 'none'] = /'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '') ?? []
  const { link: _link, 'x-request-id': _id, ...sent } = headers
  const same = Object.entries(sent).map(([name, value]) => [
    name,
    String(value).replaceAll(nonce, 'NONCE'),
  ])
  const [, shown = body] = /<body>(.*?)<script/s.exec(body) ?? []
  return { status, headers: Object.fromEntries(same), body: shown }
}

describe('forms that a browser sends as they are, in both hosts', () => {
  const FROM = { 'x-forwarded-for': '203.0.113.5' }
  /** Where the forms of each host lead; see lib/browser/form-action.ts. */
  const send = (origin: string, page: string, fields: Record<string, string>) =>
    ask(origin, {
      method: 'POST',
      path: origin === next.origin ? `${page}/answer` : page,
      headers: { ...FORM, ...FROM, origin: direct.origin, 'accept-language': 'en' },
      body: `${new URLSearchParams(fields)}`,
    })
  const cookiesIn = ({ headers }: Answer) =>
    String(headers['set-cookie']).matchAll(/(gatehouse\.\w+)=[^;]*;(.*?)(?=,gatehouse|$)/g)

  test('a page names the address that takes its form', async () => {
    for (const [{ origin }, action] of [
      [direct, null],
      [next, '/login/answer'],
    ] as const) {
      const { body } = await ask(origin, { path: '/login?identifier=somebody' })
      const [form = ''] = /<form [^>]*novalidate[^>]*>/i.exec(body) ?? []
      expect(/ action="([^"]*)"/.exec(form)?.[1] ?? null).toBe(action)
    }
  })

  test('a password: the same redirect and the same cookies', async () => {
    const { email, password } = direct.demo().admin
    const typed = { identifier: email, password, returnTo: '/account', passkeys: 'no' }
    for (const { origin } of [direct, next]) {
      const answer = await send(origin, '/login', typed)
      expect([answer.status, answer.headers.location]).toEqual([303, '/account'])
      const cookies = [...cookiesIn(answer)].map(([, name, attributes]) => [name, attributes])
      expect(cookies).toEqual([
        ['gatehouse.method', ' Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000'],
        [
          'gatehouse.session',
          expect.stringMatching(/^ Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/),
        ],
      ])
    }
  })

  test('a way on that an application asked for leads over a page of its own (M18)', async () => {
    const { email, password } = direct.demo().admin
    const returnTo = '/oidc/auth/int_of-nobody-at-all'
    const onward = `/login/continue?to=${encodeURIComponent(returnTo)}`
    for (const { origin } of [direct, next]) {
      const answer = await send(origin, '/login', { identifier: email, password, returnTo })
      expect([answer.status, answer.headers.location]).toEqual([303, onward])
      const page = await ask(origin, { path: onward })
      expect(page.body).toContain(`content="0;url=${returnTo}"`)
    }
  })

  test.each<[string, Record<string, string>, string, string]>([
    ['a wrong password', { identifier: 'nobody', password: 'x' }, '/login', 'Check both'],
    ['no password', { identifier: 'nobody' }, '/login', 'Enter your password'],
    ['nobody', { password: 'x' }, '/login', 'Enter your email'],
    ['an answer to no question', { interaction: 'int_x' }, '/consent', 'This request has expired'],
  ])('M8: %s: the Node host says it at once, 400; plain Next.js leads to it', async (...told) => {
    const [, fields, path, text] = told
    const here = await send(direct.origin, path, fields)
    expect([here.status, here.headers['set-cookie']]).toEqual([400, undefined])
    expect(here.headers['content-security-policy']).toContain("script-src 'self' 'nonce-")
    const there = await send(next.origin, path, fields)
    expect([there.status, there.headers['set-cookie']]).toEqual([303, undefined])
    const page = await ask(next.origin, { path: String(there.headers.location) })
    for (const { body } of [here, page]) expect(body).toContain(text)
  })

  test.each([
    ['of another type', 'text/plain', 'identifier=x', 200],
    ['that is not UTF-8', FORM['content-type'], Buffer.from([0x61, 0x3d, 0xff]), 400],
    ['without a field', FORM['content-type'], '', 400],
  ])('a body %s changes nothing', async (_what, type, body, status) => {
    const headers = { 'content-type': type, origin: direct.origin }
    const answer = await ask(direct.origin, { method: 'POST', path: '/login', headers, body })
    expect([answer.status, answer.headers['set-cookie']]).toEqual([status, undefined])
  })

  test('more than 64 KiB is refused', async () => {
    const typed = { identifier: 'x', password: 'y'.repeat(70 * 1024) }
    for (const { origin } of [direct, next]) {
      expect((await send(origin, '/login', typed)).status).toBe(413)
    }
  })
})

test.each([
  ['granted on this machine', '127.0.0.1', 'orders:read orders:export'],
  ['refused elsewhere', '203.0.113.9', 'orders:read'],
])('the conditional item is %s, in both hosts', async (_what, ip, scope) => {
  for (const { origin } of [direct, next]) {
    const { body } = await ask(origin, token(fields(), { 'x-forwarded-for': ip }))
    expect(JSON.parse(body).scope).toBe(scope)
  }
})

test('behind a trusted proxy with a name of its own, X-Forwarded-Host is what was asked for', async () => {
  const { host } = new URL(direct.origin)
  const headers = { host: 'inside.example', 'x-forwarded-host': host, origin: direct.origin }
  for (const { origin } of [direct, next]) {
    const page = await ask(origin, { path: '/login', headers })
    expect([page.status, page.headers['content-type']]).toEqual([
      200,
      expect.stringMatching(/html/),
    ])
    const form = await ask(origin, { method: 'POST', path: '/preferences', headers, body: '' })
    expect(form.status).toBe(303)
    for (const path of ['/login', '/oidc/.well-known/jwks.json']) {
      const foreign = { ...headers, 'x-forwarded-host': 'evil.example' }
      expect((await ask(origin, { path, headers: foreign })).status).toBe(421)
    }
  }
})

test.each<[string, number, string, () => Ask]>([
  ['the URL is too long', 414, 'uri_too_long', () => ({ path: `/api/v1/spaces?q=${LONG}` })],
  [
    'the headers are too large',
    431,
    'headers_too_large',
    () => ({
      path: '/api/v1/spaces',
      headers: { x: LONG + LONG },
    }),
  ],
  ['the body is too large', 413, 'too_large', () => apiCall({ name: LONG.repeat(300) })],
  ['the key exists', 409, 'conflict', () => apiCall({ key: 'demo', name: 'Demo' })],
])(
  'O4: both hosts answer with a problem document when %s',
  async (_what, status, code, request) => {
    for (const { origin } of [direct, next]) {
      expect((await ask(origin, { path: '/healthz' })).status).toBe(200)
      const answer = await ask(origin, request())
      expect([answer.status, answer.headers['content-type']]).toEqual([
        status,
        'application/problem+json',
      ])
      expect(JSON.parse(answer.body)).toMatchObject({ status, code, requestId: expect.any(String) })
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    }
  },
)

describe('an idle connection of the Node host', () => {
  const KEPT = { connection: 'keep-alive' }
  const { keepAliveTimeout } = createHost({} as Op, async () => {})

  test.each(['/oidc/.well-known/jwks.json', '/login', '/oidc/token'])(
    'stays open for much longer than %s promises',
    async (path) => {
      const { headers } = await ask(direct.origin, { path, headers: KEPT })
      const [, seconds] = /^timeout=(\d+)$/.exec(headers['keep-alive'] ?? '') ?? []
      expect(Number(seconds)).toBeGreaterThan(60) // what load balancers use
      expect(keepAliveTimeout).toBeGreaterThanOrEqual(Number(seconds) * 1000 + 10_000)
    },
  )

  test.each<[string, Ask]>([
    ['the client closes it', { path: '/healthz', headers: { connection: 'close' } }],
    ['a page is closed', { path: '/login', headers: { connection: 'close' } }],
    ['the portal closes it', { ...token('x'.repeat(70 * 1024), KEPT) }],
  ])('is promised to nobody when %s', async (_what, request) => {
    const { headers } = await ask(direct.origin, request)
    expect(headers).toMatchObject({ connection: 'close' })
    expect(headers).not.toHaveProperty('keep-alive')
  })
})

/** What belongs to the connection; and Next's router adds its own `Vary` to whatever it serves. */
const TRANSPORT = [
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'vary',
]

function comparable({ status, headers, body }: Answer) {
  const kept = Object.entries(headers).filter(([name]) => !TRANSPORT.includes(name))
  return {
    status,
    headers: { ...Object.fromEntries(kept), 'x-request-id': typeof headers['x-request-id'] },
    body: body
      .replace(/"(access_token|requestId)":"[^"]+"/, '"$1":"..."')
      .replace(/<code>[^<]+</, '<code>...<'),
  }
}
