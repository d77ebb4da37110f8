import { describe, expect, test } from 'vitest'
import type { AnyOperation } from '../../../lib/api/http/operation'
import { parametersOf } from '../../../lib/api/openapi/openapi'
import { routes } from '../../../lib/api/table'
import { caller, machineToken } from '../../support/api'
import { call, created, machine, portal, startApi, unique } from '../../support/api-objects'

/** `If-Match` is needed exactly where the OpenAPI document says so. */

describe('If-Match', () => {
  startApi('sqlite')

  /** Something that exists, for each name in a path. */
  async function names(): Promise<Known> {
    const space = (await created('/spaces', { key: unique('space'), name: 'Space' })).key
    const at = `/spaces/${space}`
    const prefix = unique('orders')
    const resource = { prefix, name: 'Orders', audience: `https://${prefix}.example` }
    const api = await created(`${at}/resources`, resource)
    const key = `${prefix}:read`
    await created(`${at}/permissions`, { key, resource: api.id })
    const role = await created(`${at}/roles`, { key: unique('role'), name: 'Role', type: 'user' })
    const user = await created('/users', { username: unique('user') })
    const subject = { type: 'user', id: user.id }
    const group = await created('/groups', { key: unique('group'), name: 'Group' })
    const app = await machine()
    const approvers = ['usr_demo_alice', 'usr_demo_bob'].map((id) => ({ type: 'user', id }))
    const rule = await created('/request-rules', {
      api: api.id,
      name: 'Rule',
      patterns: [key],
      stages: [{ approvers, needed: 1 }],
    })
    return {
      space,
      rule: rule.id,
      role: role.key,
      user: user.id,
      group: group.id,
      resource: api.id,
      permission: key,
      application: app.id,
      accessKey: (await created(`/applications/${app.id}/keys`, { name: 'Key' })).accessKey,
      assignment: (await created(`${at}/assignments`, { role: role.key, subject })).id,
      provider: 'acme',
      webhook: (
        await created('/webhooks', { name: 'Hook', url: 'https://hook.example', events: ['*'] })
      ).id,
    }
  }

  const versioned = routes.filter((route) => route.versioned)
  const ifMatchOf = (route: AnyOperation) =>
    parametersOf(route).find(({ name }) => name === 'If-Match')

  /** What fits the space that was made, where the example of the document is about another. */
  const bodies: Record<string, (known: Known) => unknown> = {
    importModel: () => ({ resources: [], roles: [] }),
    replaceAssertions: () => ({ assertions: [] }),
    putPermission: ({ resource }) => ({ resource }),
    replaceRole: ({ role }) => ({ key: role, name: 'Role', parents: [] }),
    replaceRolePermissions: ({ permission }) => ({ permissions: [permission] }),
    replaceApplicationGrants: ({ permission }) => ({ grants: [{ pattern: permission }] }),
    replaceResourceApplicationGrants: ({ permission }) => ({ grants: [{ pattern: permission }] }),
    putProvider: () => ({
      kind: 'oidc',
      name: 'Acme',
      issuer: 'https://id.acme.example',
      clientId: 'portal',
      clientSecret: 'a-secret-of-the-provider',
    }),
  }

  function addressOf({ path }: AnyOperation, known: Known): string {
    const id = Object.entries(IDS).find(([part]) => path.startsWith(part))?.[1]
    const key = path.startsWith('/applications') ? known.accessKey : known.permission
    return path.replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent({ ...known, place: 'light', id: known[id ?? ''], key }[name] ?? name),
    )
  }

  test('is documented for every versioned operation, and for no other', () => {
    expect(routes.filter((route) => ifMatchOf(route) !== undefined)).toEqual(versioned)
    const optional = versioned.filter((route) => !ifMatchOf(route)?.required)
    expect(optional.map(({ id }) => id)).toEqual(['importModel', 'putPermission'])
  })

  test('without it, every operation that documents it answers 428', async () => {
    const known = await names()
    // With every scope: who may change providers is more than an admin.
    const send = caller(portal, await machineToken(portal))
    for (const route of versioned) {
      const body = bodies[route.id]?.(known) ?? route.example ?? undefined
      const answer = await send(route.method, addressOf(route, known), body)
      expect([route.id, answer.status, answer.json.code]).toEqual([route.id, 428, 'version_needed'])
      expect(answer.headers['content-type']).toBe('application/problem+json')
    }
  })

  test('is not needed to create a permission, nor to try out a model', async () => {
    const { space, resource, permission = '' } = await names()
    const path = `/spaces/${space}/permissions/${permission.replace('read', 'write')}`
    expect((await call('PUT', path, { resource })).status).toBe(201)
    const model = { resources: [], roles: [] }
    const tried = await call('PUT', `/spaces/${space}/model?dryRun=true`, model)
    expect([tried.status, tried.json.applied]).toEqual([200, false])
  })
})

type Known = Readonly<Record<string, string>>

/** What `{id}` stands for below a path. */
const IDS: Record<string, string> = {
  '/spaces/{space}/resources': 'resource',
  '/spaces/{space}/assignments': 'assignment',
  '/resources': 'resource',
  '/applications': 'application',
}
