import type { DatabaseKind, Reader, Transaction } from '../database/connection'
import { prisma, readPlain } from '../database/database'
import { type Row, textIn } from '../database/sql'

const ONLY_ROW = 1
const KEPT_VERSIONS = 10_000
const CLEAN_EVERY = 1_000

/** What a change affects in the memory of other server processes. */
export type ChangedSubject =
  | { kind: 'user' | 'application' | 'group'; id: string }
  | { kind: 'model'; role: string }
  /** An API with its permissions. */
  | { kind: 'model'; api: string }
  | { kind: 'model' }
  | { kind: 'settings' }
  | { kind: 'all' }
  /** Nothing that decisions read. */
  | { kind: 'none' }

/** Every write that can change a decision raises the version in its own transaction. */
export async function bumpPolicyVersion(
  tx: Transaction,
  touched: readonly ChangedSubject[] = [{ kind: 'all' }],
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

function toRow(version: number, touched: ChangedSubject) {
  return { version, kind: touched.kind, id: idOf(touched) }
}

/** Earlier releases read the whole model again, whatever the ID of the row says. */
function idOf(touched: ChangedSubject): string {
  if ('id' in touched) return touched.id
  if ('role' in touched) return `${ROLE}${touched.role}`
  return 'api' in touched ? `${API}${touched.api}` : ''
}

const ROLE = 'role '
const API = 'api '

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

const MAX_CHANGES = 10_000

export type Changes = {
  /** IDs, each with the version of its last change. */
  users: ReadonlyMap<string, number>
  applications: ReadonlyMap<string, number>
  groups: ReadonlyMap<string, number>
  /** The whole model, or these parts of it. */
  model: boolean
  apis: ReadonlySet<string>
  roles: ReadonlySet<string>
  settings: boolean
}

/** `changes` is null if unknown, or if so much has changed that everything is read again. */
export type ChangeLog = { version: number; changes: Changes | null }

type ChangeRow = { version: number; kind: string; id: string }

const KINDS: readonly string[] = ['user', 'application', 'group', 'model', 'settings', 'none']

/** One statement, so the version and the changes belong together. */
const LOG = `
  SELECT v."version" AS "now", c."version", c."kind", c."id"
  FROM "PolicyVersion" v
  LEFT JOIN "PolicyChange" c ON c."version" > ? AND c."version" <= v."version"
  WHERE v."id" = ${ONLY_ROW}
  ORDER BY c."version" LIMIT ${MAX_CHANGES}`

/** What was changed since that version, and the version now. */
export async function readChangeLog(
  db: Reader,
  kind: DatabaseKind,
  since: number,
): Promise<ChangeLog> {
  const found = await readPlain(db, kind, LOG, [since])
  const version = Number(found[0]?.now)
  if (!Number.isSafeInteger(version)) throw new Error('the database has no policy version')
  const rows = found.flatMap(toChange)
  const recorded = new Set(rows.map((row) => row.version))
  const complete = rows.length < MAX_CHANGES && recorded.size === version - since
  // A newer release may record kinds that this one does not know.
  const isKnown = rows.every((row) => KINDS.includes(row.kind))
  return { version, changes: complete && isKnown ? toChanges(rows) : null }
}

/** What these changes affect, as the log would tell it; null if everything is read again. */
export function changesBy(version: number, touched: readonly ChangedSubject[]): Changes | null {
  const rows = touched.map((one) => toRow(version, one))
  return rows.every(({ kind }) => KINDS.includes(kind)) ? toChanges(rows) : null
}

function toChange({ version, kind, id }: Row): ChangeRow[] {
  return version === null ? [] : [{ version: Number(version), kind: textIn(kind), id: textIn(id) }]
}

function toChanges(rows: readonly ChangeRow[]): Changes {
  const model = rows.filter(({ kind }) => kind === 'model').map(({ id }) => id)
  const partsOf = (word: string) =>
    new Set(model.filter((id) => id.startsWith(word)).map((id) => id.slice(word.length)))
  return {
    users: lastChanges(rows, 'user'),
    applications: lastChanges(rows, 'application'),
    groups: lastChanges(rows, 'group'),
    model: model.some((id) => !id.startsWith(ROLE) && !id.startsWith(API)),
    apis: partsOf(API),
    roles: partsOf(ROLE),
    settings: rows.some(({ kind }) => kind === 'settings'),
  }
}

/** Whether the model or the settings must be read again. */
export function changesModel({ model, apis, roles, settings }: Changes): boolean {
  return model || settings || apis.size > 0 || roles.size > 0
}

function lastChanges(rows: readonly ChangeRow[], wanted: string): Map<string, number> {
  const theirs = rows.filter(({ kind }) => kind === wanted)
  return new Map(theirs.map(({ id, version }) => [id, version]))
}
