import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { DAY_MS } from '../../base/time'
import { removeDue } from '../accounts/deletion'
import { createUser } from '../accounts/users'
import { databaseKindOf } from '../database/connection'
import { type Database, openDatabase } from '../database/database'
import { appendAuditBatch, type DatedEvent } from './audit'
import { countIssued, listPastDecisions, rangeOf, removeOldDecisions } from './stored-decisions'

const NOW = new Date('2026-11-15T12:00:00Z')
const NOBODY = { adminRole: null, passwordHash: null }
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS)

function decided(at: Date, userId: string | null, basis = '{}'): DatedEvent {
  return {
    at,
    event: 'token.issued',
    result: 'success',
    actorKind: 'client',
    actorId: 'app',
    applicationId: 'app',
    detail: { scope: ['orders:read'] },
    basis: { userId, text: basis },
  }
}

describe.each(KINDS)('stored decisions on %s', (kind) => {
  let db: Database

  beforeAll(async () => {
    const url = await freshDatabase[kind]()
    db = await openDatabase(url)
    expect(databaseKindOf(url)).toBe(kind)
  })

  afterAll(() => db.$disconnect())

  const window = (days: number) => ({ since: daysAgo(days), until: NOW })
  const listed = async (days: number, after = -1n, most = 100) =>
    listPastDecisions(db, kind, window(days), after, most)

  test('are written with their entries, and read in pages of a window', async () => {
    const { basis: _none, ...plain } = decided(daysAgo(2), null)
    await appendAuditBatch(db, [
      decided(daysAgo(40), null),
      decided(daysAgo(3), 'usr_1', '{"u":"curl"}'),
      plain,
      decided(daysAgo(1), 'usr_2', '{"u":"\\u0000"}'),
    ])
    const found = await listed(30)
    expect(found.map(({ userId, basis }) => [userId, basis])).toEqual([
      ['usr_1', '{"u":"curl"}'],
      ['usr_2', '{"u":"\\u0000"}'],
    ])
    expect(found[0]).toMatchObject({
      at: daysAgo(3).getTime(),
      event: 'token.issued',
      applicationId: 'app',
      detail: { scope: ['orders:read'] },
    })
    const [first] = await listed(30, -1n, 1)
    expect((await listed(30, first?.seq, 1)).map(({ userId }) => userId)).toEqual(['usr_2'])
    expect(await countIssued(db, window(30))).toBe(3)
    expect(await rangeOf(db, window(30))).toMatchObject({ last: found[1]?.seq })
  })

  test('U6: go with their user, and those that came after the deletion with the next clean-up', async () => {
    const ann = { name: 'Ann', email: `ann-${kind}@example.com`, emailVerified: true }
    const id = await db.$transaction((tx) => createUser(tx, { ...ann, ...NOBODY }, NOW))
    await db.user.update({ where: { id }, data: { deleteAfter: NOW } })
    const theirs = () => db.storedDecision.count({ where: { userId: id } })
    await appendAuditBatch(db, [decided(NOW, id), decided(NOW, id)])
    expect(await theirs()).toBe(2)
    expect(await db.$transaction((tx) => removeDue(tx, id, NOW))).toBe(true)
    expect(await theirs()).toBe(0)
    await appendAuditBatch(db, [decided(NOW, id)])
    await removeOldDecisions(db, daysAgo(30), NOW, () => true)
    expect(await theirs()).toBe(0)
  })

  test('the old ones are removed, and all of them if none are kept; the log stays', async () => {
    const entries = await db.auditEntry.count()
    await removeOldDecisions(db, daysAgo(30), NOW, () => true)
    expect((await listed(365)).every(({ at }) => at >= daysAgo(30).getTime())).toBe(true)
    await removeOldDecisions(db, new Date(NOW.getTime() + 1), NOW, () => true)
    expect([await db.storedDecision.count(), await db.auditEntry.count()]).toEqual([0, entries])
  })
})
