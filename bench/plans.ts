import pg from 'pg'
import type { DatabaseKind } from '../lib/store/database/connection'
import { Sqlite } from '../lib/store/database/sqlite-connection'

/** The statements that reach a database while something is done, and how it answers them. */

/** `kept`: PostgreSQL plans it once, for values that it does not know yet. */
export type Statement = { text: string; values: unknown[]; kept: boolean }

/** `rows`: how many rows of one table a statement reads; null: it may be all of them. */
export type Reading = { table: string; rows: number | null; statement: string }

type Query = { name?: string; text?: string; values?: unknown[] } | string

/** Every statement that is sent meanwhile, by any connection of this process. */
export async function statementsOf(
  kind: DatabaseKind,
  work: () => Promise<unknown>,
): Promise<Statement[]> {
  const heard = new Map<string, Statement>()
  const hear: Hear = (text, values, kept = false) => {
    if (EXPLAINED.test(text))
      heard.set(`${text} ${JSON.stringify(values, plain)}`, { text, values, kept })
  }
  const stop = kind === 'postgres' ? listenToPostgres(hear) : listenToSqlite(hear)
  try {
    await work()
  } finally {
    stop()
  }
  return [...heard.values()]
}

const EXPLAINED = /^\s*(SELECT|UPDATE|DELETE|WITH)\b/i

const plain = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

type Hear = (text: string, values: unknown[], kept?: boolean) => void

function listenToPostgres(hear: Hear): () => void {
  const { prototype } = pg.Client
  const { query } = prototype
  function listening(this: pg.Client, ...args: Parameters<typeof query>) {
    const [asked, values] = args as unknown as [Query, unknown]
    const text = typeof asked === 'string' ? asked : asked.text
    const own = typeof asked === 'string' ? values : asked.values
    const kept = typeof asked !== 'string' && asked.name !== undefined
    if (text !== undefined) hear(text, Array.isArray(own) ? own : [], kept)
    return query.apply(this, args)
  }
  prototype.query = listening as typeof query
  return () => {
    prototype.query = query
  }
}

function listenToSqlite(hear: Hear): () => void {
  const { prototype } = Sqlite
  const { prepare } = prototype
  function listening(this: InstanceType<typeof Sqlite>, text: string) {
    hear(text, [])
    return prepare.call(this, text)
  }
  prototype.prepare = listening as typeof prepare
  return () => {
    prototype.prepare = prepare
  }
}

// ---------------------------------------------------------------- plans of PostgreSQL

type Plan = {
  'Relation Name'?: string
  'Plan Rows': number
  /** Only of a statement that was run. */
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** Each statement is run for its plan, with its own values, and rolled back. */
export async function readPostgresPlans(url: string, statements: Statement[]): Promise<Reading[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const readings: Reading[] = []
  for (const statement of statements) {
    const plans = [await planOf(client, statement, withItsValues)]
    if (statement.kept) plans.push(await planOf(client, statement, asItIsKept))
    for (const read of plans.flatMap(tablesIn))
      readings.push({ ...read, statement: statement.text })
  }
  await client.end()
  return readings
}

const UNIQUE_VIOLATION = '23505'

type Explain = (client: pg.Client, how: string, statement: Statement) => Promise<pg.QueryResult>

const withItsValues: Explain = (client, how, { text, values }) =>
  client.query({ text: `${how} ${text}`, values })

/** As PostgreSQL plans a statement that it has executed often. */
const asItIsKept: Explain = async (client, how, { text, values }) => {
  await client.query('DEALLOCATE ALL')
  await client.query('SET LOCAL plan_cache_mode = force_generic_plan')
  await client.query(`PREPARE kept AS ${text}`)
  const given = values.map(literalOf).join(', ')
  return client.query(`${how} EXECUTE kept${given && ` (${given})`}`)
}

async function planOf(client: pg.Client, statement: Statement, explain: Explain): Promise<Plan> {
  const inTransaction = async (how: string): Promise<Plan> => {
    await client.query('BEGIN')
    try {
      const { rows } = await explain(client, how, statement)
      return rows[0]['QUERY PLAN'][0].Plan
    } finally {
      await client.query('ROLLBACK')
    }
  }
  return inTransaction('EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)').catch((error) => {
    // What inserts a row that is there by now is planned only; PostgreSQL estimates the rows.
    if (error.code !== UNIQUE_VIOLATION) throw error
    return inTransaction('EXPLAIN (FORMAT JSON)')
  })
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(quoted).join(',')}}`)
  return pg.escapeLiteral(String(value))
}

function quoted(member: unknown): string {
  return member === null ? 'NULL' : JSON.stringify(String(member))
}

function tablesIn(plan: Plan): { table: string; rows: number }[] {
  const table = plan['Relation Name']
  const each =
    (plan['Actual Rows'] ?? plan['Plan Rows']) +
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0)
  const own = table === undefined ? [] : [{ table, rows: each * (plan['Actual Loops'] ?? 1) }]
  return [...own, ...(plan.Plans ?? []).flatMap(tablesIn)]
}

// ---------------------------------------------------------------- plans of SQLite

const SCAN = /^SCAN (\w+)$/

/** It says what it walks through from end to end, and not how far it gets. */
export function readSqlitePlans(url: string, statements: Statement[]): Reading[] {
  const db = new Sqlite(url.slice('file:'.length))
  const readings: Reading[] = []
  for (const { text } of statements) {
    const lines = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all([]) as { detail: string }[]
    for (const { detail } of lines) {
      const name = SCAN.exec(detail)?.[1]
      if (name) readings.push({ table: tableOf(name, text), rows: null, statement: text })
    }
  }
  db.close()
  return readings
}

/** The plan speaks of aliases: `FROM "User" AS "u"` and `JOIN "User" u`. */
function tableOf(name: string, text: string): string {
  const named = new RegExp(`["\`](\\w+)["\`]\\s+(?:AS\\s+)?["\`]?${name}\\b`, 'i').exec(text)
  return named?.[1] ?? name
}
