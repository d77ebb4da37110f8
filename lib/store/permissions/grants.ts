import { isPortalScope } from '../../access/portal-api'
import { newId } from '../../crypto/secrets'
import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { oneOf } from '../database/json'

/** The grants of applications and access keys, and who holds a permission. */

type GrantTerms = {
  pattern: string
  /** For a token exchange only: the application whose tokens are exchanged, or `*`. */
  exchangeFrom: string | null
  effect: 'allow' | 'deny'
  condition: string | null
  validFrom: Date | null
  validUntil: Date | null
  /** Who answers for it if it begins later. */
  givenBy?: string | null
}
export type GrantRow = GrantTerms & { id: string; givenBy: string | null }

const FIELDS = {
  id: true,
  pattern: true,
  exchangeFrom: true,
  effect: true,
  condition: true,
  validFrom: true,
  validUntil: true,
  givenBy: true,
} as const

/** Those that were written: an approved request gives and ends its own. */
const written = (applicationId: string) => ({ applicationId, requestId: null })

export async function listGrants(db: Reader, applicationId: string): Promise<GrantRow[]> {
  const rows = await prisma(db).grant.findMany({
    where: written(applicationId),
    orderBy: [{ pattern: 'asc' }, { id: 'asc' }],
    select: FIELDS,
  })
  return rows.map((row) => ({ ...row, effect: oneOf(['allow', 'deny'], row.effect) }))
}

/** The IDs of those that approved requests gave it: they stay, whatever is written. */
export async function listApprovedGrantIds(
  db: Reader,
  applicationId: string,
): Promise<Set<string>> {
  const where = { applicationId, requestId: { not: null } }
  const rows = await prisma(db).grant.findMany({ where, select: { id: true } })
  return new Set(rows.map(({ id }) => id))
}

export async function replaceGrants(
  tx: Transaction,
  applicationId: string,
  grants: readonly GrantTerms[],
  now: Date,
): Promise<GrantRow[]> {
  await prisma(tx).grant.deleteMany({ where: written(applicationId) })
  await addGrants(tx, applicationId, grants, now)
  return listGrants(tx, applicationId)
}

export async function addGrants(
  tx: Transaction,
  applicationId: string,
  grants: readonly GrantTerms[],
  now: Date,
): Promise<void> {
  const stamps = { createdAt: now, updatedAt: now }
  const data = grants.map((grant) => ({ ...grant, id: newId('grn'), applicationId, ...stamps }))
  await prisma(tx).grant.createMany({ data })
}

/** Counts up to `most`. */
export function countGrants(db: Reader, applicationId: string, most: number): Promise<number> {
  return prisma(db).grant.count({ where: { applicationId }, take: most })
}

export type Holder = { applicationId: string } | { accessKeyId: string }
export type HeldGrant = GrantRow & { createdAt: Date }

/** Those that were written. */
export async function listHeld(db: Reader, holder: Holder): Promise<HeldGrant[]> {
  const rows = await prisma(db).grant.findMany({
    where: { ...holder, requestId: null },
    orderBy: [{ pattern: 'asc' }, { id: 'asc' }],
    select: { ...FIELDS, createdAt: true },
  })
  return rows.map((row) => ({ ...row, effect: oneOf(['allow', 'deny'], row.effect) }))
}

/** Of those that were written. Returns the number of removed grants. */
export async function removeGrants(
  tx: Transaction,
  holder: Holder,
  ids: readonly string[],
): Promise<number> {
  const where = { ...holder, requestId: null, id: { in: [...ids] } }
  return (await prisma(tx).grant.deleteMany({ where })).count
}

type Given = {
  id: string
  userId: string
  applicationId: string | null
  approvedUntil: Date | null
}

/**
 * Removes what an approved request gave, and ends the approval. Null if it is not in force: of
 * several calls at once, one takes it back.
 */
export async function deleteApprovedGrants(
  tx: Transaction,
  { id: requestId, userId, applicationId, approvedUntil }: Given,
  now: Date,
): Promise<string[] | null> {
  if (approvedUntil === null || approvedUntil <= now) return null
  // With the end that was seen: this locks the row, so the second call waits for the first.
  const { count } = await prisma(tx).accessRequest.updateMany({
    where: { id: requestId, status: 'approved', approvedUntil },
    data: { approvedUntil: now, updatedAt: now },
  })
  if (count === 0) return null
  const holders = [{ userId }, ...(applicationId === null ? [] : [{ applicationId }])]
  const where = { requestId, OR: holders }
  const given = await prisma(tx).grant.findMany({ where, select: { id: true } })
  // A process whose clock is behind takes the end that another has just set for one to come.
  if (given.length === 0) return null
  await prisma(tx).grant.deleteMany({ where })
  return given.map(({ id }) => id)
}

