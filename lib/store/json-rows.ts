import { compileStored } from '../access/condition'
import { type Assignment, type Grant, type GrantSet, grantSet, type Terms } from '../access/policy'
import type { DatabaseKind } from './connection'
import { oneOf } from './json'
import { jsonIn, millisOrNull } from './sql'

/**
 * Grants and assignments as columns of the row that they belong to: a JSON list of lists, so that
 * one statement reads everything about a subject.
 */

/** The two databases write JSON differently. */
export const DIALECTS = {
  sqlite: {
    /** A parameter that is a JSON list of IDs, as rows. */
    ids: 'SELECT value AS "id" FROM json_each(?)',
    array: 'json_array',
    list: (member: string) => `json_group_array(${member})`,
  },
  postgres: {
    /** Through an array, of which PostgreSQL expects few members and uses the index. */
    ids: 'SELECT unnest(ARRAY(SELECT jsonb_array_elements_text(?::jsonb))) AS "id"',
    array: 'json_build_array',
    list: (member: string) => `CAST(COALESCE(json_agg(${member}), '[]') AS TEXT)`,
  },
} as const satisfies Record<DatabaseKind, Dialect>

export type Dialect = { ids: string; array: string; list(member: string): string }

/** The rows of `x`, each as a list of these columns. */
export function rowsAsJson(dialect: Dialect, names: readonly string[], from: string): string {
  const members = names.map((name) => `x."${name}"`).join(', ')
  return `(SELECT ${dialect.list(`${dialect.array}(${members})`)} FROM ${from})`
}

/** One column of the rows of `x`. */
export function columnAsJson(dialect: Dialect, name: string, from: string): string {
  return `(SELECT ${dialect.list(`x."${name}"`)} FROM ${from})`
}

const TERMS = ['id', 'effect', 'condition', 'validFrom', 'validUntil'] as const
export const GRANT_COLUMNS = [...TERMS, 'pattern'] as const
export const ASSIGNMENT_COLUMNS = [...TERMS, 'roleId', 'instance', 'groupId'] as const

type TermsList = readonly [
  id: string,
  effect: string,
  condition: string | null,
  validFrom: unknown,
  validUntil: unknown,
]
type GrantList = readonly [...TermsList, pattern: string]
type AssignmentList = readonly [
  ...TermsList,
  roleId: string,
  instance: string | null,
  groupId: string | null,
]

export function grantsIn(column: unknown): GrantSet {
  const rows = jsonIn(column) as readonly GrantList[]
  return grantSet(rows.map((row): Grant => ({ ...termsIn(row), pattern: row[5] })))
}

export function assignmentsIn(column: unknown): Assignment[] {
  const rows = jsonIn(column) as readonly AssignmentList[]
  return rows.map((row) => ({
    ...termsIn(row),
    roleId: row[5],
    instance: row[6],
    groupId: row[7],
  }))
}

function termsIn(row: readonly [...TermsList, ...unknown[]]): Terms {
  const [id, effect, condition, validFrom, validUntil] = row
  return {
    id,
    effect: oneOf(['allow', 'deny'], effect),
    condition: condition === null ? null : compileStored(condition),
    validFrom: millisOrNull(validFrom),
    validUntil: millisOrNull(validUntil),
  }
}
