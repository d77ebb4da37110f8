import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PortalScope } from '../../../lib/access/portal-api'
import { ADMIN_PAGES, type AdminPath, NAVIGATION } from '../../../lib/admin/pages'
import { userScopes } from '../../../lib/api/http/caller'
import { ADMIN_ROLES } from '../../../lib/store/accounts/users'
import { callApi, machineToken } from '../../support/api'
import { ask, type Fields } from '../../support/ask'
import type { Portal } from '../../support/portal'
import { sharedPortal } from '../../support/shared-portal'
import { thingsIn } from '../../support/things'
import { isThorough } from '../../support/thorough'
import { VISITORS, type Visitor, visitorsIn } from '../../support/visitors'

/**
 * Who may open which page, as declared and no further. What is declared is in
 * lib/admin/pages.test.ts, the routes are in e2e/in-process.
 */

const PAGES = Object.keys(ADMIN_PAGES) as AdminPath[]

/** Pages that stand on what their query says. */
const QUERIES: Partial<Record<AdminPath, string>> = {
  '/admin/reports/clean-up': '?client=app_demo_machine',
}

/** To an app manager, somebody else's application is one that does not exist, and so with an API (N2). */
const OTHERS = /\[app\]|\[review\]|^\/admin\/apis\/\[api\]\/(applications|requests)/

describe('N1: the matrix of pages', () => {
  let portal: Portal
  let sessions: Map<Visitor, Fields>
  const named: Record<string, string> = {}

  beforeAll(async () => {
    portal = await sharedPortal()
    sessions = await visitorsIn(portal)
    Object.assign(named, await thingsIn(portal))
  })
  // Others use this portal too: its settings are as before.
  afterAll(async () => {
    const token = await machineToken(portal)
    const { json } = await callApi(portal, token, 'GET', '/settings')
    const userAttributes = json.userAttributes.filter(
      ({ key }: { key: string }) => key !== 'matrix',
    )
    const path = '/settings/providers/matrix'
    for (const [method, at, body] of [
      ['DELETE', path, undefined],
      ['PATCH', '/settings', { userAttributes }],
    ] as const) {
      const answer = await callApi(portal, token, method, at, body, { 'if-match': '*' })
      expect([at, answer.status < 300]).toEqual([at, true])
    }
  })

  const fill = (path: string) =>
    path.replaceAll(/\[(\w+)\]/g, (_whole, name: string) => {
      const value = named[name]
      if (value === undefined) throw new Error(`say what [${name}] is`)
      return encodeURIComponent(value)
    })

  describe.each(VISITORS)('%s', (visitor) => {
    const scopes = scopesOf(visitor)

    test('opens the pages that are declared, and no others', async () => {
      for (const path of PAGES.filter((one) => isThorough || comesTo(visitor, one))) {
        const headers = sessions.get(visitor) ?? {}
        const url = `${fill(path)}${QUERIES[path] ?? ''}`
        const page = await ask(portal.origin, { path: url, headers })
        expect([path, page.status, leads(page.headers.location)]).toEqual([path, ...expected(path)])
      }
    })

    function expected(path: AdminPath): [number, string] {
      if (visitor === 'nobody') return [307, '/login']
      if (scopes.has(ADMIN_PAGES[path])) {
        return visitor === 'app_manager' && OTHERS.test(path) ? [404, ''] : [200, '']
      }
      const first = NAVIGATION.flat().find((one) => scopes.has(ADMIN_PAGES[one]))
      return path === '/admin' && first ? [307, first] : [403, '']
    }
  })

  test.each(['owner', 'auditor', 'app_manager'] as const)(
    'N1: the home of governance leads where somebody may go: %s',
    async (visitor) => {
      const headers = sessions.get(visitor) ?? {}
      const home = await ask(portal.origin, { path: '/admin/governance', headers })
      const links = [...home.body.matchAll(/href="(\/admin\/(?:governance|reports)[^"#]*)"/g)]
      const paths = new Set(links.map(([, path = '']) => path.replaceAll('&amp;', '&')))
      expect([...paths].some((path) => path.startsWith('/admin/governance/rules'))).toBe(true)
      for (const path of paths) {
        const page = await ask(portal.origin, { path, headers })
        expect([path, page.status]).toEqual([path, 200])
      }
      const seesAll = scopesOf(visitor).has('assignments:read')
      const requests = [...paths].some((path) => path.startsWith('/admin/governance/requests'))
      expect(requests).toBe(seesAll)
    },
  )

  test('every page is looked at by nobody, by somebody who may, and by somebody who may not', () => {
    for (const path of PAGES) {
      const visitors = VISITORS.filter((one) => comesTo(one, path))
      const mayOpen = visitors.map((one) => scopesOf(one).has(ADMIN_PAGES[path]))
      expect([path, visitors.at(-1), mayOpen.at(-1)]).toEqual([path, 'nobody', false])
      expect([path, new Set(mayOpen.slice(0, -1))]).toEqual([path, new Set([true, false])])
    }
  })

  test('404 for a search for what no database holds', async () => {
    const headers = sessions.get('owner') ?? {}
    const page = await ask(portal.origin, { path: '/admin/users?q=a%00b', headers })
    expect(page.status).toBe(404)
  })
})

function scopesOf(visitor: Visitor): ReadonlySet<PortalScope> {
  const role = ADMIN_ROLES.find((one) => one === visitor)
  return userScopes(role ?? null)
}

/**
 * Usually nobody, the least of those who may open a page, and the first of those who may not: a page
 * asks for its right and not for a role. An app manager also comes to what is somebody else's.
 */
function comesTo(visitor: Visitor, path: AdminPath): boolean {
  const mayOpen = (one: Visitor) => scopesOf(one).has(ADMIN_PAGES[path])
  const comesToOthers = (one: Visitor) => one === 'app_manager' && OTHERS.test(path)
  const least = VISITORS.findLast((one) => mayOpen(one) && !comesToOthers(one))
  const refused = VISITORS.find((one) => !mayOpen(one))
  return ['nobody', least, refused].includes(visitor) || comesToOthers(visitor)
}

/** Where a redirect leads, without what it takes along. */
function leads(location: string | undefined): string {
  return location === undefined ? '' : new URL(location, 'http://portal.test').pathname
}
