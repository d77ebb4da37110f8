import { type DatedEvent, link } from './audit-entry'
import { insertMany, type Sql } from './sql'

const ONLY_ROW = 1
const PART = 16

/** Appends to the hash chain in a transaction of plain SQL, as `appendAudit` does in one of Prisma's. */
export async function appendAuditIn(sql: Sql, events: readonly DatedEvent[]): Promise<void> {
  if (events.length === 0) return
  const [head] = await sql.all(
    'UPDATE "AuditHead" SET "seq" = "seq" + ? WHERE "id" = ? RETURNING "seq", "hash"',
    [events.length, ONLY_ROW],
  )
  if (!head) throw new Error('the head of the audit log is missing')
  const first = BigInt(head.seq as number | string) - BigInt(events.length)
  let hash = String(head.hash)
  // In parts, so that other requests get their turn between them.
  for (let at = 0; at < events.length; at += PART) {
    const part = events.slice(at, at + PART)
    const linked = link(part, first + BigInt(at + part.length), hash)
    hash = linked.hash
    const written = linked.rows.map((row) => ({ ...row, detail: JSON.stringify(row.detail) }))
    await insertMany(sql, 'AuditEntry', written)
    await insertMany(sql, 'StoredDecision', linked.decisions)
  }
  await sql.run('UPDATE "AuditHead" SET "hash" = ? WHERE "id" = ?', [hash, ONLY_ROW])
}
