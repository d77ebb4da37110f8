/**
 * Plain SQL to the same database, beside Prisma, for what every sign-in and every refresh does: a
 * statement costs a tenth here. The guarantees are the same, one transaction or none of it.
 */

export type Value = string | number | bigint | boolean | null | Date

/** Columns as the database gives them; the readers below know both databases' ways. */
export type Row = Record<string, unknown>

export type Sql = {
  /** `?` stands for a value. */
  all(text: string, values: readonly Value[]): Promise<Row[]>
  /** How many rows it changed. */
  run(text: string, values: readonly Value[]): Promise<number>
}

export type Lane = Sql & {
  /** `work` waits for nothing but its own statements. */
  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>
}

export async function insert(
  sql: Sql,
  table: string,
  row: Readonly<Record<string, Value>>,
): Promise<void> {
  await sql.run(insertText(table, Object.keys(row)), Object.values(row))
}

const texts = new Map<string, string>()

function insertText(table: string, columns: string[]): string {
  const key = `${table} ${columns.join(' ')}`
  const known = texts.get(key)
  if (known !== undefined) return known
  const names = columns.map((column) => `"${column}"`).join(', ')
  const text = `INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`
  texts.set(key, text)
  return text
}

// ---------------------------------------------------------------- reading what either database gives

/** SQLite counts milliseconds. */
export function timeIn(value: unknown): Date {
  return new Date(value as number | Date)
}

export function timeOrNull(value: unknown): Date | null {
  return value === null ? null : timeIn(value)
}

/** SQLite keeps Json as text. */
export function jsonIn(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value
}

export function textIn(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('the database holds no text there')
  return value
}

export function textOrNull(value: unknown): string | null {
  return value === null ? null : textIn(value)
}
