import type { DatabaseKind, Reader } from '../database/connection'
import { type Database, prisma } from '../database/database'
import { readReplica } from '../database/replica'

/**
 * How much there is in the portal. To count is to read what is counted, so more than a few are not
 * counted: the database says about how many there are, at no cost that grows.
 */

const MAX_COUNTED = 10_000

/** `exact`: counted; otherwise about as many. */
type Total = { count: number; exact: boolean }
/** What is there at all: each is one look at an index. */
type There = 'api' | 'machine' | 'token' | 'consent'
type Totals = { users: Total; applications: Total; there: Record<There, boolean> }

type Row = {
  users: number | bigint
  applications: number | bigint
  allUsers: number | bigint | null
  allApplications: number | bigint | null
} & Record<There, number | boolean>

async function findTotals(db: Reader, kind: DatabaseKind): Promise<Totals> {
  const [row] = await (kind === 'sqlite' ? fromSqlite(db) : fromPostgres(db))
  if (!row) throw new Error('a statement without a table has one row')
  return {
    users: totalOf(row.users, row.allUsers),
    applications: totalOf(row.applications, row.allApplications),
    there: {
      api: Boolean(row.api),
      machine: Boolean(row.machine),
      token: Boolean(row.token),
      consent: Boolean(row.consent),
    },
  }
}

export function totalOf(counted: number | bigint, about: number | bigint | null): Total {
  const count = Number(counted)
  if (count < MAX_COUNTED) return { count, exact: true }
  return { count: Math.max(count, Number(about ?? 0)), exact: false }
}

/** Rows are numbered as they come: the last number is about as high as their count. */
function fromSqlite(db: Reader): Promise<Row[]> {
  return prisma(db).$queryRaw`SELECT
    (SELECT count(*) FROM (SELECT 1 FROM "User" LIMIT ${MAX_COUNTED})) AS "users",
    (SELECT count(*) FROM (SELECT 1 FROM "Application" LIMIT ${MAX_COUNTED})) AS "applications",
    (SELECT max("rowid") FROM "User") AS "allUsers",
    (SELECT max("rowid") FROM "Application") AS "allApplications",
    EXISTS (SELECT 1 FROM "Api") AS "api",
    EXISTS (SELECT 1 FROM "Application" WHERE "kind" = 'machine') AS "machine",
    EXISTS (SELECT 1 FROM "AuditEntry" WHERE "event" = 'token.issued') AS "token",
    EXISTS (SELECT 1 FROM "Consent") AS "consent"`
}

/** The planner of PostgreSQL keeps an estimate; below zero before the first ANALYZE. */
function fromPostgres(db: Reader): Promise<Row[]> {
  return prisma(db).$queryRaw`SELECT
    (SELECT count(*) FROM (SELECT 1 FROM "User" LIMIT ${MAX_COUNTED}) u) AS "users",
    (SELECT count(*) FROM (SELECT 1 FROM "Application" LIMIT ${MAX_COUNTED}) a) AS "applications",
    (SELECT "reltuples"::bigint FROM "pg_class" WHERE "oid" = '"User"'::regclass) AS "allUsers",
    (SELECT "reltuples"::bigint FROM "pg_class" WHERE "oid" = '"Application"'::regclass)
      AS "allApplications",
    EXISTS (SELECT 1 FROM "Api") AS "api",
    EXISTS (SELECT 1 FROM "Application" WHERE "kind" = 'machine') AS "machine",
    EXISTS (SELECT 1 FROM "AuditEntry" WHERE "event" = 'token.issued') AS "token",
    EXISTS (SELECT 1 FROM "Consent") AS "consent"`
}

const KNOWN_MS = 10_000
/** While there are so few, somebody waits for the next one to appear. */
const FEW = 7

/** Kept for a moment: a page that is opened again need not ask again. */
export function totalsStore(db: Database, kind: DatabaseKind) {
  let known: { at: number; totals: Promise<Totals> } | null = null

  return function totals(): Promise<Totals> {
    if (known && performance.now() - known.at < KNOWN_MS) return known.totals
    const mine = { at: performance.now(), totals: readReplica(db, (one) => findTotals(one, kind)) }
    known = mine
    const forget = () => {
      if (known === mine) known = null
    }
    const isSmall = ({ users, applications }: Totals) => users.count + applications.count < FEW
    mine.totals.then((totals) => isSmall(totals) && forget(), forget)
    return mine.totals
  }
}

export type FindTotals = ReturnType<typeof totalsStore>
