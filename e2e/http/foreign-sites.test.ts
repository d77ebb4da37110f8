import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, FORM } from '../support/ask'
import { authorizeUrl, webRequest } from '../support/flow'
import { filledForm, formOf, OldBrowser } from '../support/old-browser'
import { type Portal, startNext, startPortal } from '../support/portal'

/** What other sites and other names get, from the Node host and from plain Next alike. */

const INSIDE = 'gatehouse.internal:3000'
const EVIL = 'https://evil.example'
const INTERACTION = 'int_of-nobody-at-all'
const TASK = `arq_${'a'.repeat(22)}`

let portals: Record<'server.ts' | 'next start', Portal>

beforeAll(async () => {
  const direct = await startPortal({ args: ['--demo'], env: { ALLOWED_HOSTS: INSIDE } })
  const next = await startNext({ ...direct.env, ISSUER: direct.origin })
  portals = { 'server.ts': direct, 'next start': next }
})

afterAll(async () => {
  await Promise.all(Object.values(portals).map((portal) => portal.stop()))
})

type Headers = Record<string, string>

describe.each(['server.ts', 'next start'] as const)('%s', (host) => {
  const origin = () => portals[host].origin

  let form: ReturnType<typeof openForm> | null = null

  /** It is the same each time. */
  function passwordForm() {
    form ??= openForm()
    return form
  }

  /** The form that asks for a password, with what a visitor types. */
  async function openForm() {
    const { email, password } = portals['server.ts'].demo().admin
    const browser = new OldBrowser(origin())
    const page = await browser.open(`/login?${new URLSearchParams({ identifier: email })}`)
    const { action, body } = filledForm(page, { identifier: email, password })
    const { pathname, search } = new URL(action)
    return { path: pathname + search, body }
  }

  async function send(path: string, body: FormData | URLSearchParams, headers: Headers) {
    const bytes = new Response(body)
    const type = bytes.headers.get('content-type') ?? ''
    return ask(origin(), {
      method: 'POST',
      path,
      headers: { 'content-type': type, ...headers },
      body: Buffer.from(await bytes.arrayBuffer()),
    })
  }

  /** As a browser without script does it, with these headers and no others. */
  async function signIn(headers: Headers) {
    const { path, body } = await passwordForm()
    return send(path, body, { accept: 'text/html', ...headers })
  }

  /** As Next's script does it: the action by its id, the form among its arguments. */
  async function callAction(headers: Headers, path = '/forgot') {
    const { inputs } = formOf(await new OldBrowser(origin()).open('/forgot'))
    const [, action = '{}'] = inputs.find(([name]) => name === '$ACTION_1:0') ?? []
    const body = new FormData()
    body.append('_1_identifier', 'nobody@example.org')
    body.append('0', '[{},"$K1"]')
    return send(path, body, { ...headers, 'next-action': JSON.parse(action).id })
  }

  describe('Q16: a form of another site is 403 and signs nobody in', () => {
    const nextDoor = () => `http://localhost:${Number(new URL(origin()).port) + 1}`
    test.each<[string, () => Headers]>([
      ['a foreign Origin', () => ({ origin: EVIL })],
      ['a foreign Origin, of a browser of today', () => crossSite({ origin: EVIL })],
      ['another port of this machine', () => ({ origin: nextDoor() })],
      ['Sec-Fetch-Site: cross-site without Origin', () => crossSite()],
      ['Sec-Fetch-Site: cross-site with Origin: null', () => crossSite({ origin: 'null' })],
      ['Sec-Fetch-Site: cross-site with our own Origin', () => crossSite({ origin: origin() })],
      [
        'Sec-Fetch-Site: same-site',
        () => ({ 'sec-fetch-site': 'same-site', origin: 'https://blog.example' }),
      ],
      [
        'a foreign Origin that says it is our own',
        () => ({ 'sec-fetch-site': 'same-origin', origin: EVIL }),
      ],
      [
        'a foreign Origin with a matching X-Forwarded-Host',
        () => ({ origin: EVIL, 'x-forwarded-host': 'evil.example' }),
      ],
      ['Origin: null alone', () => ({ origin: 'null' })],
      ['an Origin that is none', () => ({ origin: 'evil' })],
      ['neither header', () => ({})],
    ])('Q16: %s', async (_what, headers) => {
      const answer = await signIn(headers())
      expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.body).toContain('<h1>This form was not accepted</h1>')
    })

    test('Q16: an action, called by script', async () => {
      for (const headers of [{ origin: EVIL }, crossSite(), {}]) {
        const answer = await callAction(headers)
        expect([answer.status, answer.headers['x-action-redirect']]).toEqual([403, undefined])
      }
      const own = await callAction({ 'sec-fetch-site': 'same-origin', origin: origin() })
      expect(own.headers['content-type']).toBe('text/x-component')
      expect(own.headers['x-action-redirect']).toBe('/forgot/sent;push')
    })

    test('Q16: where plain Next.js takes a form that was sent to its page', async () => {
      const { body } = await passwordForm()
      for (const path of ['/login/answer', '/consent/answer']) {
        const { status, headers } = await send(path, body, crossSite({ origin: EVIL }))
        expect([path, status, headers['set-cookie']]).toEqual([path, 403, undefined])
      }
    })
  })

  test.each<[string, () => Headers]>([
    [
      'a browser of today, with script',
      () => ({ 'sec-fetch-site': 'same-origin', origin: origin() }),
    ],
    [
      'a browser of today, without script',
      () => ({ 'sec-fetch-site': 'same-origin', origin: 'null' }),
    ],
    ['an older browser', () => ({ origin: origin() })],
    [
      'somebody behind a proxy that nobody trusts',
      () => ({ origin: origin(), 'x-forwarded-host': 'evil.example' }),
    ],
    ['somebody at an allowed name', () => ({ origin: `https://${INSIDE}`, host: INSIDE })],
  ])('Q16: our own form signs in %s', async (_who, headers) => {
    const answer = await signIn(headers())
    expect(answer.status).toBe(303)
    expect(String(answer.headers['set-cookie'])).toContain('gatehouse.session=')
    expect(answer.headers.location).toBe('/')
  })

  test('Q16: every page and every method that changes something refuses another site', async () => {
    const taken: string[] = []
    for (const path of addresses()) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const headers = { ...crossSite({ origin: EVIL }), 'content-length': '0' }
        const { status } = await ask(origin(), { method, path, headers })
        if (status !== 403) taken.push(path)
      }
    }
    expect([...new Set(taken)].toSorted()).toEqual(FOR_OTHERS)
  })

  test('Q16: no action runs at an address that is made for others', async () => {
    for (const path of [...FOR_OTHERS, '/_next/static/x.js', '/_next/static/../../login']) {
      const { headers } = await callAction({ origin: EVIL }, path)
      expect([path, headers['x-action-redirect']]).toEqual([path, undefined])
    }
  })

  describe('what other sites may send still arrives', () => {
    test('a link', async () => {
      const { status } = await ask(origin(), { path: '/login', headers: crossSite() })
      expect(status).toBe(200)
    })

    test('an authorization request, by GET and by POST (OpenID Connect Core 3.1.2.1)', async () => {
      const [path = '', body] = authorizeUrl(webRequest(portals['server.ts'].demo())).split('?')
      const headers = crossSite({ origin: 'http://localhost:4000' })
      const asked = [
        await ask(origin(), { path: `${path}?${body}`, headers }),
        await ask(origin(), {
          method: 'POST',
          path,
          headers: { ...headers, ...FORM },
          body: body ?? '',
        }),
      ]
      for (const { status, headers: answered } of asked) {
        expect(status).toBe(303)
        expect(answered.location).toMatch(/\/login\?|^\/oidc\/auth\/int_/)
      }
    })

    test('a logout, by POST (RP-Initiated Logout 2)', async () => {
      const answer = await ask(origin(), {
        method: 'POST',
        path: '/oidc/session/end',
        headers: { ...crossSite({ origin: 'http://localhost:4000' }), ...FORM },
        body: 'client_id=app_demo_web',
      })
      expect(answer.status).toBe(303)
    })
  })

  describe('another name of this machine', () => {
    const foreign = { host: 'evil.example' }
    const STATIC = ['/favicon.svg', '/robots.txt', '/error-page.css', '/branding.css']

    test('gets 421 from every page, picture, file and endpoint', async () => {
      const answered: [string, number][] = []
      for (const path of [...addresses(), ...STATIC, '/nothing-here', '/avatar/ava_x']) {
        const { status } = await ask(origin(), { path, headers: foreign })
        if (status !== 421) answered.push([path, status])
      }
      const probes = ['/api/scheduled', '/healthz', '/metrics', '/readyz']
      expect(answered.map(([path]) => path).toSorted()).toEqual(probes)
    })

    test('gets 421 before anything is looked at, whatever X-Forwarded-Host says', async () => {
      const own = new URL(origin()).host
      for (const headers of [foreign, { ...foreign, 'x-forwarded-host': own }]) {
        const { status, body } = await ask(origin(), { path: '/login', headers })
        expect([status, body]).toEqual([
          421,
          expect.stringContaining('use the host name of the issuer'),
        ])
      }
    })

    test('is served when ALLOWED_HOSTS names it; X-Forwarded-Host changes nothing', async () => {
      for (const headers of [{ host: INSIDE }, { 'x-forwarded-host': 'evil.example' }]) {
        const { status } = await ask(origin(), { path: '/login', headers: headers as Headers })
        expect(status).toBe(200)
      }
    })

    test.each(['/healthz', '/readyz'])('%s answers by address', async (path) => {
      const { status } = await ask(origin(), { path, headers: { host: '10.0.0.1' } })
      expect(status).toBe(200)
    })
  })
})

