import type { Database } from '../../lib/store/database/database'
import type { Kind } from './databases'

/**
 * One row in every table of a database, whatever its schema is: made from the types of its columns,
 * so that it also works for schemas that no code of today knows.
 */

type Column = { name: string; type: string; required: boolean }
type Reference = { column: string; table: string; target: string }
type Table = { name: string; columns: Column[]; references: Reference[] }
type Row = Record<string, unknown>

const NOW = '2026-11-16 08:00:00.000'

export async function fillEveryTable(db: Database, kind: Kind): Promise<void> {
  const rows = new Map<string, Row>()
  for (const table of parentsFirst(await tablesOf(db, kind))) {
    if ((await rowsIn(db, table.name)).length > 0) continue
    const row = rowFor(table, rows, kind)
    rows.set(table.name, row)
    const columns = Object.keys(row).map((name) => `"${name}"`)
    const values = Object.values(row).map((value) => literal(value, kind))
    await db.$executeRawUnsafe(
      `INSERT INTO "${table.name}" (${columns.join(', ')}) VALUES (${values.join(', ')})`,
    )
  }
}

/** Every row of every table, by table. */
export async function everyTable(db: Database, kind: Kind): Promise<Map<string, Row[]>> {
  const contents = new Map<string, Row[]>()
  for (const { name } of await tablesOf(db, kind)) contents.set(name, await rowsIn(db, name))
  return contents
}

async function rowsIn(db: Database, table: string): Promise<Row[]> {
  return db.$queryRawUnsafe<Row[]>(`SELECT * FROM "${table}"`)
}

function rowFor({ name: table, columns, references }: Table, rows: Map<string, Row>, kind: Kind) {
  return Object.fromEntries(
    columns.flatMap(({ name, type, required }): [string, unknown][] => {
      const reference = references.find(({ column }) => column === name)
      const parent = reference && rows.get(reference.table)?.[reference.target]
      if (reference && !required) return []
      return [[name, parent ?? valueFor(`${table}.${name}`, type, kind)]]
    }),
  )
}

function valueFor(name: string, type: string, kind: Kind): unknown {
  if (/json/i.test(type)) return '[]'
  if (/bool/i.test(type)) return kind === 'sqlite' ? 0 : false
  if (/date|timestamp/i.test(type)) return kind === 'sqlite' ? Date.parse(`${NOW}Z`) : NOW
  if (/int|real|double|numeric/i.test(type)) return 1
  return /blob|bytea/i.test(type) ? Buffer.from(name) : name
}

function literal(value: unknown, kind: Kind): string {
  if (Buffer.isBuffer(value)) {
    const hex = value.toString('hex')
    return kind === 'sqlite' ? `X'${hex}'` : `'\\x${hex}'`
  }
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

function parentsFirst(tables: readonly Table[]): Table[] {
  const sorted: Table[] = []
  const left = new Set(tables)
  while (left.size > 0) {
    const waits = ({ name, references }: Table) =>
      references.some(({ table }) => table !== name && [...left].some((one) => one.name === table))
    const next = [...left].find((table) => !waits(table)) ?? [...left][0]
    if (!next) break
    left.delete(next)
    sorted.push(next)
  }
  return sorted
}

function tablesOf(db: Database, kind: Kind): Promise<Table[]> {
  return kind === 'sqlite' ? tablesOfSqlite(db) : tablesOfPostgres(db)
}

async function tablesOfSqlite(db: Database): Promise<Table[]> {
  const names = await db.$queryRawUnsafe<{ name: string }[]>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_%' ESCAPE '\\'`,
  )
  return Promise.all(
    names.map(async ({ name }) => {
      const columns = await db.$queryRawUnsafe<{ name: string; type: string; notnull: unknown }[]>(
        `SELECT name, type, "notnull" FROM pragma_table_info('${name}')`,
      )
      const references = await db.$queryRawUnsafe<Reference[]>(
        `SELECT "from" AS "column", "table", "to" AS "target" FROM pragma_foreign_key_list('${name}')`,
      )
      const typed = columns.map((column) => ({ ...column, required: Number(column.notnull) === 1 }))
      return { name, columns: typed, references }
    }),
  )
}

async function tablesOfPostgres(db: Database): Promise<Table[]> {
  const columns = await db.$queryRawUnsafe<(Column & { table: string; nullable: string })[]>(
    `SELECT c.table_name AS "table", c.column_name AS "name", c.data_type AS "type", c.is_nullable AS "nullable"
     FROM information_schema.columns c
     JOIN pg_class k ON k.relname = c.table_name AND NOT k.relispartition
     WHERE c.table_schema = 'public' AND c.table_name NOT LIKE '\\_%' ORDER BY c.ordinal_position`,
  )
  const references = await db.$queryRawUnsafe<(Reference & { owner: string })[]>(
    `SELECT k.table_name AS "owner", k.column_name AS "column", u.table_name AS "table", u.column_name AS "target"
     FROM information_schema.referential_constraints r
     JOIN information_schema.key_column_usage k ON k.constraint_name = r.constraint_name
     JOIN information_schema.constraint_column_usage u ON u.constraint_name = r.constraint_name`,
  )
  const names = [...new Set(columns.map(({ table }) => table))]
  return names.map((name) => ({
    name,
    columns: columns
      .filter(({ table }) => table === name)
      .map((column) => ({ ...column, required: column.nullable === 'NO' })),
    references: references.filter(({ owner }) => owner === name),
  }))
}
