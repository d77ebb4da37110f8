import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../e2e/support/databases'
import {
  findAccessRequest,
  insertAccessRequest,
  type NewRequest,
  removeOldRequests,
} from './access-requests'
import { type Database, openDatabase } from './database'
import {
  findMissedReview,
  listReviewsMissed,
  listToReview,
  saveReview,
  saveReviewMissed,
} from './emergencies'
import { findOwnData } from './own-data'
import { createUser, removeUser } from './users'

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

  async function opened(id: string, reviewDeadline: Date | null, createdAt = NOW): Promise<void> {
    const request: NewRequest = {
      ...{ id, userId: opener, applicationId: null, madeBy: null, apiId: 'api', audience: 'a' },
      ...{ scope: 'orders:refund', resourceType: null, resourceId: null, contextDigest: '' },
      ...{ policyVersion: 1, decisionId: null, ruleId: 'rqr', lacks: ['user'], reason: 'r' },
      terms: { name: 'n', reasonRequired: true, maxSeconds: 1, stages: [], emergency: null },
      ...{ requestedUntil: null, emergency: true, callback: null, status: 'approved', stage: 0 },
      ...{ escalated: false, stageDeadline: NOW, createdAt, expiresAt: NOW, decidedAt: NOW },
      ...{ approvedUntil: inDays(1), pendingKey: null, reviewDeadline, reviewMissedAt: null },
      ...{ reviewedAt: null, reviewerId: null, justified: null, reviewReason: null },
    }
    await db.$transaction((tx) => insertAccessRequest(tx, request))
  }
  const who = () => ({ userId: opener, ruleId: 'rqr' })
  const said = () => ({ reviewerId: reviewer, justified: true, reviewReason: 'seen' })

  test('a missing review is found once, is not forgotten with old requests, and ends with the review', async () => {
    await opened('arq_old', inDays(-399), inDays(-400))
    await opened('arq_asked', null, inDays(-400))
    await opened('arq_new', inDays(1))
    expect(await listReviewsMissed(db, NOW, 10)).toEqual(['arq_old'])
    const missing = () => db.$transaction((tx) => saveReviewMissed(tx, 'arq_old', NOW))
    expect([await missing(), await missing()]).toEqual([true, false])
    expect(await listReviewsMissed(db, NOW, 10)).toEqual([])
    expect(await db.$transaction((tx) => removeOldRequests(tx, inDays(-30)))).toBe(1)
    expect(await findMissedReview(db, who(), NOW)).toMatchObject({ id: 'arq_old' })
    const waiting = await listToReview(db, reviewer, 10)
    expect(waiting.map(({ id }) => id)).toEqual(['arq_old', 'arq_new'])
    expect(await listToReview(db, opener, 10)).toEqual([])
    const review = () => db.$transaction((tx) => saveReview(tx, 'arq_old', said(), NOW))
    expect([await review(), await review()]).toEqual([true, false])
    expect(await findMissedReview(db, who(), NOW)).toBeNull()
    expect(await db.$transaction((tx) => removeOldRequests(tx, inDays(-30)))).toBe(1)
  })

  test('what somebody said about others is in their own data, and goes with them; the review stays', async () => {
    await db.$transaction((tx) => saveReview(tx, 'arq_new', said(), NOW))
    const data = await findOwnData(db, reviewer)
    expect(data?.reviewed).toMatchObject([{ id: 'arq_new', reviewReason: 'seen' }])
    expect((await findOwnData(db, opener))?.accessRequests).toMatchObject([{ justified: true }])
    await db.$transaction((tx) => removeUser(tx, { id: reviewer, version: 1 }))
    expect(await findAccessRequest(db, { id: 'arq_new' })).toMatchObject({
      ...{ justified: true, reviewer: null, reviewReason: null, reviewedAt: NOW },
    })
  })
})
