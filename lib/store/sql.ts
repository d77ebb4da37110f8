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
  /**
   * All or nothing. `work` must await only its own statements and have no other effect: if the
   * database rolls it back, it may be run again.
   */
  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>
}

type NewRow = Readonly<Record<string, Value>>

export async function insert(sql: Sql, table: string, row: NewRow): Promise<void> {
  await sql.run(insertText(table, Object.keys(row), 1), Object.values(row))
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
  const key = `${length} ${table} ${columns.join(' ')}`
  const known = texts.get(key)
  if (known !== undefined) return known
  const names = columns.map((column) => `"${column}"`).join(', ')
  const row = `(${columns.map(() => '?').join(', ')})`
  const text = `INSERT INTO "${table}" (${names}) VALUES ${Array(length).fill(row).join(', ')}`
  texts.set(key, text)
  return text
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
