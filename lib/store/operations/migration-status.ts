import { databaseKindOf, type Reader } from '../database/connection'
import { prisma } from '../database/database'
import { migrations } from '../generated/migrations'

export type MigrationStatus = {
  applied: string[]
  pending: string[]
  /** Begun and never finished: the process died. */
  interrupted: string[]
  /** In the database, but unknown to this build: a newer version has migrated it. */
  unknown: string[]
}

/** Reads Prisma's history; without one, every migration is pending. */
export async function migrationStatus(db: Reader, url: string): Promise<MigrationStatus> {
  const known = migrations[databaseKindOf(url)].map(({ name }) => name)
  const history = await readHistory(db)
  const applied = history.filter((row) => row.finished_at !== null).map((row) => row.migration_name)
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    interrupted: history.filter((row) => row.finished_at === null).map((row) => row.migration_name),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

export class NewerSchemaError extends Error {
  constructor(unknown: string[]) {
    super(
      `the database was migrated by a newer version (${unknown.join(', ')}): run that version, or restore a backup from before it`,
    )
  }
}

/** An older build must not write to a schema that it does not know. */
export async function refuseNewerSchema(db: Reader, url: string): Promise<void> {
  const { unknown } = await migrationStatus(db, url)
  if (unknown.length > 0) throw new NewerSchemaError(unknown)
}

type HistoryRow = { migration_name: string; finished_at: unknown }

async function readHistory(db: Reader): Promise<HistoryRow[]> {
  try {
    return await prisma(db).$queryRaw<HistoryRow[]>`
      SELECT migration_name, finished_at FROM "_prisma_migrations"
      WHERE rolled_back_at IS NULL ORDER BY started_at`
  } catch (error) {
    if (/_prisma_migrations/.test(String(error))) return []
    throw error
  }
}
