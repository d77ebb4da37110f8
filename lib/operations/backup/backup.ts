import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Transaction } from '../../context/op'
import { deriveKey } from '../../crypto/secrets'
import type { Config } from '../../settings/config'
import { atOneMoment, schemaVersion } from '../../store/copy'
import { rowsOf, tables } from '../../store/tables'
import { BackupError, type Counts, newHead, writeFile } from './file'
import { writeRow } from './rows'

/** Every table as it is at one moment, in a file that only its owner can read. */

type Settings = Pick<Config, 'databaseUrl' | 'secret'>

export async function backUp(
  { databaseUrl, secret }: Settings,
  file: string,
  now: Date,
): Promise<Counts> {
  const path = resolve(file)
  if (existsSync(path)) throw new BackupError(`there is a file ${path} already`)
  const key = deriveKey(secret, 'backup')
  // Beside the file, so that the whole of it appears at once; a folder that is ours alone.
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
