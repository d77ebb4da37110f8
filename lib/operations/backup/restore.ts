import type { Transaction } from '../../context/op'
import { deriveKey } from '../../crypto/secrets'
import { BY_SYSTEM } from '../../oidc/audit-event'
import type { Config } from '../../settings/config'
import { appendAudit } from '../../store/audit/audit'
import {
  emptyTables,
  filledTables,
  insertRows,
  type Row,
  tableNamed,
} from '../../store/database/tables'
import { rewrite, schemaVersion } from '../../store/operations/copy'
import { type EndedCounts, endEverything } from '../../store/operations/end-all'
import { migrate } from '../../store/operations/migrations'
import { raisePolicyVersion, readPolicyVersion } from '../../store/policy/policy-version'
import { BackupError, type Counts, type Head, linesOf, verifyFile } from './file'
import { readRow } from './rows'

/**
 * Restores a database from a backup. Revocations since then are unknown, so everything that could
 * have been revoked is ended (attack N23), unless the portal has not run since.
 */

type Settings = Pick<Config, 'databaseUrl' | 'secret'>

type RestoreOptions = {
  /** Existing data is deleted. */
  replace: boolean
  /** The portal has not run since the backup was made: nothing is ended. */
  moved: boolean
}

export type RestoreResult = { takenAt: string; counts: Counts; ended: EndedCounts | null }

export async function restore(
  { databaseUrl, secret }: Settings,
  file: string,
  how: RestoreOptions,
  now: Date,
): Promise<RestoreResult> {
  const head = await verifyFile(file, deriveKey(secret, 'backup'))
  requireSchema(head)
  await migrate(databaseUrl)
  return rewrite(databaseUrl, async (tx) => {
    const before = await makeRoom(tx, how)
    await fill(tx, file)
    const ended = how.moved ? null : await endEverything(tx, now)
    await note(tx, head, ended, now)
    await raisePolicyVersion(tx, before)
    return { takenAt: head.takenAt, counts: head.counts, ended }
  })
}

function requireSchema({ schema }: Head): void {
  if (schema === schemaVersion()) return
  throw new BackupError(
    `the backup has schema ${schema}, but this version has ${schemaVersion()}: restore it with the version that made it, then migrate`,
  )
}

/**
 * Returns the previous policy version: running server processes must not mistake the new one for
 * theirs.
 */
async function makeRoom(tx: Transaction, { replace }: RestoreOptions): Promise<number> {
  const filled = await filledTables(tx)
  if (filled.length > 0 && !replace) {
    throw new BackupError(
      `the database is not empty (${filled.slice(0, 5).join(', ')}): use an empty one, or add --replace`,
    )
  }
  const version = await readPolicyVersion(tx)
  await emptyTables(tx)
  return version
}

const AT_ONCE = 200

async function fill(tx: Transaction, file: string): Promise<void> {
  let table = ''
  let rows: Row[] = []
  const write = async () => {
    const known = tableNamed(table)
    if (rows.length > 0 && !known) throw new BackupError(`this version has no table ${table}`)
    if (known) await insertRows(tx, known, rows)
    rows = []
  }
  for await (const line of linesOf(file)) {
    if (line.table !== table || rows.length === AT_ONCE) await write()
    table = line.table
    rows.push(readRow(line.row))
  }
  await write()
}

async function note(
  tx: Transaction,
  head: Head,
  ended: EndedCounts | null,
  now: Date,
): Promise<void> {
  await appendAudit(tx, [
    {
      event: 'portal.restored',
      result: 'success',
      ...BY_SYSTEM,
      detail: { taken_at: head.takenAt, ended },
      at: now,
    },
  ])
}
