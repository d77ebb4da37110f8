import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { problemIn } from '../../../e2e/support/problem-in'
import { shop } from '../../../e2e/support/shop'
import { searchAction, searchResource, searchSubject } from './search'

/**
 * The page token of a search is a position that anybody may write: a strange one is no fault. Of the
 * databases, PostgreSQL is the one that cannot compare with everything.
 */

const encoded = (text: string) => Buffer.from(text).toString('base64url')
const TOKENS = [
  '',
  '!',
  'null',
  encoded(''),
  encoded('-1 usr_a'),
  encoded('1e9 usr_a'),
  encoded('999 usr_a'),
  encoded('0 \ud800'),
  Buffer.from([0xff, 0xfe]).toString('base64url'),
  encoded("0 ' OR 1=1 --"),
  encoded('\uffff'),
]
/** What no database can compare with. */
const WITH_NUL = [encoded('\0'), encoded('0 usr_\0'), encoded('\uffff\0')]

describe.each(usually('postgres'))('a page of a search, on %s', (kind) => {
  let portal: Operations
  const subject = { type: 'user', id: 'ada' }
  const action = { name: 'read' }

  beforeAll(async () => {
    const held = (id: string, instance: string | null) => ({
      space: 'shop',
      role: 'clerk',
      subject: { type: 'user', id },
      instance,
    })
    portal = await openOperations(kind, {
      users: [{ username: 'ada' }, { username: 'ben' }],
      spaces: [
        shop(
          [{ key: 'orders:read' }, { key: 'orders:write' }],
          [{ key: 'clerk', name: 'Clerk', permissions: [{ pattern: 'orders:*' }] }],
        ),
      ],
      assignments: [held('ada', 'a'), held('ada', 'b'), held('ada', 'c'), held('ben', null)],
    })
  })
  afterAll(() => portal.close())

  const page = (token: string) => ({ token, limit: 1 })
  const searches = {
    subjects: (token: string) =>
      searchSubject(portal.op, {
        subject: { type: 'user' },
        action,
        resource: { type: 'orders', id: 'a' },
        page: page(token),
      }),
    resources: (token: string) =>
      searchResource(portal.op, {
        subject,
        action,
        resource: { type: 'orders' },
        page: page(token),
      }),
    actions: (token: string) =>
      searchAction(portal.op, {
        subject,
        resource: { type: 'orders', id: 'a' },
        page: page(token),
      }),
  }

  test.each(Object.entries(searches))('of %s may begin anywhere', async (_what, search) => {
    for (const token of TOKENS) {
      const found = await search(token)
      expect([token, found.results.length <= 1]).toEqual([token, true])
    }
  })

  test.each(Object.entries(searches))('of %s does not begin at NUL', async (_what, search) => {
    for (const token of WITH_NUL)
      expect(await problemIn(() => search(token))).toMatch(/^malformed /)
  })

  test.each([
    ['subjects', ['ada', 'ben']],
    ['resources', ['a', 'b', 'c']],
    ['actions', ['read', 'write']],
  ] as const)('of %s is followed to the end, each once', async (what, all) => {
    const found: string[] = []
    let token = ''
    for (let pages = 0; pages < 20; pages += 1) {
      const { results, page } = await searches[what](token)
      found.push(...results.map((one) => ('id' in one ? one.id : one.name)))
      token = page?.next_token ?? ''
      if (token === '') break
    }
    expect(found.sort()).toEqual([...all])
    expect(token).toBe('')
  })
})
