import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PAGES, type AdminPath } from '../../../lib/admin/pages'
import { userScopes } from '../../../lib/api/http/caller'
import { routes } from '../../../lib/api/table'
import { ADMIN_ROLES, type AdminRole } from '../../../lib/store/accounts/users'
import { callApi } from '../../support/api'
import type { Fields } from '../../support/ask'
import { type OpenPortal, openPortal } from '../../support/in-process'
import { VISITORS, type Visitor, visitorsIn } from '../../support/visitors'

/**
 * Who may call which route, and that each page says who may open it; e2e/http/api/page-matrix.test.ts
 * opens them.
 */

const APP = fileURLToPath(new URL('../../../app/admin/', import.meta.url))
const PAGES = Object.keys(ADMIN_PAGES) as AdminPath[]

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

  test('a handler beside the pages asks for the scope of its page, and each action who acts', () => {
    const handlers = filesNamed(/(^|\/)route\.tsx?$/)
    expect(handlers).toEqual(['audit/events/route.ts'])
    for (const file of handlers) {
      const source = readFileSync(join(APP, file), 'utf8')
      const page = `/admin/${file.split('/')[0]}`
      expect(source).toMatch(
        new RegExp(`export async function GET\\(\\): .* \\{\\n {2}await adminPage\\('${page}'\\)`),
      )
    }
    for (const file of filesNamed(/\.tsx?$/)) {
      const source = readFileSync(join(APP, file), 'utf8')
      if (!source.includes("'use server'")) continue
      expect(actionsThatDoNotAsk(source), file).toEqual([])
    }
  })
})

/** What asks who acts, here or in lib/admin/form-call.ts. */
const ASKS = /(?:await|return) (?:adminApi\(\)|adminPage\(|sendForm\(|sendNamed\(|press\()/

/** An action asks itself, or calls a function of its file that does. */
function actionsThatDoNotAsk(source: string): string[] {
  const [, ...functions] = source.split(/^(?=(?:export )?(?:async )?function )/m)
  const nameOf = (text: string) => /function (\w+)/.exec(text)?.[1] ?? ''
  const asks = (text: string) => ASKS.test(text)
  const asking = functions.filter(asks).map(nameOf)
  return functions
    .filter((text) => text.startsWith('export async function'))
    .filter((text) => !asks(text) && !asking.some((name) => text.includes(`${name}(`)))
    .map(nameOf)
}

describe('N1: the matrix of routes', () => {
  let portal: OpenPortal
  let sessions: Map<Visitor, Fields>

  beforeAll(async () => {
    portal = await openPortal()
    sessions = await visitorsIn(portal)
  })
  afterAll(() => portal.stop())

  test.each(VISITORS)('%s calls the routes that are declared, and no others', async (visitor) => {
    const isAdmin = (ADMIN_ROLES as readonly string[]).includes(visitor)
    const scopes = userScopes(isAdmin ? (visitor as AdminRole) : null)
    for (const { method, path, scope, also } of routes) {
      if (scope === 'public') continue
      const needed = [scope, ...also]
      const filled = path.replaceAll(/\{\w+\}/g, 'demo')
      const body = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined
      const answer = await callApi(portal, sessions.get(visitor) ?? {}, method, filled, body)
      const refused = answer.headers['www-authenticate']?.includes('insufficient_scope') ?? false
      const seen = visitor === 'nobody' ? answer.status : refused
      const expected = visitor === 'nobody' ? 401 : !needed.every((one) => scopes.has(one))
      expect([method, path, seen]).toEqual([method, path, expected])
    }
  })
})
