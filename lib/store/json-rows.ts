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
export const GRANT_COLUMNS = [...TERMS, 'pattern', 'exchangeFrom'] as const
export const ASSIGNMENT_COLUMNS = [...TERMS, 'roleId', 'instance', 'groupId'] as const

type TermsList = readonly [
  id: string,
  effect: string,
  condition: string | null,
  validFrom: unknown,
  validUntil: unknown,
]
type GrantList = readonly [...TermsList, pattern: string, exchangeFrom: string | null]
type AssignmentList = readonly [
  ...TermsList,
  roleId: string,
  instance: string | null,
  groupId: string | null,
]

export function grantsIn(column: unknown): GrantSet {
  const rows = jsonIn(column) as readonly GrantList[]
  return grantSet(rows.map(toGrant))
}

export function assignmentsIn(column: unknown): Assignment[] {
  const rows = jsonIn(column) as readonly AssignmentList[]
  return rows.map(toAssignment)
}

// Written out in full: V8 gives an object that begins with a spread a hidden class of its own, which
// takes more memory than its values, and every decision about it is slower.

function toGrant(row: GrantList): Grant {
  const [id, effect, condition, validFrom, validUntil, pattern, exchangeFrom] = row
  return {
    id,
    effect: effectIn(effect),
    condition: conditionIn(condition),
    validFrom: millisOrNull(validFrom),
    validUntil: millisOrNull(validUntil),
    pattern,
    exchangeFrom,
  }
}

function toAssignment(row: AssignmentList): Assignment {
  const [id, effect, condition, validFrom, validUntil, roleId, instance, groupId] = row
  return {
    id,
    effect: effectIn(effect),
    condition: conditionIn(condition),
    validFrom: millisOrNull(validFrom),
    validUntil: millisOrNull(validUntil),
    roleId,
    instance,
    groupId,
  }
}

function effectIn(effect: string): Terms['effect'] {
  return oneOf(['allow', 'deny'], effect)
}

function conditionIn(condition: string | null): Terms['condition'] {
  return condition === null ? null : compileStored(condition)
}
