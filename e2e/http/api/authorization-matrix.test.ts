import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../../lib/accounts/passwords'
import { ADMIN_PAGES, type AdminPath, NAVIGATION } from '../../../lib/admin/pages'
import { userScopes } from '../../../lib/api/caller'
import { routes } from '../../../lib/api/table'
import { createOp } from '../../../lib/op'
import { readConfig } from '../../../lib/settings/config'
import { ADMIN_ROLES, type AdminRole, createUser } from '../../../lib/store/users'
import { callApi, sessionOf } from '../../support/api'
import { ask, type Fields } from '../../support/ask'
import { demoDatabase } from '../../support/databases'
import { type Portal, startPortal } from '../../support/portal'
import { thingsIn } from '../../support/things'

/** N1: who may open which page and call which route, as declared and no further. */

const APP = fileURLToPath(new URL('../../../app/admin/', import.meta.url))
const PASSWORD = 'correct horse battery staple'
const PAGES = Object.keys(ADMIN_PAGES) as AdminPath[]

/** Pages that stand on what their query says. */
const QUERIES: Partial<Record<AdminPath, string>> = {
  '/admin/reports/clean-up': '?client=app_demo_machine',
}

/** To an app manager, somebody else's application is one that does not exist, and so with an API (N2). */
const OTHERS = /\[app\]|\[review\]|^\/admin\/apis\/\[api\]\/(applications|requests)/

type Visitor = AdminRole | 'user' | 'nobody'
const VISITORS: readonly Visitor[] = [...ADMIN_ROLES, 'user', 'nobody']

function filesNamed(pattern: RegExp): string[] {
  return readdirSync(APP, { recursive: true, encoding: 'utf8' }).filter((file) =>
    pattern.test(file),
  )
}

describe('N1: the tree of pages', () => {
  test('each page is in the table, and nothing else is', () => {
    const found = filesNamed(/(^|\/)page\.tsx$/).map((file) =>
      `/admin/${file}`.replace(/\/page\.tsx$/, ''),
    )
    expect(found.sort()).toEqual([...PAGES].sort())
  })

  test('each page asks for its own scope first', () => {
    for (const path of PAGES) {
      const source = readFileSync(join(APP, path.slice('/admin'.length), 'page.tsx'), 'utf8')
      const asks = /await adminPage\((?:'([^']+)'|PATH)\)/.exec(source)
      const named = asks?.[1] ?? /^const PATH = '([^']+)'/m.exec(source)?.[1]
      expect(asks === null ? 'nobody' : named).toBe(path)
    }
  })

  test('there is no handler beside the pages, and each action asks who acts', () => {
    expect(filesNamed(/(^|\/)route\.tsx?$/)).toEqual([])
    for (const file of filesNamed(/\.tsx?$/)) {
      const source = readFileSync(join(APP, file), 'utf8')
      if (!source.includes("'use server'")) continue
      expect(actionsThatDoNotAsk(source), file).toEqual([])
    }
  })
})

/** An action asks itself, or calls a function of its file that does. */
function actionsThatDoNotAsk(source: string): string[] {
  const [, ...functions] = source.split(/^(?=(?:export )?(?:async )?function )/m)
  const nameOf = (text: string) => /function (\w+)/.exec(text)?.[1] ?? ''
  const asks = (text: string) => /await (adminApi\(\)|adminPage\()/.test(text)
  const asking = functions.filter(asks).map(nameOf)
  return functions
    .filter((text) => text.startsWith('export async function'))
    .filter((text) => !asks(text) && !asking.some((name) => text.includes(`${name}(`)))
    .map(nameOf)
}

describe('N1: the matrix', () => {
  let portal: Portal
  const sessions = new Map<Visitor, Fields>()
  const named: Record<string, string> = {}

  beforeAll(async () => {
    const DATABASE_URL = await demoDatabase.sqlite()
    portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL } })
    await makeVisitors()
    Object.assign(named, await thingsIn(portal))
  })
  afterAll(() => portal.stop())

  async function makeVisitors(): Promise<void> {
    const house = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
    const passwordHash = await hashPassword(PASSWORD)
    for (const visitor of VISITORS.filter((one) => one !== 'nobody')) {
      const email = `${visitor}@matrix.example`
      const adminRole = visitor === 'user' ? null : visitor
      const user = { name: visitor, email, emailVerified: true, adminRole, passwordHash }
      await house.write((tx) => createUser(tx, user, new Date()))
      sessions.set(visitor, await sessionOf(portal, { email, password: PASSWORD }))
    }
    sessions.set('nobody', {})
    await house.close()
  }

  const fill = (path: string) =>
    path.replaceAll(/\[(\w+)\]/g, (_whole, name: string) => {
      const value = named[name]
      if (value === undefined) throw new Error(`say what [${name}] is`)
      return encodeURIComponent(value)
    })

  let cells = 0

  describe.each(VISITORS)('%s', (visitor) => {
    const role = (ADMIN_ROLES as readonly string[]).includes(visitor)
      ? (visitor as AdminRole)
      : null
    const scopes = userScopes(role)

    test('opens the pages that are declared, and no others', async () => {
      for (const path of PAGES) {
        const headers = sessions.get(visitor) ?? {}
        const url = `${fill(path)}${QUERIES[path] ?? ''}`
        const page = await ask(portal.origin, { path: url, headers })
        cells += 1
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

    test('calls the routes that are declared, and no others', async () => {
      for (const { method, path, scope, also } of routes) {
        if (scope === 'public') continue
        const needed = [scope, ...also]
        const headers = sessions.get(visitor) ?? {}
        const filled = path.replaceAll(/\{\w+\}/g, 'demo')
        const body = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined
        const answer = await callApi(portal, headers, method, filled, body)
        cells += 1
        const refused = answer.headers['www-authenticate']?.includes('insufficient_scope') ?? false
        const cell = [method, path, visitor === 'nobody' ? answer.status : refused]
        expect(cell).toEqual([
          method,
          path,
          visitor === 'nobody' ? 401 : !needed.every((one) => scopes.has(one)),
        ])
      }
    })
  })

  test('every cell was looked at', () => {
    const guarded = routes.filter(({ scope }) => scope !== 'public').length
    expect(cells).toBe(VISITORS.length * (PAGES.length + guarded))
    process.stdout.write(
      `matrix: ${VISITORS.length} visitors x (${PAGES.length} pages + ${guarded} routes) = ${cells} cells\n`,
    )
  })
})

/** Where a redirect leads, without what it takes along. */
function leads(location: string | undefined): string {
  return location === undefined ? '' : new URL(location, 'http://portal.test').pathname
}
