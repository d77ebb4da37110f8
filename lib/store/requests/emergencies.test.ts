import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import type { Approver } from '../../access/policy'
import { findOwnData } from '../accounts/own-data'
import { createUser, removeUser } from '../accounts/users'
import { type Database, openDatabase } from '../database/database'
import { findAccessRequest } from './access-requests'
import {
  findMissedReview,
  findUnjustified,
  listReviewing,
  listReviewsMissed,
  listToReview,
  saveReview,
  saveReviewMissed,
} from './emergencies'
import { removeOldRequests } from './ends'
import { insertAccessRequest, type NewRequest } from './steps'

const NOW = new Date('2026-11-15T12:00:00.000Z')
const inDays = (count: number) => new Date(NOW.getTime() + count * 24 * 60 * 60 * 1000)

describe.each(KINDS)('what was opened in an emergency, on %s', (kind) => {
  let db: Database
  let opener = ''
  let reviewer = ''

  beforeAll(async () => {
    db = await openDatabase(await freshDatabase[kind]())
    const person = { emailVerified: true, adminRole: null, passwordHash: 'h' }
    const user = (name: string) =>
      db.$transaction((tx) => createUser(tx, { ...person, name, email: `${name}@x.org` }, NOW))
    opener = await user('opener')
    reviewer = await user('reviewer')
  })
  afterAll(() => db.$disconnect())

  async function opened(
    id: string,
    reviewDeadline: Date | null,
    createdAt = NOW,
    more: Partial<NewRequest> = {},
  ): Promise<void> {
    const request: NewRequest = {
      id,
      userId: opener,
      applicationId: null,
      madeBy: null,
      apiId: 'api',
      audience: 'a',
      scope: 'orders:refund',
      resourceType: null,
      resourceId: null,
      contextDigest: '',
      policyVersion: 1,
      decisionId: null,
      ruleId: 'rqr',
      lacks: ['user'],
      reason: 'r',
      terms: { name: 'n', reasonRequired: true, maxSeconds: 1, stages: [], emergency: null },
      requestedUntil: null,
      emergency: true,
      callback: null,
      status: 'approved',
      stage: 0,
      escalated: false,
      stageDeadline: NOW,
      createdAt,
      expiresAt: NOW,
      decidedAt: NOW,
      approvedUntil: new Date(createdAt.getTime() + 24 * 60 * 60 * 1000),
      pendingKey: null,
      reviewDeadline,
      reviewMissedAt: null,
      reviewRemindAt: null,
      reviewedAt: null,
      reviewerId: null,
      justified: null,
      reviewReason: null,
      ...more,
    }
    await db.$transaction((tx) => insertAccessRequest(tx, request))
  }
  const who = () => ({ userId: opener, apiId: 'api' })
  const all = (userId: string) => ({ askedKeys: null, userId, most: 10 })
  const said = () => ({ reviewerId: reviewer, justified: true, reviewReason: 'seen' })

  test('a missing review is found once, is not forgotten with old requests, and ends with the review', async () => {
    await opened('arq_old', inDays(-399), inDays(-400))
    await opened('arq_asked', null, inDays(-400))
    // Access that lasted longer is known as long.
    await opened('arq_held', null, inDays(-400), { approvedUntil: inDays(-20) })
    await opened('arq_new', inDays(1))
    expect(await listReviewsMissed({ db, kind: 'sqlite', now: NOW, most: 10 })).toEqual(['arq_old'])
    const there = { apiIsGone: false }
    const missing = () => db.$transaction((tx) => saveReviewMissed(tx, 'arq_old', NOW, there))
    expect([await missing(), await missing()]).toEqual([true, false])
    expect(await listReviewsMissed({ db, kind: 'sqlite', now: NOW, most: 10 })).toEqual([])
    expect(await db.$transaction((tx) => removeOldRequests(tx, inDays(-30)))).toBe(1)
    expect(await findMissedReview(db, who(), NOW)).toMatchObject({ id: 'arq_old' })
    const waiting = await listToReview(db, all(reviewer))
    expect(waiting.map(({ id }) => id)).toEqual(['arq_old', 'arq_new'])
    expect(await listToReview(db, all(opener))).toEqual([])
    const review = () => db.$transaction((tx) => saveReview(tx, 'arq_old', said(), NOW))
    expect([await review(), await review()]).toEqual([true, false])
    expect(await findMissedReview(db, who(), NOW)).toBeNull()
    expect(await db.$transaction((tx) => removeOldRequests(tx, inDays(-30)))).toBe(1)
    expect(await db.$transaction((tx) => removeOldRequests(tx, inDays(-19)))).toBe(1)
  })

  test('Q73: what was not justified is known for its own time, however old the request is', async () => {
    await opened('arq_late', inDays(-399), inDays(-400), { apiId: 'other' })
    const late = { userId: opener, apiId: 'other' }
    const wrong = { ...said(), justified: false }
    expect(await findUnjustified(db, late, inDays(-30))).toBeNull()
    await db.$transaction((tx) => saveReview(tx, 'arq_late', wrong, NOW))
    expect(await db.$transaction((tx) => removeOldRequests(tx, inDays(-30)))).toBe(0)
    expect(await findUnjustified(db, late, inDays(-30))).toMatchObject({ id: 'arq_late' })
    expect(await findUnjustified(db, { ...late, apiId: 'api' }, inDays(-30))).toBeNull()
    expect(await findUnjustified(db, late, NOW)).toBeNull()
    expect(await db.$transaction((tx) => removeOldRequests(tx, inDays(1)))).toBe(1)
  })

  test('what somebody said about others is in their own data, and goes with them; the review stays', async () => {
    await db.$transaction((tx) => saveReview(tx, 'arq_new', said(), NOW))
    const data = await findOwnData(db, reviewer)
    expect(data?.reviewed).toMatchObject([{ id: 'arq_new', reviewReason: 'seen' }])
    expect((await findOwnData(db, opener))?.accessRequests).toMatchObject([{ justified: true }])
    await db.$transaction((tx) => removeUser(tx, { id: reviewer, version: 1 }))
    expect(await findAccessRequest(db, { id: 'arq_new' })).toMatchObject({
      justified: true,
      reviewer: null,
      reviewReason: null,
      reviewedAt: NOW,
    })
  })

  test('Q74: who reviews is read once for all that the same people review', async () => {
    const terms = (...reviewers: Approver[]) => {
      const emergency = { people: [], seconds: 1, reviewSeconds: 1, reviewers }
      return { name: 'n', reasonRequired: true, maxSeconds: 1, stages: [], emergency }
    }
    const ofUser = (id: string) => ({ apiId: 'many', terms: terms({ type: 'user', id }) })
    for (const at of [1, 2, 3]) await opened(`arq_a${at}`, inDays(-at), NOW, ofUser('a'))
    await opened('arq_b', inDays(5), NOW, ofUser('b'))
    const byManager = terms({ type: 'manager', attribute: 'boss' })
    await opened('arq_c', inDays(6), NOW, { apiId: 'many', terms: byManager })
    const asked = (await listReviewing(db, 10)).filter(({ apiId }) => apiId === 'many')
    expect(asked).toHaveLength(3)
    const keyOf = (id: string) =>
      asked.find(({ terms: kept }) => JSON.stringify(kept.emergency?.reviewers).includes(id))
    const idsOf = async (askedKey: string, skip = 0) => {
      const of = { askedKeys: [askedKey], userId: 'usr_other', skip, most: 2 }
      return (await listToReview(db, of)).map(({ id }) => id)
    }
    expect(await idsOf(keyOf('"a"')?.askedKey ?? '?')).toEqual(['arq_a3', 'arq_a2'])
    expect(await idsOf(keyOf('"a"')?.askedKey ?? '?', 2)).toEqual(['arq_a1'])
    expect(await idsOf(keyOf('"b"')?.askedKey ?? '?')).toEqual(['arq_b'])
    expect(keyOf('boss')?.askedKey).toBe('')
    expect(await idsOf('')).toEqual(['arq_c'])
  })
})
