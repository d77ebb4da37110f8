import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loginOf, ok, people, WANTED, worldIn } from '../support/access-requests'
import { callApi, machineToken } from '../support/api'
import { ask, askToken, machineFields } from '../support/ask'
import { type DocumentHost, startDocumentHost } from '../support/document-host'
import { type Example, startExample } from '../support/example'
import {
  Agent,
  authorize,
  CALLBACK,
  callTool,
  connect,
  newClient,
  registered,
} from '../support/mcp-agent'
import { OldBrowser } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'
import { freePort } from '../support/postgres'

/**
 * MCP: a protected server with the official SDK, and what an agent's user sees of it; the rest of
 * the portal's own server is in e2e/in-process. docs/attacks.md, S1 to S10 and Q120 to Q122.
 */

const YES: [string, string] = ['answer', 'yes']

describe('MCP', () => {
  let portal: Portal
  let token: string
  let site: DocumentHost

  beforeAll(async () => {
    site = await startDocumentHost()
    // Of its own: the programs of others ask it over HTTP, and it reads their documents.
    portal = await startPortal({ args: ['--demo'], env: site.env })
    token = await machineToken(portal)
  })

  afterAll(async () => {
    await portal.stop()
    site.close()
  })

  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    callApi(portal, token, method, path, body, headers)

  const person = (at: number) => portal.demo().users[at] ?? portal.demo().admin

  async function changeOrders(body: object): Promise<void> {
    const path = '/spaces/spc_demo/resources/orders'
    const { headers } = await call('GET', path)
    const answer = await call('PATCH', path, body, { 'if-match': headers.etag ?? '' })
    expect([answer.status, answer.raw]).toEqual([200, expect.any(String)])
  }

  // -------------------------------------------------------------- a server of others

  describe('examples/mcp-server.mjs, with auth() of the SDK', () => {
    let server: Example
    let url: string

    beforeAll(async () => {
      const port = await freePort()
      url = `http://localhost:${port}/mcp`
      await changeOrders({ audience: `http://localhost:${port}/`, subpaths: true })
      const scopes = ['openid', 'offline_access', 'orders:read', 'orders:refund']
      const clientRegistration = { mode: 'open', documents: true, scopes }
      const set = await call('PATCH', '/settings', { clientRegistration }, { 'if-match': '*' })
      expect([set.status, set.raw]).toEqual([200, expect.any(String)])
      server = startExample(['examples/mcp-server.mjs'], {
        ISSUER: portal.origin,
        PORT: String(port),
      })
      await server.says(/The MCP server is at/)
    })

    afterAll(() => server.stop())

    const ways: [string, () => Promise<Agent>][] = [
      [
        'a metadata document',
        async () => {
          const redirectUrl = `${site.origin}/cb`
          return new Agent({ redirectUrl, clientMetadataUrl: site.document('/agent.json') })
        },
      ],
      ['dynamic registration', async () => new Agent({ redirectUrl: CALLBACK })],
      ['a registered client', () => registered(call, ['orders:read', 'orders:refund'])],
    ]

    test.each(ways)('%s: the whole conversation, with step-up', async (_way, make) => {
      const agent = await make()
      expect(await authorize(agent, { serverUrl: url })).toBe('REDIRECT')
      expect(agent.asked()).toMatchObject({ resource: url, code_challenge_method: 'S256' })
      expect(agent.asked().scope?.split(' ')).toContain('orders:read')
      const browser = new OldBrowser(portal.origin)
      await agent.signedInBy(browser, person(1), ['orders:read'], url)
      const client = await connect(url, agent)
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(['list_orders', 'refund_order'])
      const listed = await callTool(client, 'list_orders', {})
      expect(listed.json.for).toBe('usr_demo_bob')
      // The scope is missing: the SDK asks the user for it.
      await expect(
        client.callTool({ name: 'refund_order', arguments: { id: 1001 } }),
      ).rejects.toThrow()
      expect(agent.asked().scope?.split(' ')).toContain('orders:refund')
      await agent.signedInBy(browser, person(1), ['orders:read', 'orders:refund'], url)
      const refunded = await callTool(client, 'refund_order', { id: 1001 })
      expect(refunded.json).toEqual({ refunded: 1001, by: 'usr_demo_bob' })
      await client.close()
    })

    test('examples/agent.mjs signs in with a metadata document, and again for another scope', async () => {
      const redirect_uris = ['http://127.0.0.1/callback']
      const port = await freePort()
      const agent = startExample(['examples/agent.mjs'], {
        SERVER: url,
        PORT: String(port),
        TOOL: 'refund_order',
        ARGUMENTS: '{"id":1002}',
        CLIENT_DOCUMENT: site.document('/example.json', { redirect_uris }),
      })
      const browser = new OldBrowser(portal.origin)
      const agree = async (address: string, scope: string[]) => {
        let page = await browser.open(address)
        if (page.url.includes('/login')) page = await browser.signIn(page, person(1))
        if (page.url.includes('/consent')) page = await browser.submit(page, { scope })
        expect((await fetch(page.url)).status).toBe(200)
      }
      await agree(await agent.says(/Open (\S+)/), ['orders:read'])
      await agent.says(/Tools: list_orders, refund_order/)
      await agree(await agent.says(/Open [\s\S]*Open (\S+)/), ['orders:read', 'orders:refund'])
      await agent.says(/"refunded":1002/)
      expect(await agent.exited).toBe(0)
    })

    test('a user who lacks the permission is told by scope_rejected, and the server refuses', async () => {
      const agent = await registered(call, ['orders:read', 'orders:refund'])
      await authorize(agent, { serverUrl: url, scope: 'orders:read orders:refund' })
      await agent.signedInBy(new OldBrowser(portal.origin), person(0), ['orders:read'], url)
      expect(agent.saved?.scope).toBe('orders:read')
    })

    test('the token is for the address that was named, and a refresh keeps it', async () => {
      const agent = await registered(call, ['orders:read'])
      await authorize(agent, { serverUrl: url, scope: 'orders:read offline_access' })
      await agent.signedInBy(new OldBrowser(portal.origin), person(0), ['orders:read'], url)
      const first = agent.saved
      expect(claimsOf(first?.access_token).aud).toBe(url)
      expect(await authorize(agent, { serverUrl: url })).toBe('AUTHORIZED')
      expect(agent.saved?.access_token).not.toBe(first?.access_token)
      expect(claimsOf(agent.saved?.access_token).aud).toBe(url)
    })

    test('S10: a bad request does not stop it, and it does not wait for the end of a stream', async () => {
      const { origin } = new URL(url)
      for (const bad of [{ path: '//' }, { method: 'TRACE', path: '/mcp' }]) {
        expect([bad, (await ask(origin, bad)).status]).toEqual([bad, 400])
      }
      const fields = machineFields(portal, { scope: 'orders:read', resource: url })
      const issued = JSON.parse((await askToken(portal.origin, fields)).body)
      const left = new AbortController()
      const listening = await fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${issued.access_token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'subscriptions/listen',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'subscriptions/listen',
          params: {
            notifications: { toolsListChanged: true },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
        signal: AbortSignal.any([left.signal, AbortSignal.timeout(10_000)]),
      })
      expect([listening.status, listening.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('text/event-stream'),
      ])
      left.abort()
      expect((await ask(origin, { path: '/nothing' })).status).toBe(404)
    })

    test('S1: the addresses of an API with subpaths, at the token endpoint', async () => {
      const base = new URL(url).origin
      const tokenFor = async (...resources: string[]) => {
        const fields = new URLSearchParams(machineFields(portal, { scope: 'orders:read' }))
        for (const resource of resources) fields.append('resource', resource)
        const { status, body } = await askToken(portal.origin, fields.toString())
        const json = JSON.parse(body)
        return status === 200 ? claimsOf(json.access_token).aud : json.error
      }
      expect(await tokenFor(`${base}/tenants/7/mcp`)).toBe(`${base}/tenants/7/mcp`)
      expect(await tokenFor(`${base}/`)).toBe(`${base}/`)
      expect(await tokenFor(base)).toBe(`${base}/`)
      expect(await tokenFor()).toBe(`${base}/`)
      for (const bad of ['/a/../b', '/a%2fb', '//a', '/a?b', '/a#b']) {
        expect([bad, await tokenFor(base + bad)]).toEqual([bad, 'invalid_target'])
      }
      expect(await tokenFor(`${base}/a`, `${base}/b`)).toBe('invalid_target')
      expect(await tokenFor(`${base}/a`, `${base}/a`)).toBe(`${base}/a`)
    })

    test('introspection: an introspector of the API knows a token for an address below it', async () => {
      const fields = machineFields(portal, { scope: 'orders:read', resource: url })
      const issued = JSON.parse((await askToken(portal.origin, fields)).body)
      const { id, secret } = await newClient(call, [])
      const introspect = async () => {
        const answer = await ask(portal.origin, {
          method: 'POST',
          path: '/oidc/token/introspection',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            client_id: id,
            client_secret: secret,
            token: issued.access_token,
          }).toString(),
        })
        return JSON.parse(answer.body)
      }
      expect(await introspect()).toEqual({ active: false })
      await changeOrders({ introspectors: [id] })
      expect(await introspect()).toMatchObject({ active: true, aud: url })
    })
  })

  // -------------------------------------------------------------- the portal's own server

  describe('/mcp', () => {
    const url = () => `${portal.origin}/mcp`
    const read = ['permissions:explain', 'scopes:decide', 'roles:read', 'applications:read']
    test('S8: a consent for /mcp does not open /api/v1 silently', async () => {
      const agent = await registered(call, ['roles:read', 'assignments:write'])
      const scope = 'roles:read assignments:write'
      await authorize(agent, { serverUrl: url(), scope })
      const browser = new OldBrowser(portal.origin)
      await agent.signedInBy(browser, portal.demo().admin, scope.split(' '), url())
      const { pathname = '', searchParams } = agent.sentTo ?? {}
      const reached = (more: Record<string, string>) => {
        const { resource: _mcp, ...asked } = Object.fromEntries(searchParams ?? [])
        return browser.open(`${pathname}?${new URLSearchParams({ ...asked, ...more })}`)
      }
      const api = { resource: `${portal.origin}/api/v1` }
      // The same again needs no answer, and neither does reading.
      expect((await reached({ resource: url() })).url).toContain(`${CALLBACK}?code=`)
      expect((await reached({ ...api, scope: 'roles:read' })).url).toContain(`${CALLBACK}?code=`)
      for (const more of [api, {}]) {
        const silent = await reached({ ...more, prompt: 'none' })
        expect(new URL(silent.url).searchParams.get('error')).toBe('consent_required')
        const page = await reached(more)
        expect([page.url, page.html]).toEqual([
          expect.stringContaining('/consent'),
          expect.stringContaining('changes to this portal without asking you again'),
        ])
        const agreed = await browser.submit(page, { scope: scope.split(' ') })
        expect(agreed.url).toContain(`${CALLBACK}?code=`)
      }
    })

    test('S6: an agent explains a refusal, dry-runs the change, is refused it without the scope, and makes it with', async () => {
      const agent = await registered(call, [...read, 'assignments:write'])
      await authorize(agent, { serverUrl: url(), scope: read.join(' ') })
      expect(agent.asked().resource).toBe(url())
      const browser = new OldBrowser(portal.origin)
      const { admin } = portal.demo()
      await agent.signedInBy(browser, admin, read, url())
      const client = await connect(url(), agent)
      const names = (await client.listTools()).tools.map(({ name }) => name)
      expect(names).toContain('explain_permission')
      expect(names).not.toContain('give_role')

      const question = { user: 'usr_demo_alice', permission: 'orders:refund' }
      const why = await callTool(client, 'explain_permission', question)
      expect(why.json).toMatchObject({ allowed: false, code: 'not_permitted' })
      expect(why.json.wouldChange).toEqual(expect.arrayContaining([expect.anything()]))

      const change = {
        kind: 'assign',
        role: 'manager',
        subject: { type: 'user', id: 'usr_demo_alice' },
      }
      const impact = await callTool(client, 'preview_impact', { space: 'spc_demo', change })
      expect([impact.isError, JSON.stringify(impact.json)]).toEqual([
        false,
        expect.stringContaining('orders:refund'),
      ])
      const dry = await callTool(client, 'dry_run_token', {
        client: 'app_demo_web',
        user: 'usr_demo_alice',
        scope: 'orders:refund',
      })
      expect(dry.json.scope_rejected).toBe('orders:refund')

      // Without the scope: 403 with the challenge, and the SDK sends the user for more.
      const given = { user: 'usr_demo_alice', role: 'rol_demo_manager' }
      agent.sentTo = undefined
      await expect(client.callTool({ name: 'give_role', arguments: given })).rejects.toThrow()
      expect(agent.asked().scope?.split(' ')).toContain('assignments:write')
      await agent.signedInBy(browser, admin, [...read, 'assignments:write'], url())

      // With it: nothing happens before the user has confirmed.
      const first = await callTool(client, 'give_role', given)
      expect([first.isError, first.json.status]).toEqual([true, 'confirmation_needed'])
      const link = String(first.json.url)
      expect((await callTool(client, 'give_role', given)).json.url).toBe(link)
      // Whatever name the agent has for the user, the page says who it is.
      const { email } = person(0)
      const byAddress = { ...given, user: email.toUpperCase() }
      expect((await callTool(client, 'give_role', byAddress)).json.url).toBe(link)
      expect((await callTool(client, 'explain_permission', question)).json.allowed).toBe(false)
      const outsider = new OldBrowser(portal.origin)
      expect((await outsider.open(link)).url).toContain('/login')
      await outsider.signIn(await outsider.open('/login'), person(0))
      expect((await outsider.open(link)).html).toContain('There is nothing to confirm')
      // The user finds it without the link, and nobody else does.
      const { pathname } = new URL(link)
      const waits = async (who: OldBrowser) =>
        (await who.open('/account/apps')).html.includes(pathname)
      expect([await waits(browser), await waits(outsider)]).toEqual([true, false])

      const page = await browser.open(link)
      expect(page.html).toContain('Give a role to a user')
      expect(page.html).toContain('usr_demo_alice')
      expect(page.html).toContain(email)
      expect(page.html).not.toContain(email.toUpperCase())
      // No button, no answer; and none for a policy that has changed since the page was read.
      expect((await browser.submit(page, {})).html).toContain('Confirm a change?')
      await changeOrders({ name: 'Orders!' })
      const late = await browser.submit(page, {}, YES)
      expect(late.html).toContain('changed meanwhile')
      const done = await browser.submit(late, {}, YES)
      expect(done.html).toContain('You confirmed the change')
      expect(await waits(browser)).toBe(false)
      const other = await callTool(client, 'give_role', { ...given, user: 'usr_demo_bob' })
      expect(other.json.status).toBe('confirmation_needed')
      const made = await callTool(client, 'give_role', given)
      expect([made.isError, made.json]).toEqual([false, { done: true }])
      expect((await callTool(client, 'explain_permission', question)).json.allowed).toBe(true)

      // Once only, and not after the policy changed.
      const again = await callTool(client, 'give_role', given)
      expect(again.json.status).toBe('confirmation_needed')
      await browser.submit(await browser.open(String(again.json.url)), {}, YES)
      await changeOrders({ name: 'Orders' })
      const stale = await callTool(client, 'give_role', given)
      expect(stale.json.status).toBe('confirmation_needed')
      expect(stale.json.url).not.toBe(again.json.url)

      // Declined: the agent is told, and does not ask again.
      await browser.submit(await browser.open(String(stale.json.url)), {}, ['answer', 'no'])
      const declined = await callTool(client, 'give_role', given)
      expect([declined.isError, declined.json.code]).toEqual([true, 'forbidden'])
      await client.close()

      const audit = await call('GET', '/audit-events?event=change.confirmed')
      expect(audit.json.data).toHaveLength(2)
    })

    test.each(['2026-07-28', '2025-11-25', '2025-06-18'])('revision %s', async (revision) => {
      const agent = await registered(call, ['roles:read', 'assignments:write'])
      const scope = 'roles:read assignments:write'
      await authorize(agent, { serverUrl: url(), scope })
      const browser = new OldBrowser(portal.origin)
      await agent.signedInBy(browser, portal.demo().admin, scope.split(' '), url())
      const isNew = revision === '2026-07-28'
      const client = await connect(url(), agent, {
        capabilities: { elicitation: { url: {} } },
        ...(isNew
          ? { versionNegotiation: { mode: { pin: revision } } }
          : { supportedProtocolVersions: [revision] }),
      })
      expect(client.getNegotiatedProtocolVersion()).toBe(revision)
      const roles = await callTool(client, 'list_roles', {})
      expect(JSON.stringify(roles.json)).toContain('rol_demo_clerk')
      // The client opens the page for the user; older revisions have no way back to it here.
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        const link = 'url' in params ? String(params.url) : ''
        await browser.submit(await browser.open(link), {}, YES)
        return { action: 'accept' as const }
      })
      const given = { user: 'usr_demo_bob', role: 'rol_demo_clerk' }
      const answer = await callTool(client, 'give_role', given)
      expect(answer.json).toEqual(
        isNew ? { done: true } : expect.objectContaining({ status: 'confirmation_needed' }),
      )
      await client.close()
    })

    test('Q120, Q121: an agent asks for access if its user confirms it, and decides and opens nothing', async () => {
      const { nora, otto, pia } = await people(portal, ['nora', 'otto', 'pia'])
      const approvers = [otto, pia].map(({ id }) => ({ type: 'user', id }))
      const emergency = { people: [{ type: 'user', id: nora.id }], reviewers: approvers }
      await worldIn(portal, [], { stages: [{ approvers, needed: 1 }], emergency })
      const agent = await registered(call, ['permissions:request'])
      await authorize(agent, { serverUrl: url(), scope: 'permissions:request' })
      const browser = new OldBrowser(portal.origin)
      await agent.signedInBy(browser, loginOf('nora'), ['permissions:request'], url())
      const client = await connect(url(), agent)
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual([
        'list_requestable_permissions',
        'list_access_requests',
        'ask_for_access',
      ])

      const can = await callTool(client, 'list_requestable_permissions', {})
      // Whoever may open it in an emergency does so in person.
      expect(can.json.data).toEqual([
        expect.objectContaining({ scope: WANTED, emergency: null, request: null }),
      ])
      const wanted = { scope: WANTED, reason: 'The year ends' }
      for (const more of [{ emergency: true }, { request: 'arq_1' }, { binding: 'x' }]) {
        const refused = await callTool(client, 'ask_for_access', { ...wanted, ...more })
        expect([more, refused.json.code]).toEqual([more, 'invalid'])
      }
      for (const scope of ['ledger:read', 'nothing:at-all']) {
        const refused = await callTool(client, 'ask_for_access', { ...wanted, scope })
        expect([scope, refused.json.code]).toEqual([scope, 'invalid'])
      }
      const first = await callTool(client, 'ask_for_access', wanted)
      expect([first.isError, first.json.status]).toEqual([true, 'confirmation_needed'])
      const own = () => callTool(client, 'list_access_requests', {})
      expect((await own()).json.data).toEqual([])
      const page = await browser.open(String(first.json.url))
      expect(page.html).toContain('Ask for access for you')
      for (const text of Object.values(wanted)) expect(page.html).toContain(text)
      await browser.submit(page, {}, YES)
      const asked = await callTool(client, 'ask_for_access', wanted)
      expect([asked.isError, asked.json]).toEqual([
        false,
        expect.objectContaining({ status: 'pending', emergency: false, ...wanted }),
      ])
      expect((await own()).json.data).toEqual([expect.objectContaining({ id: asked.json.id })])
      await client.close()

      // The agent of the one who decides sees nothing of it, and its token decides nothing.
      const helper = await registered(call, ['permissions:request'])
      await authorize(helper, { serverUrl: url(), scope: 'permissions:request' })
      const ottos = new OldBrowser(portal.origin)
      await helper.signedInBy(ottos, loginOf('otto'), ['permissions:request'], url())
      const other = await connect(url(), helper)
      expect((await callTool(other, 'list_access_requests', {})).json.data).toEqual([])
      for (const view of ['decide', 'review', 'all']) {
        const refused = await callTool(other, 'list_access_requests', { view })
        expect([view, refused.json.code]).toEqual([view, 'invalid'])
      }
      await other.close()
      const path = `/access-requests/${asked.json.id}/approval`
      const byAgent = await callApi(portal, helper.saved?.access_token ?? '', 'POST', path, {})
      expect([byAgent.status, byAgent.json.code]).toEqual([401, 'invalid_token'])
      expect(ok(await otto.call('POST', path, {})).status).toBe('approved')
    })

    test('Q122: what was allowed for asking at /mcp does not open /api/v1 silently', async () => {
      const scope = 'permissions:request'
      const agent = await registered(call, [scope])
      await authorize(agent, { serverUrl: url(), scope })
      const browser = new OldBrowser(portal.origin)
      await agent.signedInBy(browser, person(0), [scope], url())
      const { resource: _mcp, ...asked } = agent.asked()
      const reached = (more: object) =>
        browser.open(`${agent.sentTo?.pathname}?${new URLSearchParams({ ...asked, ...more })}`)
      expect((await reached({ resource: url() })).url).toContain(`${CALLBACK}?code=`)
      const silent = await reached({ prompt: 'none' })
      expect(new URL(silent.url).searchParams.get('error')).toBe('consent_required')
      expect((await reached({})).html).toContain('without asking you again')
    })
  })
})

function claimsOf(token: string | undefined): Record<string, unknown> {
  const [, payload = ''] = (token ?? '').split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}
