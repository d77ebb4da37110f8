import type { Reader, Transaction } from './connection'
import { prisma } from './database'

const ONLY_ROW = 1
const KEPT_VERSIONS = 10_000
const CLEAN_EVERY = 1_000

/** What a change affects in the snapshots of other server processes. */
export type Touched =
  | { kind: 'user' | 'application' | 'group'; id: string }
  | { kind: 'model' }
  | { kind: 'settings' }
  | { kind: 'all' }
  /** Nothing that decisions read. */
  | { kind: 'none' }

/** Every write that can change a decision raises the version in its own transaction. */
export async function bumpPolicyVersion(
  tx: Transaction,
  touched: readonly Touched[] = [{ kind: 'all' }],
): Promise<void> {
  const { version } = await prisma(tx).policyVersion.update({
    where: { id: ONLY_ROW },
    data: { version: { increment: 1 } },
  })
  const told = touched.length > 0 ? touched : [{ kind: 'none' } as const]
  const rows = new Map(told.map((one) => [JSON.stringify(one), toRow(version, one)]))
  await prisma(tx).policyChange.createMany({ data: [...rows.values()] })
  if (version % CLEAN_EVERY !== 0) return
  await prisma(tx).policyChange.deleteMany({ where: { version: { lt: version - KEPT_VERSIONS } } })
}

function toRow(version: number, touched: Touched) {
  return { version, kind: touched.kind, id: 'id' in touched ? touched.id : '' }
}

/** Higher than both, so that every process reads everything again. */
export async function raisePolicyVersion(tx: Transaction, other: number): Promise<void> {
  await prisma(tx).policyVersion.updateMany({
    where: { id: ONLY_ROW, version: { lt: other } },
    data: { version: other },
  })
  await bumpPolicyVersion(tx)
}

export async function readPolicyVersion(db: Reader): Promise<number> {
  const { version } = await prisma(db).policyVersion.findUniqueOrThrow({ where: { id: ONLY_ROW } })
  return version
}

const MOST_CHANGES = 2_000

export type Changes = {
  users: Set<string>
  applications: Set<string>
  groups: Set<string>
  model: boolean
  settings: boolean
}

/** Null if unknown, or if so much has changed that everything is read again. */
export async function changesBetween(
  db: Reader,
  before: number,
  now: number,
): Promise<Changes | null> {
  const rows = await prisma(db).policyChange.findMany({
    where: { version: { gt: before, lte: now } },
    take: MOST_CHANGES,
  })
  const told = new Set(rows.map(({ version }) => version))
  const complete = rows.length < MOST_CHANGES && told.size === now - before
  if (!complete || rows.some(({ kind }) => kind === 'all')) return null
  const idsOf = (wanted: string) =>
    new Set(rows.filter(({ kind }) => kind === wanted).map(({ id }) => id))
  return {
    users: idsOf('user'),
    applications: idsOf('application'),
    groups: idsOf('group'),
    model: rows.some(({ kind }) => kind === 'model'),
    settings: rows.some(({ kind }) => kind === 'settings'),
  }
}
