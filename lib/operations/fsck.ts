import { databaseKindOf } from '../store/database/connection'
import { withConnection } from '../store/database/open'
import { RULES } from '../store/operations/fsck'
import { migrationStatus } from '../store/operations/migration-status'

/** `npm run fsck`: checks the stored data and changes nothing. */

type BrokenRule = {
  rule: string
  /** IDs of the first rows that break the rule. */
  ids: string[]
  more: number
}

const MAX_NAMED = 10
const MIGRATED = 'the tables match this version'

export async function fsck(databaseUrl: string, now = new Date()): Promise<BrokenRule[]> {
  return withConnection(databaseUrl, async (db) => {
    const { pending, interrupted, unknown } = await migrationStatus(db, databaseUrl)
    const migrations = checked(MIGRATED, [...pending, ...interrupted, ...unknown])
    // The other rules read tables that may be missing.
    if (migrations.ids.length > 0) return [migrations]
    const found = [migrations]
    for (const { says, broken } of RULES) {
      found.push(checked(says, await broken(db, now, databaseKindOf(databaseUrl))))
    }
    return found
  })
}

function checked(rule: string, broken: readonly string[]): BrokenRule {
  const ids = [...new Set(broken)].sort()
  return { rule, ids: ids.slice(0, MAX_NAMED), more: Math.max(0, ids.length - MAX_NAMED) }
}

/** One line per rule, and a summary. */
export function fsckLines(found: readonly BrokenRule[]): string[] {
  const lines = found.flatMap(({ rule, ids, more }) => [
    `${ids.length === 0 ? 'holds ' : 'BROKEN'}  ${rule}`,
    ...ids.map((id) => `          ${id}`),
    ...(more > 0 ? [`          and ${more} more`] : []),
  ])
  const broken = found.filter(({ ids }) => ids.length > 0).length
  const end =
    broken === 0
      ? `all ${found.length} rules hold`
      : `${broken} of ${found.length} rules are broken`
  return [...lines, end]
}
