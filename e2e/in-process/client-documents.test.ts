import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paths } from '../../lib/oidc/paths'
import type { RefusalReason } from '../../lib/oidc/refusal-reasons'
import { callApi, machineToken } from '../support/api'
import { type Ask, ask, askToken, type Fields, FORM } from '../support/ask'
import { appsOf } from '../support/connected-apps'
import { consentAt } from '../support/consent-view'
import { usually } from '../support/databases'
import { type DocumentHost, startDocumentHost } from '../support/document-host'
import { authorizeUrl, pkcePair, received } from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import { OldBrowser } from '../support/old-browser'

/** Client ID metadata documents; docs/attacks.md, from R9 on. */

const WITH_REFRESH = ['authorization_code', 'refresh_token']

describe.each(usually('sqlite'))('an https address as client ID on %s', (kind) => {
  let portal: OpenPortal
  let token: string
  let site: DocumentHost
  /** What was logged of each request. */
  const lines: Record<string, unknown>[] = []

  beforeAll(async () => {
    site = await startDocumentHost()
    const env = { REGISTRATION_OUTBOUND_HOSTS: site.host, TRUSTED_PROXIES: '1' }
    portal = await openPortal({ kind, env })
    portal.op.log.answered = (line) => void lines.push(line)
    token = await machineToken(portal)
  })

  afterAll(async () => {
    await portal.stop()
    site.close()
  })

  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    callApi(portal, token, method, path, body, headers)

  async function set(clientRegistration: object) {
    const { headers } = await call('GET', '/settings')
    const seen = { 'if-match': headers.etag ?? '' }
    const answer = await call('PATCH', '/settings', { clientRegistration }, seen)
    expect(answer.status).toBe(200)
  }

  const { verifier, challenge } = pkcePair()
  let networks = 0

  const request = (client_id: string, more: Record<string, string> = {}) => ({
    client_id,
    redirect_uri: `${site.origin}/cb`,
    response_type: 'code',
    scope: 'openid',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  })

  /** Each from a network of its own, unless told. */
  function authorize(client_id: string, more: Record<string, string> = {}, ip?: string) {
    networks += 1
    return ask(portal.origin, {
      path: authorizeUrl(request(client_id, more)),
      headers: { 'x-forwarded-for': ip ?? `198.51.100.${networks % 250}` },
    })
  }

  async function expectRefused(client_id: string, more: Record<string, string> = {}) {
    const answer = await authorize(client_id, more)
    expect([client_id, answer.status]).toEqual([client_id, 400])
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers).not.toHaveProperty('location')
    const path = `/applications/${encodeURIComponent(client_id)}`
    expect((await call('GET', path)).status).toBe(404)
  }

  /** More than a minute later: documents with `no-store` are read again. */
  const later = () => portal.moveClock(61_000)

  const at = (id: string) => `/applications/${encodeURIComponent(id)}`

  async function change(id: string, fields: object) {
    const answer = await call('PATCH', at(id), fields, { 'if-match': '*' })
    expect([answer.status, answer.raw]).toEqual([200, expect.any(String)])
  }

  test('off by default: not even fetched, and discovery does not name it', async () => {
    await expectRefused(site.document('/off'))
    expect(site.asked('/off')).toBe(0)
    const { body } = await ask(portal.origin, { path: '/.well-known/oauth-authorization-server' })
    expect(JSON.parse(body)).not.toHaveProperty('client_id_metadata_document_supported')
  })

  describe('on', () => {
    beforeAll(() => set({ documents: true }))

    test('discovery and RFC 8414 metadata name it', async () => {
      for (const path of [
        '/.well-known/openid-configuration',
        '/.well-known/oauth-authorization-server',
      ]) {
        const { body } = await ask(portal.origin, { path })
        expect(JSON.parse(body).client_id_metadata_document_supported).toBe(true)
      }
    })

    test('signs a user in; token, userinfo, introspection and logout know it', async () => {
      const id = site.document('/app.json', {
        scope: 'openid email groups',
        logo_uri: `${site.origin}/logo.png`,
      })
      const browser = new OldBrowser(portal.origin)
      const login = await browser.open(authorizeUrl(request(id, { scope: 'openid email groups' })))
      const [alice = { email: '', password: '' }] = portal.demo().users
      const consent = await browser.signIn(login, alice)
      expect(await consentAt(portal, browser, consent)).toMatchObject({
        applicationName: 'Far away',
        documentHost: site.host,
        publisherVerified: false,
      })
      const { code = '' } = received(await browser.submit(consent, {}))
      const fields = { grant_type: 'authorization_code', code, redirect_uri: `${site.origin}/cb` }
      const tokens = await askToken(portal.origin, {
        ...fields,
        client_id: id,
        code_verifier: verifier,
      })
      expect([tokens.status, tokens.body]).toEqual([200, expect.stringContaining('id_token')])
      expect(JSON.parse(tokens.body).scope).toBe('openid email')
      const application = await call('GET', `/applications/${encodeURIComponent(id)}`)
      expect(application.json).toMatchObject({
        id,
        registration: 'metadata_document',
        owner: null,
        kind: 'spa',
      })
      expect(site.asked('/app.json')).toBe(1)
      expect(site.asked('/logo.png')).toBe(0)
      const app = await appsOf(portal, browser).find(id)
      expect(app?.agent).toMatchObject({ by: 'metadata_document', host: site.host })
      const audit = await call('GET', `/audit-events?targetId=${encodeURIComponent(id)}`)
      expect(audit.raw).toContain('registration.created')
      const out = await ask(portal.origin, {
        path: `/oidc/session/end?${new URLSearchParams({ client_id: id })}`,
      })
      expect(out.status).toBeLessThan(400)
    })

    test('R9: it is fetched once while it is fresh', async () => {
      const id = site.document('/fresh', {}, { 'cache-control': 'no-store' })
      for (let i = 0; i < 5; i += 1) expect((await authorize(id)).status).toBe(303)
      expect(site.asked('/fresh')).toBe(1)
    })

    test.each<[string, (url: string) => string]>([
      ['a fragment', (url) => `${url}#x`],
      ['dots', (url) => url.replace('/addresses', '/a/../addresses')],
      ['encoded dots', (url) => url.replace('/addresses', '/%2e%2e/addresses')],
      ['capitals', (url) => url.replace('localhost', 'LOCALHOST')],
      ['a name and a password', (url) => url.replace('https://', 'https://a:b@')],
      ['no path', () => `${site.origin}/`],
      ['this machine', () => 'https://127.0.0.1/client'],
      ['a private address', () => 'https://10.0.0.1/client'],
      ['the metadata service of a cloud', () => 'https://169.254.169.254/latest'],
      ['IPv6 that is IPv4', () => 'https://[::ffff:10.0.0.1]/client'],
      ['another port of this machine', () => 'https://localhost:1/client'],
    ])('R10: %s in the address is refused, and nothing is fetched', async (_what, made) => {
      const before = site.asked('/addresses')
      await expectRefused(made(site.document('/addresses')))
      expect(site.asked('/addresses')).toBe(before)
    })

    test('R11: a document that redirects, loops, is huge or slow, has another type or is not there', async () => {
      const target = site.document('/target')
      const answers: Record<string, Parameters<DocumentHost['serve']>[1]> = {
        '/away': (_q, r) => r.writeHead(302, { location: target }).end(),
        '/loop': (_q, r) => r.writeHead(302, { location: `${site.origin}/loop` }).end(),
        '/huge': (_q, r) =>
          r
            .writeHead(200, { 'content-type': 'application/json' })
            .end(`{"x":"${'x'.repeat(100_000)}"}`),
        '/html': (_q, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
        '/broken': (_q, r) => r.writeHead(200, { 'content-type': 'application/json' }).end('{'),
        '/list': (_q, r) => r.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
        '/slow': (_q, r) => {
          r.writeHead(200, { 'content-type': 'application/json' })
          const timer = setInterval(() => r.write(' '), 200)
          r.on('close', () => clearInterval(timer))
        },
      }
      for (const [path, answer] of Object.entries(answers))
        await expectRefused(site.serve(path, answer))
      expect(site.asked('/loop')).toBe(1)
      expect(site.asked('/target')).toBe(0)
      await expectRefused(`${site.origin}/nowhere`)
    })

    test.each<[string, object]>([
      ['names another address', { client_id: 'https://other.example/client' }],
      ['names no address', { client_id: null }],
      ['has a secret', { client_secret: 'shared' }],
      ['authenticates with a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
      ['has no redirect URI', { redirect_uris: [] }],
      ['has a wildcard', { redirect_uris: ['https://*.example/'] }],
      ['leads into a private network', { redirect_uris: ['https://10.0.0.1/cb'] }],
      ['has the name of the portal', { client_name: 'GATEHOUSE' }],
      [
        'has keys inside',
        { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://10.0.0.1/' },
      ],
    ])('R12: a document that %s', async (what, more) => {
      await expectRefused(site.document(`/${encodeURIComponent(what)}`, more))
    })

    test('R12: a redirect URI that the document does not have makes no application', async () => {
      await expectRefused(site.document('/strict'), { redirect_uri: 'https://evil.example/cb' })
    })

    test('R11, R12: the log has the reason of each refusal, the page has not', async () => {
      later()
      const gone = site.document('/gone')
      expect((await authorize(gone)).status).toBe(303)
      expect((await call('DELETE', at(gone), undefined, { 'if-match': '*' })).status).toBe(204)
      const away = site.serve('/away', (_request, response) => response.writeHead(503).end())
      const evil = { redirect_uri: 'https://evil.example/cb' }
      const cases: [string, Record<string, string>, RefusalReason][] = [
        [`${site.origin}/nothing`, {}, 'document_status'],
        [site.document('/typed', {}, { 'content-type': 'text/html' }), {}, 'document_type'],
        [site.document('/large', { more: 'x'.repeat(20_000) }), {}, 'document_size'],
        [away, {}, 'document_away'],
        [site.document('/mismatch', { client_id: 'x' }), {}, 'document_mismatch'],
        [site.document('/own'), evil, 'document_redirect_uri'],
        [gone, {}, 'document_deleted'],
      ]
      const seen = new Map<string, RefusalReason>()
      for (const [id, more, reason] of cases) {
        const { status, headers, body } = await authorize(id, more)
        expect([status, body]).toEqual([400, expect.not.stringContaining(reason)])
        seen.set(headers['x-request-id'] ?? '', reason)
      }
      for (const [requestId, reason] of seen) {
        const line = lines.find((one) => one.requestId === requestId)
        expect(line).toMatchObject({ error: 'invalid_request', reason })
      }
    })

    test('a public client on the user’s own machine: any port of 127.0.0.1, no other address', async () => {
      const id = site.document('/cli', {
        redirect_uris: ['http://127.0.0.1/cb', `${site.origin}/cb`],
      })
      expect((await authorize(id, { redirect_uri: 'http://127.0.0.1:50123/cb' })).status).toBe(303)
      const wrong = await authorize(id, { redirect_uri: 'http://127.0.0.2:50123/cb' })
      expect(wrong.status).toBe(400)
    })

    test('R13: a document that changes after it was read: the code stays with its address', async () => {
      const id = site.document('/changes')
      const browser = new OldBrowser(portal.origin)
      const login = await browser.open(authorizeUrl(request(id)))
      site.document('/changes', { redirect_uris: ['https://evil.example/cb'] })
      const [alice = { email: '', password: '' }] = portal.demo().users
      const back = await browser.submit(await browser.signIn(login, alice), {})
      expect(back.url.startsWith(`${site.origin}/cb?`)).toBe(true)
      expect((await authorize(id, { redirect_uri: 'https://evil.example/cb' })).status).toBe(400)
    })

    test('R14: hosts of the settings: refused before they are accepted', async () => {
      const id = site.document('/listed')
      for (const lists of [
        { documentHosts: ['*.example.com'], documentDenied: [] },
        { documentHosts: ['localhost'], documentDenied: ['localhost'] },
        { documentHosts: [], documentDenied: ['localhost'] },
      ]) {
        await set(lists)
        await expectRefused(id)
      }
      expect(site.asked('/listed')).toBe(0)
      await set({ documentHosts: ['localhost'], documentDenied: [] })
      expect((await authorize(id)).status).toBe(303)
      await set({ documentHosts: [] })
    })

    test.each<[string, (fields: Fields) => Ask]>([
      [
        'client_id in the address of a POST',
        ({ client_id, ...rest }) => ({
          path: `/oidc/auth?${new URLSearchParams({ client_id: client_id ?? '' })}`,
          headers: FORM,
          body: String(new URLSearchParams(rest)),
        }),
      ],
      [
        'everything in the address of a POST',
        (fields) => ({ path: authorizeUrl(fields), headers: FORM, body: '' }),
      ],
      [
        'a content type in capitals',
        (fields) => ({
          path: '/oidc/auth',
          headers: { 'content-type': 'Application/X-WWW-Form-URLEncoded; charset=utf-8' },
          body: String(new URLSearchParams(fields)),
        }),
      ],
    ])('R15: %s: the settings hold for every way to ask', async (_what, sent) => {
      const id = site.document('/posted')
      const post = () => ask(portal.origin, { method: 'POST', ...sent(request(id)) })
      expect((await post()).status).toBe(303)
      await set({ documentDenied: ['localhost'] })
      expect((await post()).status).toBe(400)
      await set({ documentDenied: [], documents: false })
      expect((await post()).status).toBe(400)
      await set({ documents: true })
    })

    describe('what an admin decided about a client', () => {
      const noStore = { 'cache-control': 'no-store' }
      const native = { redirect_uris: ['http://127.0.0.1/cb'] }
      const toNative = { redirect_uri: 'http://127.0.0.1:5000/cb' }

      test('R16: one that was disabled stays so, and its document is not even read', async () => {
        const id = site.document('/disabled', {}, noStore)
        expect((await authorize(id)).status).toBe(303)
        await change(id, { enabled: false })
        site.document('/disabled', native, noStore)
        later()
        expect((await authorize(id, toNative)).status).toBe(400)
        expect((await authorize(id, toNative)).status).toBe(400)
        expect((await call('GET', at(id))).json).toMatchObject({ enabled: false, kind: 'spa' })
        expect(site.asked('/disabled')).toBe(1)
      })

      test('R16: one that was deleted does not come back', async () => {
        const id = site.document('/deleted')
        expect((await authorize(id)).status).toBe(303)
        const gone = await call('DELETE', at(id), undefined, { 'if-match': '*' })
        expect(gone.status).toBe(204)
        await expectRefused(id)
        expect(site.asked('/deleted')).toBe(1)
      })

      test('R16: what was taken away stays away, whatever the document says next', async () => {
        const [one, two, three] = ['/1', '/2', '/3'].map((path) => site.origin + path)
        const said = { redirect_uris: [one, two], grant_types: WITH_REFRESH }
        const id = site.document('/narrowed', said, noStore)
        const come = () => authorize(id, { redirect_uri: one ?? '' })
        expect((await come()).status).toBe(303)
        const grantTypes = ['authorization_code']
        await change(id, { redirectUris: [one], grantTypes, scopeLimit: ['openid'] })
        for (const redirect_uris of [
          [one, three],
          [one, two, three],
        ]) {
          site.document('/narrowed', { ...said, redirect_uris }, noStore)
          later()
          expect((await come()).status).toBe(303)
          const { json } = await call('GET', at(id))
          const scopeLimit = ['openid']
          expect(json).toMatchObject({ redirectUris: [one, three], grantTypes, scopeLimit })
        }
        const redirect_uris = [two, 'http://127.0.0.1/cb']
        site.document('/narrowed', { ...said, redirect_uris }, noStore)
        later()
        expect((await authorize(id, toNative)).status).toBe(303)
        const { json } = await call('GET', at(id))
        expect(json).toMatchObject({ kind: 'native', redirectUris: ['http://127.0.0.1/cb'] })
        expect(json).toMatchObject({ grantTypes, scopeLimit: ['openid'] })
      })
    })

    test('R17: a document that leads to another host: users are asked again, and it is not verified any more', async () => {
      const noStore = { 'cache-control': 'no-store' }
      const id = site.document('/moves', {}, noStore)
      const browser = new OldBrowser(portal.origin)
      const silently = async (redirect_uri: string) => {
        const asked = request(id, { redirect_uri, prompt: 'none' })
        return received(await browser.open(authorizeUrl(asked)))
      }
      const [alice = { email: '', password: '' }] = portal.demo().users
      const consent = await browser.signIn(await browser.open(authorizeUrl(request(id))), alice)
      expect(received(await browser.submit(consent, {}))).toHaveProperty('code')
      await change(id, { publisher: 'Far away Ltd', publisherVerified: true })
      const [here, there] = [`${site.origin}/cb`, `${site.origin}/there`]
      site.document('/moves', { redirect_uris: [here, there] }, noStore)
      later()
      expect(await silently(there)).toHaveProperty('code')
      expect((await call('GET', at(id))).json).toMatchObject({ publisherVerified: false })
      const away = 'https://evil.example/cb'
      site.document('/moves', { redirect_uris: [here, away] }, noStore)
      later()
      expect(await silently(away)).toMatchObject({ error: 'consent_required' })
      expect(await silently(here)).toMatchObject({ error: 'consent_required' })
    })

    test('R41: a document with another name: users are asked again', async () => {
      const noStore = { 'cache-control': 'no-store' }
      const id = site.document('/renamed', {}, noStore)
      const browser = new OldBrowser(portal.origin)
      const [alice = { email: '', password: '' }] = portal.demo().users
      const consent = await browser.signIn(await browser.open(authorizeUrl(request(id))), alice)
      expect(received(await browser.submit(consent, {}))).toHaveProperty('code')
      const silently = async () =>
        received(await browser.open(authorizeUrl(request(id, { prompt: 'none' }))))
      expect(await silently()).toHaveProperty('code')
      site.document('/renamed', { client_name: 'Contoso Payroll' }, noStore)
      later()
      expect(await silently()).toMatchObject({ error: 'consent_required' })
    })

    test('R18: what was given out ends with its host or with the documents, and not before', async () => {
      await set({ scopes: ['openid', 'profile', 'email', 'offline_access'] })
      const scope = 'openid offline_access'
      const id = site.document('/granted', { grant_types: WITH_REFRESH })
      const browser = new OldBrowser(portal.origin)
      const login = await browser.open(authorizeUrl(request(id, { scope })))
      const [alice = { email: '', password: '' }] = portal.demo().users
      const { code = '' } = received(await browser.submit(await browser.signIn(login, alice), {}))
      const begun = await browser.open(authorizeUrl(request(id, { scope, prompt: 'consent' })))
      let refresh: Fields = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: `${site.origin}/cb`,
        code_verifier: verifier,
      }
      let bearer = ''
      const statuses = async () => {
        const tokens = await askToken(portal.origin, { ...refresh, client_id: id })
        if (tokens.status === 200) {
          const { refresh_token, access_token } = JSON.parse(tokens.body)
          refresh = { grant_type: 'refresh_token', refresh_token }
          bearer = `Bearer ${access_token}`
        }
        const headers = { authorization: bearer }
        const about = await ask(portal.origin, { path: paths.userinfo, headers })
        return [tokens.status, about.status]
      }
      expect(await statuses()).toEqual([200, 200])
      for (const refused of [{ documentDenied: ['localhost'] }, { documents: false }]) {
        await set(refused)
        expect(await statuses()).toEqual([401, 401])
        await set({ documentDenied: [], documents: true })
        expect(await statuses()).toEqual([200, 200])
      }
      await set({ documentHosts: ['other.example'] })
      expect(received(await browser.submit(begun, {}))).not.toHaveProperty('code')
      await set({ documentHosts: [], scopes: ['openid', 'profile', 'email'] })
    })

    test('R19: a dot after the name of a host is no way around the list of refused hosts', async () => {
      await set({ documentDenied: ['evil.invalid'] })
      const { status, body } = await authorize('https://evil.invalid./client.json')
      expect([status, body]).toEqual([400, expect.stringContaining('is not an address that')])
      await set({ documentDenied: [] })
    })

    test('R19: all ports of one host have one limit, whoever asks', async () => {
      const statuses: number[] = []
      for (let i = 0; i < 32; i += 1) {
        statuses.push((await authorize(`https://ports.invalid:${4000 + i}/client`)).status)
      }
      expect([statuses.at(0), statuses.at(-1)]).toEqual([400, 429])
    })

    test('R23: a client that is known goes on while its host is away or others use up the limit', async () => {
      const noStore = { 'cache-control': 'no-store' }
      const id = site.document('/known', {}, noStore)
      expect((await authorize(id)).status).toBe(303)
      later()
      for (let i = 0; i < 31; i += 1) await authorize(`${site.origin}/unknown${i}`)
      expect((await authorize(`${site.origin}/unknown`)).status).toBe(429)
      expect((await authorize(id)).status).toBe(303)
      expect(site.asked('/known')).toBe(2)
      for (const answer of [
        (_q: IncomingMessage, r: ServerResponse) => r.writeHead(503).end(),
        (_q: IncomingMessage, r: ServerResponse) => r.destroy(),
      ]) {
        site.serve('/known', answer)
        later()
        expect((await authorize(id)).status).toBe(303)
      }
      expect(site.asked('/known')).toBe(4)
      site.serve('/known', (_request, response) => response.writeHead(410).end())
      expect((await authorize(id)).status).toBe(400)
    })

    test('R24: few documents are fetched at a time, each by one request', async () => {
      const waiting: (() => void)[] = []
      const slow = (path: string) =>
        site.serve(path, (_request, response) => {
          waiting.push(() => response.writeHead(404).end())
        })
      const ids = Array.from({ length: 8 }, (_, i) => slow(`/slow${i}`))
      const asked = [...ids, ...ids].map((id) => authorize(id))
      await expect.poll(() => waiting.length).toBe(8)
      const ninth = await authorize(site.document('/ninth'))
      expect([ninth.status, ninth.headers['retry-after']]).toEqual([429, '5'])
      for (const answer of waiting) answer()
      const statuses = (await Promise.all(asked)).map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([400]))
      expect(site.asked('/slow0')).toBe(1)
      later()
      expect((await authorize(site.document('/ninth'))).status).toBe(303)
    })

    test('R14: one caller makes the portal fetch a few documents, and then waits', async () => {
      const statuses: number[] = []
      for (let i = 0; i < 32; i += 1) {
        statuses.push((await authorize(`${site.origin}/flood${i}`, {}, '203.0.113.77')).status)
      }
      expect(statuses.at(-1)).toBe(429)
    })

    test('turned off again, a client that is known is refused too', async () => {
      const id = `${site.origin}/fresh`
      await set({ documents: false })
      expect((await authorize(id)).status).toBe(400)
    })
  })
})
