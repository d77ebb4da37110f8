import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { temporaryFolder } from '../../../e2e/support/folder'
import { DAY_MS } from '../../base/time'
import { createOp, type OpenOp } from '../../op'
import { readConfig } from '../../settings/config'
import { appendAudit, listAuditPage } from '../../store/audit/audit'
import { verifyWhole } from '../../store/audit/chain'
import { removeOldAudit } from './audit-retention'

const EVENT = {
  event: 'token.issued',
  result: 'success',
  actorKind: 'user',
  actorId: 'usr_1',
  detail: {},
} as const

describe.each(KINDS)('AUDIT_RETENTION_DAYS on %s', (kind) => {
  let url: string
  let keeping: OpenOp
  let op: OpenOp

  const opened = async (more: Record<string, string>) =>
    createOp(
      readConfig({ DATABASE_URL: url, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent', ...more }),
    )

  /** Twenty entries, ten days apart; the last is of today. */
  beforeAll(async () => {
    url = await freshDatabase[kind]()
    keeping = await opened({})
    op = await opened({ AUDIT_RETENTION_DAYS: '70' })
    const days = Array.from({ length: 20 }, (_, at) => 190 - at * 10)
    const dated = days.map((day) => ({ ...EVENT, at: new Date(Date.now() - day * DAY_MS) }))
    await op.db.$transaction((tx) => appendAudit(tx, dated))
  })

  afterAll(async () => {
    await keeping.close()
    await op.close()
  })

  const oldest = async () => {
    const first = await op.db.auditEntry.findFirst({ orderBy: { at: 'asc' } })
    return (Date.now() - (first?.at.getTime() ?? 0)) / DAY_MS
  }

  test('without it nothing goes', async () => {
    expect(await removeOldAudit(keeping, () => true)).toBe(0)
    expect(await op.db.auditEntry.count()).toBe(20)
    expect(await oldest()).toBeGreaterThan(189)
  })

  test('older entries go; N21: the rest is still one chain, and the log says what went', async () => {
    expect(await removeOldAudit(op, () => true)).toBeGreaterThan(0)
    // PostgreSQL keeps a month until its last day is old enough.
    expect(await oldest()).toBeLessThan(kind === 'sqlite' ? 71 : 70 + 31)
    expect(await oldest()).toBeGreaterThan(59)
    expect((await verifyWhole(op.db)).broken).toBeNull()
    const removals = await op.db.auditEntry.findMany({ where: { event: 'audit.removed' } })
    expect(removals.at(-1)?.detail).toMatchObject({ up_to: expect.any(String) })
  })

  test('a second run removes nothing more', async () => {
    const before = await op.db.auditEntry.count()
    expect(await removeOldAudit(op, () => true)).toBe(0)
    expect(await op.db.auditEntry.count()).toBe(before)
  })

  test('N21: what stays cannot be changed or removed', async () => {
    await expect(op.db.auditEntry.deleteMany()).rejects.toThrow()
    await expect(op.db.auditEntry.updateMany({ data: { event: 'x' } })).rejects.toThrow()
    if (kind === 'postgres')
      await expect(op.db.$executeRaw`TRUNCATE "AuditEntry"`).rejects.toThrow()
  })

  test('entries without a partition are kept, found, and moved into theirs', async () => {
    const at = new Date(Date.now() + 400 * DAY_MS)
    await op.db.$transaction((tx) => appendAudit(tx, [{ ...EVENT, actorId: 'usr_late', at }]))
    await removeOldAudit(op, () => true)
    const ask = { limit: 5, sort: '-seq', after: null, q: null, mostCounted: 100 } as const
    const page = await listAuditPage(op.db, { actorId: 'usr_late' }, { ...ask, databaseKind: kind })
    expect([page.rows.length, page.total]).toEqual([1, 1])
    if (kind === 'postgres') {
      const [left] = await op.db.$queryRaw<{ count: bigint }[]>`
        SELECT count(*) AS "count" FROM "AuditEntry_default"`
      expect(Number(left?.count)).toBe(0)
    }
    expect((await verifyWhole(op.db)).broken).toBeNull()
  })
})
