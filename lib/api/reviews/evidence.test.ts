import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseCsv } from '../../base/csv'
import type { ReviewItem } from '../../store/reviews/items'
import type { Review } from '../../store/reviews/reviews'
import { canHaveEnd, canHavePatterns } from './decide'
import { digestOf, evidenceCsv, evidenceText } from './evidence'
import { actorNamed } from './news'

/** What is kept of a review: who decided what, on which facts. */

const AT = new Date('2026-11-15T12:00:00Z')
const REVIEW = {
  id: 'rvw_1',
  name: 'Clerks, autumn',
  over: { type: 'role', id: 'rol_1' },
  reviewers: [{ type: 'user', id: 'usr_2' }],
  fallback: [],
  startedBy: 'user:usr_1',
  createdAt: AT,
  deadline: AT,
  closedBy: null,
  itemCount: 1,
  leftOut: 0,
} as unknown as Review

const ITEM: ReviewItem = {
  id: 'rvi_1',
  reviewId: 'rvw_1',
  kind: 'grant',
  targetId: 'grn_1',
  targetVersion: 2,
  subject: { type: 'application', id: 'app_1' },
  applicationId: 'app_1',
  apiId: 'api_1',
  portal: false,
  sensitive: true,
  gives: 'orders:*',
  terms: {
    instance: null,
    condition: null,
    validFrom: null,
    validUntil: null,
    exchangeFrom: null,
    requestId: null,
  },
  since: AT,
  endsAt: null,
  givenBy: null,
  lastUsedAt: null,
  useKnownSince: null,
  used: ['orders:read', 'orders:write'],
  suggestion: 'narrow',
  reason: 'partly',
  narrowTo: ['orders:read'],
  managerId: null,
  byFallback: false,
  decision: 'narrow',
  decidedTo: ['orders:read'],
  decidedUntil: null,
  comment: null,
  decidedBy: 'usr_2',
  decidedAt: AT,
  outcome: 'narrowed',
  outcomeReason: null,
  appliedAt: AT,
}

const written = (...items: Partial<ReviewItem>[]) =>
  evidenceText(
    'https://id.example',
    REVIEW,
    items.map((more) => ({ ...ITEM, ...more })),
    AT,
  )

describe('the evidence', () => {
  test('says which portal, which review, and each item with its facts, decision and outcome', () => {
    const { portal, review, items } = JSON.parse(written({}))
    expect([portal, review.id, review.closedAt]).toEqual([
      'https://id.example',
      'rvw_1',
      AT.toISOString(),
    ])
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      subject: 'app_1',
      gives: 'orders:*',
      used: ITEM.used,
      decision: 'narrow',
      narrowedTo: ['orders:read'],
      decidedBy: 'usr_2',
      outcome: 'narrowed',
    })
  })

  test('is the same text for the same review, and has another digest after any change', () => {
    const text = written({})
    expect(written({})).toBe(text)
    expect(digestOf(text)).toBe(createHash('sha256').update(text).digest('hex'))
    expect(digestOf(Buffer.from(text))).toBe(digestOf(text))
    for (const change of [{ decidedBy: 'usr_3' }, { comment: '' }, { used: [] }])
      expect(digestOf(written(change))).not.toBe(digestOf(text))
  })
})

describe('the evidence as a table', () => {
  const table = (...items: Partial<ReviewItem>[]) => parseCsv(evidenceCsv(written(...items))) ?? []
  const cell = (column: string, item: Partial<ReviewItem>) => {
    const [header = [], row = []] = table(item)
    return row[header.indexOf(column)]
  }

  test('has a line for each item, and every column of the evidence', () => {
    const [header, ...rows] = table({}, { id: 'rvi_2' }, { id: 'rvi_3' })
    const [line] = JSON.parse(written({})).items
    expect(header).toEqual(Object.keys(line))
    expect(rows.map(([id]) => id)).toEqual(['rvi_1', 'rvi_2', 'rvi_3'])
    expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([header?.length]))
  })

  test('writes lists, numbers, yes and no, and leaves out what there is not', () => {
    expect(cell('used', {})).toBe('orders:read orders:write')
    expect(cell('targetVersion', {})).toBe('2')
    expect([cell('portal', {}), cell('sensitive', {})]).toEqual(['false', 'true'])
    expect(cell('comment', {})).toBe('')
    expect(cell('since', {})).toBe(AT.toISOString())
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
    'W11: has no formula in it: %j',
    (comment) => {
      const csv = evidenceCsv(written({ comment }))
      expect(csv).toContain(`'${comment.charAt(0)}`)
      expect(cell('comment', { comment })).toBe(comment)
    },
  )

  test('keeps commas, quotes and lines within their cell', () => {
    const comment = 'Looked at it, twice.\n"Fine", they said.'
    expect(cell('comment', { comment })).toBe(comment)
  })

  test('of a review without items is a table without lines', () => {
    expect(table()).toEqual([])
  })
})

describe('what can be narrowed', () => {
  const is = (more: Partial<ReviewItem>) => [
    canHaveEnd({ ...ITEM, ...more }),
    canHavePatterns({ ...ITEM, ...more }),
  ]
  const asked = { terms: { ...ITEM.terms, requestId: 'arq_1' } }

  test.each<[string, Partial<ReviewItem>, boolean[]]>([
    ['a pattern of an API: to an end and to permissions', {}, [true, true]],
    ['one permission: to an end', { gives: 'orders:read' }, [true, false]],
    ['a role: to an end', { kind: 'assignment', gives: 'rol_1' }, [true, false]],
    ['an admin role: not at all', { kind: 'admin_role', gives: 'admin' }, [false, false]],
    ['what a request gave: not at all', asked, [false, false]],
  ])('%s', (_what, more, can) => {
    expect(is(more)).toEqual(can)
  })
})

test('who closed a review is an actor of the log, and nobody is the portal', () => {
  expect(actorNamed('user:usr_1')).toEqual({ actorKind: 'user', actorId: 'usr_1', ip: null })
  expect(actorNamed('client:ak_a:b')).toMatchObject({ actorKind: 'client', actorId: 'ak_a:b' })
  expect(actorNamed('system:operator')).toMatchObject({ actorKind: 'system' })
  expect(actorNamed(null)).toMatchObject({ actorKind: 'system', actorId: null })
})