/** Whether something that a request gave is in force. */
export async function isGivenBy(db: Reader, requestId: string, now: Date): Promise<boolean> {
  const where = { requestId, OR: [{ validUntil: null }, { validUntil: { gt: now } }] }
  return (await prisma(db).grant.count({ where, take: 1 })) > 0
}

/** The patterns that match neither a registered permission nor a registered API. */
export async function unregistered(db: Reader, patterns: readonly string[]): Promise<Set<string>> {
  const wide = patterns.filter((pattern) => pattern.endsWith(':*'))
  const items = patterns.filter((pattern) => !pattern.endsWith(':*') && !isPortalScope(pattern))
  const prefixes = wide.map((pattern) => pattern.slice(0, -2))
  const knownItems = await prisma(db).permissionItem.findMany({
    where: { key: { in: items } },
    select: { key: true },
  })
  const knownApis = await prisma(db).api.findMany({
    where: { prefix: { in: prefixes } },
    select: { prefix: true },
  })
  const known = new Set([
    ...knownItems.map(({ key }) => key),
    ...knownApis.map(({ prefix }) => `${prefix}:*`),
  ])
  return new Set([...items, ...wide].filter((pattern) => !known.has(pattern)))
}

// ---------------------------------------------------------------- who holds a permission

/** The roles that have a grant of one of these patterns. */
export async function rolesGranting(db: Reader, patterns: readonly string[]): Promise<string[]> {
  const rows = await prisma(db).grant.groupBy({
    by: ['roleId'],
    where: { pattern: { in: [...patterns] }, roleId: { not: null } },
  })
  return rows.flatMap(({ roleId }) => roleId ?? [])
}

export type GrantHolding = GrantRow & {
  kind: 'application' | 'role' | 'user'
  holderId: string
  /** The access request that gave it. */
  requestId: string | null
}

const MAX_COUNTED = 10_000

/** Who has a grant of one of these patterns; the total counts up to 10 000. */
export async function listHoldings(
  db: Reader,
  patterns: readonly string[],
  most: number,
): Promise<{ holdings: GrantHolding[]; total: number }> {
  const where = {
    pattern: { in: [...patterns] },
    OR: [{ applicationId: { not: null } }, { roleId: { not: null } }, { userId: { not: null } }],
  }
  const rows = await prisma(db).grant.findMany({
    where,
    orderBy: [{ pattern: 'asc' }, { id: 'asc' }],
    take: most,
    select: { ...FIELDS, applicationId: true, roleId: true, userId: true, requestId: true },
  })
  const total = await prisma(db).grant.count({ where, take: MAX_COUNTED })
  return { total, holdings: rows.flatMap(toHolding) }
}

type HeldRow = Omit<GrantRow, 'effect'> &
  Record<'applicationId' | 'roleId' | 'userId' | 'requestId', string | null> & { effect: string }

function toHolding({ applicationId, roleId, userId, ...row }: HeldRow): GrantHolding[] {
  const effect = oneOf(['allow', 'deny'], row.effect)
  const holding = (kind: GrantHolding['kind'], holderId: string) => [
    { ...row, effect, kind, holderId },
  ]
  if (applicationId !== null) return holding('application', applicationId)
  if (roleId !== null) return holding('role', roleId)
  return userId === null ? [] : holding('user', userId)
}

/** Conditions of grants, assignments and request rules that contain this text. */
export async function conditionsWith(db: Reader, text: string, most: number): Promise<string[]> {
  const asked = {
    where: { condition: { contains: text } },
    select: { condition: true },
    distinct: ['condition'] as 'condition'[],
    take: most,
  }
  const rows = await Promise.all([
    prisma(db).grant.findMany(asked),
    prisma(db).assignment.findMany(asked),
  ])
  const contains = { contains: text }
  const rules = await prisma(db).requestRule.findMany({
    where: { OR: [{ askers: contains }, { autoApprove: contains }, { autoRefuse: contains }] },
    select: { askers: true, autoApprove: true, autoRefuse: true },
    take: most,
  })
  return [
    ...rows.flat().flatMap(({ condition }) => condition ?? []),
    ...rules.flatMap((rule) => Object.values(rule).flatMap((condition) => condition ?? [])),
  ]
}
