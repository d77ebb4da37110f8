import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, machineToken } from '../support/api'
import { ask, askToken, machineFields } from '../support/ask'
import { usually } from '../support/databases'
import { type OpenPortal, openPortal } from '../support/in-process'
import { authorize, callTool, connect, newClient, registered } from '../support/mcp-agent'
import { OldBrowser } from '../support/old-browser'

/** The portal's own MCP server and the metadata of APIs; docs/attacks.md, S2 to S6. */

describe.each(usually('sqlite'))('MCP on %s', (kind) => {
  let portal: OpenPortal
  let token: string

  beforeAll(async () => {
    portal = await openPortal({ kind })
    token = await machineToken(portal)
  })
  afterAll(() => portal.stop())

  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    callApi(portal, token, method, path, body, headers)

  async function changeOrders(body: object): Promise<void> {
    const path = '/spaces/spc_demo/resources/orders'
    const answer = await call('PATCH', path, body, { 'if-match': '*' })
    expect([answer.status, answer.raw]).toEqual([200, expect.any(String)])
  }

  describe('S2: protected resource metadata', () => {
    const metadata = async (path: string) => {
      const { status, body, headers } = await ask(portal.origin, { path })
      return { status, json: JSON.parse(body), cors: headers['access-control-allow-origin'] }
    }

    test('an API that did not opt in looks like one that does not exist', async () => {
      const closed = await metadata('/resources/orders/metadata')
      expect(closed.status).toBe(404)
      expect(await metadata('/resources/nothing/metadata')).toEqual(closed)
      const own = await metadata('/resources/api_gatehouse/metadata')
      expect(own).toEqual(closed)
    })

    test('one that did is described, without its sensitive permissions', async () => {
      const documentation = 'https://docs.example/orders'
      const audience = 'https://orders.example/'
      await changeOrders({ audience, subpaths: true, publishMetadata: true, documentation })
      const { json } = await call('GET', '/resources/orders/metadata')
      const served = await metadata('/resources/orders/metadata')
      expect([served.status, served.cors]).toEqual([200, '*'])
      expect(served.json).toEqual({
        resource: audience,
        authorization_servers: [portal.origin],
        scopes_supported: ['orders:export', 'orders:read', 'orders:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Orders',
        resource_documentation: documentation,
      })
      expect(json.document).toEqual(served.json)
      expect(json.published).toBe(`${portal.origin}/resources/orders/metadata`)
      expect(json.challenge).toContain(`resource_metadata="${json.published}"`)
      const below = await metadata('/resources/orders/metadata/tenants/7')
      expect(below.json.resource).toBe(`${audience}tenants/7`)
      expect((await metadata('/resources/orders/metadata/a/..%2f')).status).toBe(404)
    })

    test('the portal’s own resources', async () => {
      for (const path of ['/api/v1', '/mcp']) {
        const { json, cors } = await metadata(`/.well-known/oauth-protected-resource${path}`)
        expect([json.resource, json.authorization_servers, cors]).toEqual([
          portal.origin + path,
          [portal.origin],
          '*',
        ])
      }
    })
  })

  describe('/mcp', () => {
    const url = () => `${portal.origin}/mcp`
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      ask(portal.origin, {
        method: 'POST',
        path: '/mcp',
        headers: {
          'content-type': 'application/json',
          'mcp-protocol-version': '2025-11-25',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
    const mcpToken = async (scope: string) => {
      const fields = machineFields(portal, { scope, resource: url() })
      return JSON.parse((await askToken(portal.origin, fields)).body).access_token
    }
    const bearer = (value: string) => ({ authorization: `Bearer ${value}` })
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const metadataUrl = () => `${portal.origin}/.well-known/oauth-protected-resource/mcp`

    test('S3: who may not come in is told how', async () => {
      const anonymous = await post(list)
      expect([anonymous.status, anonymous.headers['www-authenticate']]).toEqual([
        401,
        `Bearer realm="${portal.origin}", resource_metadata="${metadataUrl()}"`,
      ])
      for (const method of ['GET', 'DELETE', 'PUT']) {
        const answer = await ask(portal.origin, { method, path: '/mcp' })
        expect([method, answer.status, answer.headers.allow]).toEqual([
          method,
          405,
          'POST, OPTIONS',
        ])
      }
      const good = bearer(await mcpToken('roles:read'))
      const evil = await post(list, { ...good, origin: 'https://evil.example' })
      expect(evil.status).toBe(403)
      const rebound = await post(list, { ...good, host: 'evil.example' })
      expect(rebound.status).toBe(421)
      const inUrl = await ask(portal.origin, { method: 'POST', path: '/mcp?access_token=x' })
      expect(inUrl.status).toBe(400)
      const session = new OldBrowser(portal.origin)
      await session.signIn(await session.open('/login'), portal.demo().admin)
      expect((await post(list, { cookie: session.cookieHeader() })).status).toBe(401)
      expect((await post(list, good)).status).toBe(200)
    })

    test('S4: a token for /api/v1 is refused at /mcp, and the other way round', async () => {
      expect((await post(list, bearer(token))).status).toBe(401)
      const mine = await mcpToken('roles:read')
      const answer = await callApi(portal, mine, 'GET', '/roles')
      expect([answer.status, answer.json.code]).toEqual([401, 'invalid_token'])
    })

    test('S4: a grant can be for one of the two addresses only', async () => {
      const { id, secret } = await newClient(call, [], {
        grantTypes: ['client_credentials'],
        kind: 'machine',
        redirectUris: [],
      })
      const condition = `resource.audience == "${url()}"`
      const grants = [{ pattern: 'roles:read', condition }]
      await call('PUT', `/applications/${id}/grants`, { grants }, { 'if-match': '*' })
      const tokenFor = async (more: object) => {
        const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
        return (await askToken(portal.origin, { ...fields, scope: 'roles:read', ...more })).status
      }
      expect(await tokenFor({ resource: url() })).toBe(200)
      expect(await tokenFor({ resource: `${portal.origin}/api/v1` })).toBe(400)
      expect(await tokenFor({})).toBe(400)
    })

    test('S5: bad messages get exact answers', async () => {
      const good = bearer(await mcpToken('roles:read'))
      const statusOf = async (body: unknown, headers = {}) =>
        (await post(body, { ...good, ...headers })).status
      expect(await statusOf('{')).toBe(400)
      expect(await statusOf([list])).toBe(400)
      expect(await statusOf('"x"')).toBe(400)
      expect(await statusOf(list, { 'content-type': 'text/plain' })).toBe(415)
      expect(await statusOf({ ...list, params: { x: 'a'.repeat(300_000) } })).toBe(413)
      expect(await statusOf(list, { 'mcp-protocol-version': '1999-01-01' })).toBe(400)
      expect(await statusOf({ ...list, method: 'subscriptions/listen' })).toBe(400)
      const unknown = await post(
        { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: '__proto__' } },
        good,
      )
      expect(unknown.body).toContain('error')
    })

    test('S6: what would be refused is not put to the user; a machine changes nothing', async () => {
      const agent = await registered(call, ['assignments:write'])
      await authorize(agent, { serverUrl: url(), scope: 'assignments:write' })
      await agent.signedInBy(
        new OldBrowser(portal.origin),
        portal.demo().admin,
        ['assignments:write'],
        url(),
      )
      const client = await connect(url(), agent)
      const given = { user: 'usr_nobody', role: 'rol_demo_manager' }
      const refused = await callTool(client, 'give_role', given)
      expect([refused.isError, refused.json.code]).toEqual([true, 'not_found'])
      // While the user has not answered, a call costs no rehearsal: it would find the role gone.
      const roles = '/spaces/spc_demo/roles'
      const role = await call('POST', roles, { key: 'passing', name: 'Passing' })
      const passing = { user: 'usr_demo_alice', role: String(role.json.id) }
      const { json: asked } = await callTool(client, 'give_role', passing)
      expect(asked.status).toBe('confirmation_needed')
      const gone = await call('DELETE', `${roles}/passing`, undefined, { 'if-match': '*' })
      expect(gone.status).toBe(204)
      expect((await callTool(client, 'give_role', passing)).json.url).toBe(asked.url)
      await client.close()
      const machine = bearer(await mcpToken('assignments:write'))
      const params = { name: 'give_role', arguments: { ...given, user: 'usr_demo_alice' } }
      const answer = await post({ jsonrpc: '2.0', id: 3, method: 'tools/call', params }, machine)
      expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('forbidden')])
      // Refused calls count too: each of them would hold up the policy.
      const more = Array.from({ length: 60 }, () =>
        post({ jsonrpc: '2.0', id: 3, method: 'tools/call', params }, machine),
      )
      const bodies = (await Promise.all(more)).map(({ body }) => body)
      expect(bodies.filter((body) => body.includes('slow_down'))).toHaveLength(1)
      const params403 = { name: 'create_role', arguments: {} }
      const low = await post(
        { jsonrpc: '2.0', id: 4, method: 'tools/call', params: params403 },
        machine,
      )
      expect([low.status, low.headers['www-authenticate']]).toEqual([
        403,
        `Bearer realm="${portal.origin}", error="insufficient_scope", scope="roles:write", resource_metadata="${metadataUrl()}"`,
      ])
    })
  })
})