function crossSite(more: Headers = {}): Headers {
  return { 'sec-fetch-site': 'cross-site', ...more }
}

/**
 * Endpoints that do not rest on a cookie, or that a specification opens to other sites: whoever
 * adds one here says which of the two it is.
 */
const FOR_OTHERS = [
  '/.well-known/authzen-configuration', // reads only: 405
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/oidc',
  '/.well-known/oauth-protected-resource/api/v1',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/openid-configuration',
  '/access/v1/evaluation', // a bearer token
  '/access/v1/evaluations',
  '/access/v1/request',
  `/access/v1/request/${TASK}`,
  `/access/v1/request/${TASK}/cancel`,
  '/access/v1/search/action',
  '/access/v1/search/resource',
  '/access/v1/search/subject',
  '/api/scheduled', // a bearer token
  '/api/v1/x', // a bearer token, or a cookie with a header and an origin of its own rule
  '/healthz', // reads only
  '/login/continue', // reads only
  '/metrics',
  '/oidc/.well-known/jwks.json',
  '/oidc/.well-known/openid-configuration',
  '/oidc/auth', // OpenID Connect Core 3.1.2.1; asks the person
  `/oidc/auth/${INTERACTION}`, // reads only
  '/oidc/device_authorization', // the client's credentials
  '/oidc/me', // a bearer token
  '/oidc/register', // reads no cookie (RFC 7591)
  '/oidc/register/x', // a registration access token (RFC 7592)
  '/oidc/session/end', // RP-Initiated Logout 2; asks the person
  '/oidc/token', // the client's credentials
  '/oidc/token/introspection',
  '/oidc/token/revocation',
  '/readyz',
  '/resources/x/metadata/x', // reads only (RFC 9728)
]

/** One address for each page and route under app/. */
function addresses(): string[] {
  const app = fileURLToPath(new URL('../../app', import.meta.url))
  return readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)(page\.tsx|route\.ts)$/.test(file))
    .map((file) => `/${file.replace(/\/?(page\.tsx|route\.ts)$/, '')}`)
    .map((path) => path.replaceAll(/\/\([^)]+\)/g, '').replace('[interaction]', INTERACTION))
    .map((path) => path.replace('[task]', TASK))
    .map((path) => path.replaceAll(/\[{1,2}[^\]]+\]{1,2}/g, 'x') || '/')
}
