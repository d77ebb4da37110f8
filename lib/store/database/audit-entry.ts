import { newDatedId, sha256 } from '../../crypto/secrets'
import type { AuditEvent } from '../../oidc/audit-event'
import type { Prisma } from '../generated/sqlite/client'

/** The entries of the audit log as links of the hash chain. */

export type DatedEvent = AuditEvent & { at: Date }

/** `last`: the number of the last of these entries; `head`: the hash of the entry before them. */
export function link(events: readonly DatedEvent[], last: bigint, head: string) {
  let seq = last - BigInt(events.length)
  let hash = head
  const decisions: NewDecision[] = []
  const rows = events.map((event) => {
    seq += 1n
    const row = chained(event, seq, hash)
    hash = row.hash
    const { basis } = event
    if (basis) decisions.push({ seq, userId: basis.userId, basis: basis.text })
    return row
  })
  return { rows, hash, decisions }
}

/** What a decision was made on: see lib/store/audit/stored-decisions.ts. */
type NewDecision = { seq: bigint; userId: string | null; basis: string }

export type Entry = {
  seq: bigint
  id: string
  at: Date
  event: string
  result: string
  actorKind: string
  actorId: string | null
  targetKind: string | null
  targetId: string | null
  applicationId: string | null
  ip: string | null
  requestId: string | null
  decisionId: string | null
  detail: Prisma.InputJsonObject
  previousHash: string
}

function chained(event: DatedEvent, seq: bigint, previousHash: string): Entry & { hash: string } {
  const row: Entry = {
    seq,
    id: newDatedId('aud'),
    at: event.at,
    event: event.event,
    result: event.result,
    actorKind: event.actorKind,
    actorId: event.actorId,
    targetKind: event.targetKind ?? null,
    targetId: event.targetId ?? null,
    applicationId: event.applicationId ?? null,
    ip: event.ip ?? null,
    requestId: event.requestId ?? null,
    decisionId: event.decisionId ?? null,
    // A copy through JSON, so that exactly the stored value is hashed.
    detail: JSON.parse(JSON.stringify(event.detail)),
    previousHash,
  }
  return { hash: hashOf(row), ...row }
}

/** What is hashed besides the number, the time and the detail, in this order. */
const HASHED = [
  'actorId',
  'actorKind',
  'applicationId',
  'decisionId',
  'event',
  'id',
  'ip',
  'previousHash',
  'requestId',
  'result',
  'targetId',
  'targetKind',
] as const

/**
 * Over the values in a fixed order; object members are sorted, because databases may reorder them.
 */
export function hashOf(row: Entry): string {
  const rest = HASHED.map((column) => row[column])
  const values = [String(row.seq), row.at.getTime(), canonical(row.detail), ...rest]
  return sha256(JSON.stringify(values))
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const members = value as Record<string, unknown>
  const names = Object.keys(members).sort()
  return Object.fromEntries(names.map((name) => [name, canonical(members[name])]))
}
