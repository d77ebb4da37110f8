import { describe, expect, test } from 'vitest'
import { problemIn } from '../../../e2e/support/problem-in'
import type { Op } from '../../context/op'
import { listQuery, openCursor, sealCursor } from './page'

/** A cursor is opaque, signed, and for one list only (attack N16). */

// Nothing else of the portal is used to sign.
const portal = (fill: number) => ({ cursorKey: Buffer.alloc(32, fill) }) as Op
const OP = portal(1)
const LIST = 'users createdAt  {}'
const AT = { value: '2026-11-15T12:00:00.000Z', id: 'usr_1', back: true }
const FOREIGN = 'invalid /query/cursor cursor_foreign'

const opened = (cursor: string, bound = LIST, op = OP) =>
  problemIn(() => openCursor(op, bound, cursor))

describe('N16: a cursor', () => {
  test.each([AT, { value: null, id: 'ключ "1"' }, { value: '', id: '', back: false }])(
    'leads back to the position %j that it was made for',
    (position) => {
      expect(openCursor(OP, LIST, sealCursor(OP, LIST, position))).toEqual(position)
    },
  )

  test('fits into a URL as it is', () => {
    expect(sealCursor(OP, LIST, { value: 'a+b/ü?', id: 'x' })).toMatch(/^[\w.-]+$/)
  })

  test('of another list, with another order, search or filter, is refused', async () => {
    const cursor = sealCursor(OP, LIST, AT)
    for (const bound of [
      'groups createdAt  {}',
      'users -createdAt  {}',
      'users createdAt ada {}',
      'users createdAt  {"enabled":true}',
    ]) {
      expect(await opened(cursor, bound)).toBe(FOREIGN)
    }
  })

  test('of another portal is refused', async () => {
    expect(await opened(sealCursor(portal(2), LIST, AT))).toBe(FOREIGN)
  })

  test('that was changed is refused, whichever part it was', async () => {
    const [text = '', signature = ''] = sealCursor(OP, LIST, AT).split('.')
    const forged = Buffer.from(JSON.stringify({ ...AT, id: 'usr_2' })).toString('base64url')
    for (const cursor of [
      `${forged}.${signature}`,
      `${text}.${signature.slice(0, -1)}`,
      `${text}.${signature}.${signature}`,
      `${text}.`,
      `.${signature}`,
      text,
      '.',
      '',
    ]) {
      expect(await opened(cursor)).toBe(FOREIGN)
    }
  })

  test('that stands in a body is refused at its own place', async () => {
    expect(await problemIn(() => openCursor(OP, LIST, 'x', '/after'))).toBe(
      'invalid /after cursor_foreign',
    )
  })
})

describe('the query of a list', () => {
  const query = listQuery(['name', 'createdAt'])
  const isTaken = (given: object) => query.safeParse(given).success

  test('without anything has fifty entries in the first of its orders, uncounted', () => {
    expect(query.parse({})).toEqual({ limit: 50, sort: 'name', count: 'false' })
  })

  test.each(['1', '200', '7'])('takes %s entries a page', (limit) => {
    expect(query.parse({ limit }).limit).toBe(Number(limit))
  })

  test.each(['0', '-1', '201', '1.5', 'many', 'Infinity', ''])('refuses %j of them', (limit) => {
    expect(isTaken({ limit })).toBe(false)
  })

  test('turns an order around with a dash, and knows no others', () => {
    expect(query.parse({ sort: '-createdAt' }).sort).toBe('-createdAt')
    for (const sort of ['email', '--name', '-', 'NAME', 'name ']) {
      expect([sort, isTaken({ sort })]).toEqual([sort, false])
    }
  })

  test('refuses what it does not know, so a filter with a slip is not ignored', () => {
    expect(isTaken({ enabeld: 'true' })).toBe(false)
    expect(isTaken({ count: '1' })).toBe(false)
  })
})
