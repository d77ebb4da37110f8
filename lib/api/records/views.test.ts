import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import type { PortalScope } from '../../access/portal-api'
import { listAuditEvents } from './audit'
import { createAuditView, deleteAuditView, listAuditViews } from './audit-views'
import { SEARCH_SCOPES, search } from './search'

/** Saved filters of the audit log, names in it, and the search: each as far as the caller may see. */

describe.each(usually('sqlite'))('what is found, on %s', (kind) => {
  let portal: Operations

  beforeAll(async () => {
    portal = await openOperations(kind, {
      users: [
        { username: 'ada', name: 'Shop Ada', adminRole: 'owner' },
        { username: 'ben', adminRole: 'auditor' },
        { username: 'mia', adminRole: 'app_manager' },
      ],
      groups: [{ key: 'shop', name: 'Shop group' }],
      spaces: [{ key: 'shop', name: 'Shop', roles: [{ key: 'shop', name: 'Shop role' }] }],
      applications: [
        { id: 'shop-bot', kind: 'machine', name: 'Shop bot' },
        { id: 'mine', kind: 'machine', name: 'Shop of Mia', owner: 'mia' },
      ],
    })
  })
  afterAll(() => portal.close())

  describe('a saved view', () => {
    const save = async (query: string, name = 'View', as = 'ada') => {
      const asked = { body: { name, query } }
      return (await portal.ask(await portal.as(as), createAuditView, asked)).body
    }
    const refused = async (query: string, name = 'View', as = 'ada') =>
      portal.refused(await portal.as(as), createAuditView, { body: { name, query } })

    test('keeps only what filters, in one form', async () => {
      expect((await save('event=user.*&result=failure', 'Failures')).query).toBe(
        'event=user.*&result=failure',
      )
      expect((await save('?actorId=a%20b', 'Spaces')).query).toBe('actorId=a+b')
      expect((await save('', 'All')).query).toBe('')
    })

    test.each([
      'limit=5',
      'cursor=x',
      'event=',
      'result=perhaps',
      'from=yesterday',
      'actorKind=admin',
      'event=a%00b',
      'https://evil.example',
    ])('is not %j', async (query) => {
      expect(await refused(query)).toBe('invalid /query view_filters')
    })

    test('has one name for one user, and belongs to them alone', async () => {
      const { id } = await save('event=login.failed', 'Mine')
      expect(await refused('event=login.failed', 'Mine')).toBe('conflict /name taken_view')
      await save('event=login.failed', 'Mine', 'ben')
      const ben = await portal.as('ben')
      expect((await portal.ask(ben, listAuditViews)).body.data).toHaveLength(1)
      expect(await portal.refused(ben, deleteAuditView, { params: { id } })).toBe(
        'not_found no_view',
      )
      const ada = await portal.as('ada')
      expect(await portal.refused(ada, deleteAuditView, { params: { id } })).toBe('not refused')
      expect(await portal.refused(ada, deleteAuditView, { params: { id } })).toBe(
        'not_found no_view',
      )
    })

    test('is one of fifty at most', async () => {
      const ben = await portal.as('ben')
      const { data } = (await portal.ask(ben, listAuditViews)).body
      for (let at = data.length; at < 50; at += 1) await save('', `View ${at}`, 'ben')
      expect(await refused('', 'One more', 'ben')).toBe('conflict views_most')
    })
  })

  describe('names in the audit log', () => {
    const names = async (...scopes: PortalScope[]) => {
      const caller = { ...portal.owner, scopes: new Set<PortalScope>(['audit:read', ...scopes]) }
      const query = { include: 'names', limit: '200' }
      return Object.values((await portal.ask(caller, listAuditEvents, { query })).body.names)
    }

    test('N2: are those of the kinds that the caller may read', async () => {
      expect(await names()).toEqual([])
      expect(await names('users:read')).toEqual(
        expect.arrayContaining(['Shop Ada', 'ben', 'Shop group']),
      )
      expect(await names('users:read')).not.toContain('Shop bot')
      expect(await names('applications:read')).toEqual(
        expect.arrayContaining(['Shop bot', 'Shop of Mia']),
      )
      expect(await names('applications:read')).not.toContain('Shop Ada')
      expect(await names('roles:read')).not.toContain('Shop group')
    })
  })

  describe('a search', () => {
    const kinds = async (scopes: PortalScope[], query: Record<string, string> = { q: 'shop' }) => {
      const needed: PortalScope[] = ['applications:read', ...scopes]
      const caller = { ...portal.owner, scopes: new Set(needed) }
      const { data } = (await portal.ask(caller, search, { query })).body
      return [...new Set(data.map(({ kind }: { kind: string }) => kind))].sort()
    }

    test.each(Object.entries(SEARCH_SCOPES).filter(([kind]) => kind !== 'application'))(
      'N2: finds nothing of the kind %s without %s',
      async (kind, scope) => {
        const all = [...portal.owner.scopes].filter((one) => one !== scope)
        expect(await kinds(all)).not.toContain(kind)
        expect(await kinds(all, { kind, q: 'shop' })).toEqual([])
      },
    )

    test('finds what the caller may see, of every kind or of one', async () => {
      expect(await kinds([])).toEqual(['application'])
      expect(await kinds(['users:read', 'roles:read', 'spaces:read'])).toEqual([
        'application',
        'group',
        'role',
        'space',
        'user',
      ])
      expect(await kinds(['users:read'], { q: 'shop', kind: 'group' })).toEqual(['group'])
    })

    test('N2: finds only their own applications for an app manager', async () => {
      const { data } = (await portal.ask(await portal.as('mia'), search, { query: { q: 'shop' } }))
        .body
      const applications = data.filter(({ kind }: { kind: string }) => kind === 'application')
      expect(applications.map(({ id }: { id: string }) => id)).toEqual(['mine'])
      expect(data.some(({ kind }: { kind: string }) => kind === 'user')).toBe(false)
    })
  })
})
