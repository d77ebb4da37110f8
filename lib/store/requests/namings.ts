import type { RequestTerms } from '../../access/policy'
import type { DatabaseKind, Reader } from '../database/connection'
import { prisma, readPlain } from '../database/database'
import { foldedKey } from '../database/folded-key'
import { stringList } from '../database/json'
import { textIn } from '../database/sql'
import { termsIn } from './access-requests'
import { emergencyIn, stagesIn } from './rules'

/** Whom rules and requests name as people who decide; see lib/access/deciders.ts. */

export async function listDisabledRules(db: Reader) {
  const rows = await prisma(db).requestRule.findMany({
    where: { enabled: false },
    select: {
      apiId: true,
      patterns: true,
      stages: true,
      emergency: true,
      autoApprove: true,
      autoRefuse: true,
    },
  })
  return rows.map(({ patterns, stages, emergency, ...row }) => ({
    ...row,
    patterns: stringList(patterns),
    stages: stagesIn(stages),
    emergency: emergencyIn(emergency),
  }))
}

type NamingRequest = { apiId: string; scope: string; terms: RequestTerms }

/** However many wait: each terms once for each permission. */
export function listWaitingTerms(db: Reader, kind: DatabaseKind): Promise<NamingRequest[]> {
  return termsWhere(db, kind, `"status" = 'pending'`)
}

export function listUnreviewedTerms(db: Reader, kind: DatabaseKind): Promise<NamingRequest[]> {
  return termsWhere(db, kind, `"reviewedAt" IS NULL AND "reviewDeadline" IS NOT NULL`)
}

async function termsWhere(
  db: Reader,
  kind: DatabaseKind,
  condition: string,
): Promise<NamingRequest[]> {
  const text = `SELECT DISTINCT "apiId", "scope", CAST("terms" AS TEXT) AS "terms"
    FROM "AccessRequest" WHERE ${condition}`
  const rows = await readPlain(db, kind, text, [])
  return rows.map(({ apiId, scope, terms }) => ({
    apiId: textIn(apiId),
    scope: textIn(scope),
    terms: termsIn(JSON.parse(textIn(terms))),
  }))
}

// ---------------------------------------------------------------- named by an attribute

/** What is not plain ASCII is folded here: the database folds differently. */
const VALUES: Record<DatabaseKind, string> = {
  sqlite: `
    SELECT DISTINCT j."value" AS "name" FROM "User" AS u, json_each(u."attributes") AS j
    WHERE j."key" = ? AND j."type" = 'text'
      AND (lower(trim(j."value")) IN (NAMES) OR j."value" GLOB '*[^ -~]*')`,
  postgres: `
    SELECT DISTINCT u."attributes"->>CAST(? AS TEXT) AS "name" FROM "User" AS u
    WHERE jsonb_typeof(u."attributes"->CAST(? AS TEXT)) = 'string'
      AND (lower(trim(u."attributes"->>CAST(? AS TEXT))) IN (NAMES) OR u."attributes"->>CAST(? AS TEXT) ~ '[^ -~]')`,
}

/** Whether this attribute of anybody says one of these: folded user names, addresses, or IDs. */
export async function isNamedByAttribute(
  db: Reader,
  kind: DatabaseKind,
  attribute: string,
  names: ReadonlySet<string>,
): Promise<boolean> {
  const all = [...names]
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE)
    const text = VALUES[kind].replace('NAMES', some.map(() => '?').join(', '))
    const rows = await readPlain(db, kind, text, valuesFor(kind, attribute, some))
    if (rows.some(({ name }) => names.has(foldedKey(textIn(name))))) return true
  }
  return false
}

const AT_ONCE = 500

function valuesFor(kind: DatabaseKind, attribute: string, names: readonly string[]): string[] {
  if (kind === 'sqlite') return [attribute, ...names]
  return [attribute, attribute, attribute, ...names, attribute]
}
