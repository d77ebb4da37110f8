import type { Failpoint } from '../../base/failpoint'
import type { DatedEvent } from './audit-entry'

/**
 * Plain SQL to the same database, beside Prisma, for what every sign-in and every refresh does: a
 * statement costs a tenth here. Transactions give the same guarantees.
 */

export type Value = string | number | bigint | boolean | null | Date

/** Columns as the database returns them; the functions below read the formats of both databases. */
export type Row = Record<string, unknown>

export type Sql = {
  /** `?` stands for a value. */
  all(text: string, values: readonly Value[]): Promise<Row[]>
  /** How many rows it changed. */
  run(text: string, values: readonly Value[]): Promise<number>
}

export type SqlClient = Sql & {
  readonly kind: 'sqlite' | 'postgres'
  /** The first row; reads only. SQLite takes two thirds of the time of `all`. */
  first(text: string, values: readonly Value[]): Promise<Row | undefined>
  /** One statement that writes, and the rows that it returns. */
  write(text: string, values: readonly Value[]): Promise<Row[]>
  /**
   * All or nothing. `work` must await only its own statements and have no other effect: if the
   * database rolls it back, it may be run again.
   */
  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>
  /** Together with others that wait. False, and without its audit entries, if a step changed nothing. */
  audited(write: AuditedWrite): Promise<boolean>
}

/** What a request changes, in one transaction with the audit entries that describe it. */
export type AuditedWrite = { steps: readonly Step[]; events: readonly DatedEvent[] }

/**
 * A statement that changes at most one row, and is executed only if the step before it changed one.
 * It ends with a WHERE clause, to which a condition can be added. It does not see what the steps
 * before it have written: on PostgreSQL they are one statement.
 */
export type Step = {
  text: string
  values: readonly Value[]
  /**
   * The key of the row that it locks. Writes that are put together are put in this order, so that
   * two processes cannot wait for each other.
   */
  locks?: string
  /** Reached after the step, before it is committed. */
  failpoint?: Failpoint
}

type NewRow = Readonly<Record<string, Value>>

export function insertStep(table: string, row: NewRow, failpoint?: Failpoint): Step {
  const text = insertStepText(table, Object.keys(row))
  return { text, values: Object.values(row), ...(failpoint && { failpoint }) }
}

/** Rows per statement: few different lengths, so that few statements are prepared. */
const LENGTHS = [64, 16, 4, 1]

/** All rows have the same columns. */
export async function insertMany(sql: Sql, table: string, rows: readonly NewRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  for (let at = 0; at < rows.length; ) {
    const length = LENGTHS.find((one) => at + one <= rows.length) ?? 1
    const values = rows.slice(at, at + length).flatMap((row) => Object.values(row))
    await sql.run(insertText(table, columns, length), values)
    at += length
  }
}

const texts = new Map<string, string>()

function insertText(table: string, columns: string[], length: number): string {
  return madeOnce(`${length} ${table} ${columns.join(' ')}`, () => {
    const row = `(${placesFor(columns)})`
    return `${into(table, columns)} VALUES ${Array(length).fill(row).join(', ')}`
  })
}

function insertStepText(table: string, columns: string[]): string {
  return madeOnce(
    `step ${table} ${columns.join(' ')}`,
    () => `${into(table, columns)} SELECT ${placesFor(columns)} WHERE TRUE`,
  )
}

function madeOnce(key: string, make: () => string): string {
  const known = texts.get(key)
  if (known !== undefined) return known
  const text = make()
  texts.set(key, text)
  return text
}

function into(table: string, columns: string[]): string {
  return `INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(', ')})`
}

function placesFor(columns: string[]): string {
  return columns.map(() => '?').join(', ')
}

// ---------------------------------------------------------------- reading what either database gives

/** SQLite stores milliseconds. */
export function timeIn(value: unknown): Date {
  return new Date(value as number | Date)
}

export function timeOrNull(value: unknown): Date | null {
  return value === null ? null : timeIn(value)
}

/** Milliseconds; JSON made by PostgreSQL has a text without the time zone, which is UTC. */
export function millisIn(value: unknown): number {
  if (typeof value === 'string') return Date.parse(`${value}Z`)
  return value instanceof Date ? value.getTime() : Number(value)
}

export function millisOrNull(value: unknown): number | null {
  return value === null ? null : millisIn(value)
}

/** SQLite stores JSON as text. */
export function jsonIn(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value
}

export function textIn(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('the database did not return a text')
  return value
}

export function textOrNull(value: unknown): string | null {
  return value === null ? null : textIn(value)
}
