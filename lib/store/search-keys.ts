import type { Reader } from './connection'
import { foldedKey } from './folded-key'

/**
 * Users and applications are found by the beginning of a word in their names: `ada`, `admin@gate`,
 * `小明`, or `hub` in GitHub. Each word is a row of an index, so a search costs the same for few and
 * for many.
 */

const LONGEST_KEY = 64
const MOST_KEYS = 20
const WORD_START = /(?<![\p{L}\p{N}])[\p{L}\p{N}]|(?<=\p{Ll})\p{Lu}|\p{Script=Han}/gu
const LAST_CHARACTER = '\u{10FFFF}'

/** What something with these names is found by. */
export function searchKeysOf(names: readonly (string | null)[]): string[] {
  return [...new Set(names.flatMap((name) => (name ? suffixesOf(name) : [])))]
}

function suffixesOf(name: string): string[] {
  const text = name.normalize('NFKC').trim()
  const starts = [0, ...[...text.matchAll(WORD_START)].map(({ index }) => index)]
  return starts.slice(0, MOST_KEYS).map((start) => keyOf(text.slice(start)))
}

function keyOf(text: string): string {
  return foldedKey(text).slice(0, LONGEST_KEY)
}

// ---------------------------------------------------------------- a search

export type KeyRange = { gte: string; lt: string }

/** The index of one table; `take`: at most so many keys are read. */
export type SearchIndex = {
  idsIn(db: Reader, key: KeyRange, take: number): Promise<string[]>
  countIn(db: Reader, key: KeyRange, take: number): Promise<number>
}

/** `ids`: those that `where` names. `count`: how many have the word, if they are too many to be named. */
export type Found = {
  where: { id?: { in: string[] }; searchKeys?: { some: { key: KeyRange } } }
  ids: readonly string[]
  count: ((most: number) => Promise<number>) | null
}

const EVERYTHING: Found = { where: {}, ids: [], count: null }

export type SearchAsk = {
  q: string | null
  /** If there are other conditions: the IDs of what fulfils them, at most so many. */
  others: ((most: number) => Promise<string[]>) | null
}

/** As many as a list counts; both databases take three times as many values in a statement. */
export const MOST_NAMED = 10_000

/**
 * By name, or by ID. Of a word that very many have, the first 10 000 are shown: in another order,
 * the first page of them could be anywhere among millions. But all of them are shown that fulfil the
 * other conditions, if not very many do.
 */
export async function findBy(
  index: SearchIndex,
  db: Reader,
  { q, others }: SearchAsk,
): Promise<Found> {
  if (q === null) return EVERYTHING
  const key = rangeOf(q)
  const found = await index.idsIn(db, key, MOST_NAMED)
  const ids = [...new Set([...found, q.trim()])]
  const named = { where: { id: { in: ids } }, ids }
  if (found.length < MOST_NAMED) return { ...named, count: null }
  const few = others && (await others(MOST_NAMED))
  if (few && few.length < MOST_NAMED) {
    return { where: { id: { in: few }, searchKeys: { some: { key } } }, ids: few, count: null }
  }
  return { ...named, count: others ? null : (most) => countOf(index, db, key, most) }
}

/** More than one key of the same thing may match, but seldom. */
const KEYS_OF_A_HIT = 1.2

async function countOf(index: SearchIndex, db: Reader, key: KeyRange, most: number) {
  return Math.min(most, await index.countIn(db, key, most * KEYS_OF_A_HIT))
}

/** Some of them, in no order: each has several keys, of which more than one may match. */
export async function someIds(index: SearchIndex, db: Reader, q: string, most: number) {
  const ids = await index.idsIn(db, rangeOf(q), most * MOST_KEYS)
  return [...new Set([...ids, q.trim()])].slice(0, most)
}

function rangeOf(q: string): KeyRange {
  const asked = keyOf(q)
  return { gte: asked, lt: `${asked}${LAST_CHARACTER}` }
}

// ---------------------------------------------------------------- what is older than its index

type Named = { id: string; names: readonly (string | null)[]; isIndexed: boolean }
export type SearchKey = { id: string; key: string }

export type OldRows = {
  /** The first by ID that has a name; null if there is none. */
  first(): Promise<Named | null>
  /** Those before this ID, the last one first. */
  before(id: string | null, take: number): Promise<Named[]>
  addKeys(keys: SearchKey[]): Promise<void>
}

const AT_A_TIME = 500

/**
 * Adds the keys of rows that were created before the index existed. The first row by ID gets its
 * keys last, so they are there once all are: ten million rows cannot be looked at in every upgrade.
 */
export async function indexOldRows(rows: OldRows): Promise<void> {
  const first = await rows.first()
  if (!first || first.isIndexed) return
  for (let before: string | null = null; ; ) {
    const some: Named[] = await rows.before(before, AT_A_TIME)
    const missing = some.filter(({ isIndexed }) => !isIndexed)
    await rows.addKeys(
      missing.flatMap(({ id, names }) => searchKeysOf(names).map((key) => ({ id, key }))),
    )
    const last = some.at(-1)
    if (!last || some.length < AT_A_TIME) return
    before = last.id
  }
}
