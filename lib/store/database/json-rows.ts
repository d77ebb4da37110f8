import {
  type Assignment,
  type Grant,
  type GrantSet,
  grantSet,
  LazyGrantSet,
  type Terms,
} from '../../access/policy'
import { compileStored } from '../../access/stored-condition'
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
    text: (text: string) => text,
    list: (member: string) => `json_group_array(${member})`,
  },
  postgres: {
    /** Through an array, of which PostgreSQL expects few members and uses the index. */
    ids: 'SELECT unnest(ARRAY(SELECT jsonb_array_elements_text(?::jsonb))) AS "id"',
    array: 'json_build_array',
    text: (text: string) => `to_json(${text})`,
    list: (member: string) => `CAST(COALESCE(json_agg(${member}), '[]') AS TEXT)`,
  },
} as const satisfies Record<DatabaseKind, Dialect>

export type Dialect = {
  ids: string
  array: string
  /** A text as a member of a list. */
  text(text: string): string
  list(member: string): string
}

/** A text of SQL for each database. */
export function inEachDialect(text: (dialect: Dialect) => string): Record<DatabaseKind, string> {
  return { sqlite: text(DIALECTS.sqlite), postgres: text(DIALECTS.postgres) }
}

/** The rows of `x`, each as a list of these columns. */
export function rowsAsJson(dialect: Dialect, names: readonly string[], from: string): string {
  return `(SELECT ${dialect.list(rowOf(dialect, names))} FROM ${from})`
}

function rowOf({ array }: Dialect, names: readonly string[]): string {
  return `${array}(${names.map((name) => `x."${name}"`).join(', ')})`
}

/** One column of the rows of `x`. */
export function columnAsJson(dialect: Dialect, name: string, from: string): string {
  return `(SELECT ${dialect.list(`x."${name}"`)} FROM ${from})`
}

/** The grants of `x` as one list, for `grantsIn`. */
export function grantsAsJson(dialect: Dialect, from: string): string {
  return `(SELECT ${grantList(dialect)} FROM ${from})`
}

/**
 * Most grants have no terms: those are one text, which PostgreSQL makes in a third of the time and
 * which takes half the space.
 */
export function grantList(dialect: Dialect): string {
  const plain = dialect.text(`x."id" || ' ' || x."pattern"`)
  return dialect.list(
    `CASE WHEN ${HAS_NO_TERMS} THEN ${plain} ELSE ${rowOf(dialect, GRANT_COLUMNS)} END`,
  )
}

const TERMS = ['id', 'effect', 'condition', 'validFrom', 'validUntil'] as const
const GRANT_COLUMNS = [...TERMS, 'pattern', 'exchangeFrom'] as const
const HAS_NO_TERMS = [
  `x."effect" = 'allow'`,
  ...['condition', 'validFrom', 'validUntil', 'exchangeFrom'].map((name) => `x."${name}" IS NULL`),
].join(' AND ')
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
  const rows = jsonIn(column) as readonly (GrantList | string)[]
  return grantSet(rows.map((row) => (typeof row === 'string' ? plainGrant(row) : toGrant(row))))
}

/** A list of so few characters has few conditions. */
const SHORT = 4_000

/** Most lists are read at their first use. If one may have many conditions, they are compiled before. */
export function compileLongList(column: unknown): void {
  if (typeof column === 'string' && column.length > SHORT) grantsIn(column)
}

/** Of an application: its text is needed once. */
export class ColumnGrants extends LazyGrantSet {
  #column: unknown
  #set: GrantSet | null = null

  constructor(column: unknown) {
    super()
    this.#column = column
    compileLongList(column)
  }

  protected read(): GrantSet {
    if (this.#set) return this.#set
    this.#set = grantsIn(this.#column)
    this.#column = null
    return this.#set
  }
}

export function assignmentsIn(column: unknown): Assignment[] {
  const rows = jsonIn(column) as readonly AssignmentList[]
  return rows.map(toAssignment)
}

// Written out in full: V8 gives an object that begins with a spread a hidden class of its own, which
// takes more memory than its values, and every decision about it is slower.

/** From `id pattern`: neither contains a space. */
function plainGrant(row: string): Grant {
  const space = row.indexOf(' ')
  return {
    id: row.slice(0, space),
    effect: 'allow',
    condition: null,
    validFrom: null,
    validUntil: null,
    pattern: row.slice(space + 1),
    exchangeFrom: null,
  }
}

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
