import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Transaction } from '../../context/op'
import { deriveKey } from '../../crypto/secrets'
import type { Config } from '../../settings/config'
import { rowsOf, tables } from '../../store/database/tables'
import { atOneMoment, schemaVersion } from '../../store/operations/copy'
import { BackupError, type Counts, newHead, writeFile } from './file'
import { writeRow } from './rows'

/** All tables at one point in time, in a file that only its owner can read. */

type Settings = Pick<Config, 'databaseUrl' | 'secret'>

export async function backUp(
  { databaseUrl, secret }: Settings,
  file: string,
  now: Date,
): Promise<Counts> {
  const path = resolve(file)
  if (existsSync(path))
    throw new BackupError(`the file ${path} exists already: choose another name`)
  const key = deriveKey(secret, 'backup')
  // Written in a private folder beside the file and then renamed, so that the file appears
  // complete.
  const folder = mkdtempSync(join(dirname(path), '.backup-'))
  try {
    const partial = join(folder, 'partial')
    const head = newHead(key, schemaVersion(), now)
    const counts = await atOneMoment(databaseUrl, folder, (tx) =>
      writeFile(partial, key, head, linesOf(tx)),
    )
    renameSync(partial, path)
    return counts
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function* linesOf(tx: Transaction) {
  for (const table of tables) {
    yield { table: table.name }
    for await (const row of rowsOf(tx, table)) yield { row: writeRow(row) }
  }
}
