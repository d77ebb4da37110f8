import { empty, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client'
import type { DatabaseKind, Reader, Transaction } from './connection'
import { type Database, prisma } from './database'
import { foldedKey } from './folded-key'

/**
 * Users and applications are found by the beginning of a word in their names: `ada`, `admin@gate`,
 * `小明`, or `hub` in GitHub. Each word is a row of an index, so a search costs the same for few and
 * for many.
 */

const MAX_KEY_LENGTH = 64
const MAX_KEYS = 20
const WORD_START = /(?<![\p{L}\p{N}])[\p{L}\p{N}]|(?<=\p{Ll})\p{Lu}|\p{Script=Han}/gu
const LAST_CHARACTER = '\u{10FFFF}'

/** What something with these names is found by. */
export function searchKeysOf(names: readonly (string | null)[]): string[] {
  return [...new Set(names.flatMap((name) => (name ? suffixesOf(name) : [])))]
}

function suffixesOf(name: string): string[] {
  const text = name.normalize('NFKC').trim()
  const starts = [0, ...[...text.matchAll(WORD_START)].map(({ index }) => index)]
  return starts.slice(0, MAX_KEYS).map((start) => keyOf(text.slice(start)))
}

function keyOf(text: string): string {
  return foldedKey(text).slice(0, MAX_KEY_LENGTH)
}

// ---------------------------------------------------------------- a search

type KeyRange = { gte: string; lt: string }
type HasKey = { searchKeys: { some: { key: KeyRange } } }

/** The index of one table, and its column for whom a key belongs to. */
export type SearchIndex =
  | { table: 'UserSearchKey'; column: 'userId' }
  | { table: 'ApplicationSearchKey'; column: 'applicationId' }

/** `ids`: those that `where` names. `count`: how many have the word, if they are too many to be named. */
export type FoundByWord = {
  where: { id?: { in: string[] } }
  ids: readonly string[]
  count: ((most: number) => Promise<number>) | null
}

const EVERYTHING: FoundByWord = { where: {}, ids: [], count: null }

export type SearchAsk = {
  q: string | null
  /** If there are other conditions: the IDs of those who fulfil them and this one, at most so many. */
  others: Others | null
}
export type Condition = { id?: { in: string[] } } & Partial<HasKey>
type Others = (condition: Condition, most: number) => Promise<string[]>

/** As many as a list counts; both databases take three times as many values in a statement. */
export const MAX_NAMED = 10_000

/** Name, user name and address of the same user often begin alike. */
const KEYS_OF_A_HIT = 2

/**
 * By name, or by ID. Of a word that very many have, the first 10 000 are shown: in another order,
 * the first page of them could be anywhere among millions.
 */
export async function findBy(
  index: SearchIndex,
  db: Reader,
  { q, others }: SearchAsk,
): Promise<FoundByWord> {
  if (q === null) return EVERYTHING
  const key = rangeOf(q)
  const most = MAX_NAMED * KEYS_OF_A_HIT
  const found = await idsIn(index, db, key, most)
  const named = foundBy([...new Set([...found, q.trim()])])
  if (found.length < most && named.ids.length <= MAX_NAMED) return named
  if (others) return foundBy(await amongOthers(others, named.ids, hasKeyFor(q)))
  const count = async (wanted: number) =>
    Math.min(wanted, await countIn(index, db, key, wanted * KEYS_OF_A_HIT))
  return { ...foundBy(named.ids.slice(0, MAX_NAMED)), count }
}

/** So many of the first show what there is; with fewer, the others may be elsewhere. */
const ENOUGH = 1_000

/**
 * Those who have a common word and fulfil other conditions. A condition that leaves few is asked
 * first. Otherwise most of the first who have the word fulfil it, or else all of them are looked at.
 */
async function amongOthers(
  others: Others,
  first: readonly string[],
  hasKey: HasKey,
): Promise<string[]> {
  const few = await others({}, MAX_NAMED)
  if (few.length < MAX_NAMED) return others({ id: { in: few }, ...hasKey }, MAX_NAMED)
  const some = await others({ id: { in: first.slice(0, MAX_NAMED) } }, MAX_NAMED)
  return some.length >= ENOUGH ? some : others(hasKey, MAX_NAMED)
}

function foundBy(ids: readonly string[]): FoundByWord {
  return { where: { id: { in: [...ids] } }, ids, count: null }
}

/** Some of them, in no order: each has several keys, of which more than one may match. */
export async function someIds(index: SearchIndex, db: Reader, q: string, most: number) {
  const ids = await idsIn(index, db, rangeOf(q), most * MAX_KEYS)
  return [...new Set([...ids, q.trim()])].slice(0, most)
}

/** Whom the first keys of a range belong to, some of them more than once. */
async function idsIn(index: SearchIndex, db: Reader, key: KeyRange, take: number) {
  const rows = await prisma(db).$queryRaw<{ id: string }[]>(firstIn(index, key, take))
  return rows.map(({ id }) => id)
}

async function countIn(index: SearchIndex, db: Reader, key: KeyRange, take: number) {
  const [row] = await prisma(db).$queryRaw<{ found: number | bigint }[]>(sql`
    SELECT count(DISTINCT "id") AS "found" FROM (${firstIn(index, key, take)}) AS "first"`)
  return Number(row?.found ?? 0)
}

/** In the order of the index. */
function firstIn({ table, column }: SearchIndex, { gte, lt }: KeyRange, take: number): Sql {
  const [keys, owner] = [raw(`"${table}"`), raw(`"${column}"`)]
  return sql`
    SELECT ${owner} AS "id" FROM ${keys} WHERE "key" >= ${gte} AND "key" < ${lt}
    ORDER BY "key", ${owner} LIMIT ${take}`
}

function rangeOf(q: string): KeyRange {
  const asked = keyOf(q)
  return { gte: asked, lt: `${asked}${LAST_CHARACTER}` }
}

export function hasKeyFor(q: string): HasKey {
  return { searchKeys: { some: { key: rangeOf(q) } } }
}

// ---------------------------------------------------------------- what is older than its index

type Named = { id: string; names: readonly (string | null)[]; isIndexed: boolean }
type SearchKey = { id: string; key: string }

type OldRows = {
  table: 'User' | 'Application'
  named(tx: Transaction, ids: string[]): Promise<Named[]>
  addKeys(tx: Transaction, keys: SearchKey[]): Promise<void>
  /** Whether an older version, which left no mark, has indexed them all. */
  wereIndexed(db: Reader): Promise<boolean>
}

const AT_A_TIME = 500
const PATIENCE = { timeout: 60_000, maxWait: 60_000 }

function taskOf({ table }: Pick<OldRows, 'table'>): string {
  return `search keys: ${table}`
}

export async function areIndexed(db: Reader): Promise<boolean> {
  const tasks = (['User', 'Application'] as const).map((table) => taskOf({ table }))
  return (await prisma(db).watermark.count({ where: { task: { in: tasks } } })) === tasks.length
}

/**
 * Adds the keys of rows that were created before the index existed, once; a mark says that all have
 * theirs. Others may change or delete rows meanwhile, so each piece holds its own.
 */
export async function indexOldRows(db: Database, kind: DatabaseKind, rows: OldRows): Promise<void> {
  const task = taskOf(rows)
  if ((await db.watermark.count({ where: { task } })) > 0) return
  const isDone = await rows.wereIndexed(db)
  for (let before: string | null | undefined = isDone ? undefined : null; before !== undefined; ) {
    const from: string | null = before
    before = await db.$transaction((tx) => indexPiece(tx, kind, rows, from), PATIENCE)
  }
  await db.watermark.create({ data: { task, at: new Date(), lastId: '' } })
}

/** Gives the last ID that it looked at; undefined at the end. */
async function indexPiece(
  tx: Transaction,
  kind: DatabaseKind,
  rows: OldRows,
  before: string | null,
): Promise<string | undefined> {
  const ids = await heldBefore(tx, kind, rows, before)
  const missing = (await rows.named(tx, ids)).filter(({ isIndexed }) => !isIndexed)
  await rows.addKeys(
    tx,
    missing.flatMap(({ id, names }) => searchKeysOf(names).map((key) => ({ id, key }))),
  )
  return ids.at(-1)
}

/** The last IDs before this one. Until the end of the transaction, nobody else changes these rows. */
async function heldBefore(
  tx: Transaction,
  kind: DatabaseKind,
  { table }: OldRows,
  before: string | null,
): Promise<string[]> {
  const where = before === null ? empty : sql`WHERE "id" < ${before}`
  const hold = kind === 'postgres' ? sql`FOR NO KEY UPDATE` : empty
  const rows = await prisma(tx).$queryRaw<{ id: string }[]>(sql`
    SELECT "id" FROM ${raw(`"${table}"`)} ${where} ORDER BY "id" DESC LIMIT ${AT_A_TIME} ${hold}`)
  return rows.map(({ id }) => id)
}
