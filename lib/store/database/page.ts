import type { DatabaseKind } from './connection'

/**
 * One page of a table, by key and not by offset: rows that are added or removed meanwhile shift
 * nothing. Search text is literal: `%` and `_` are ordinary characters (attack N15).
 */

/** The request for a page; `-name` sorts by name, descending. */
export type PageAsk<Sort extends string> = {
  limit: number
  sort: Sort | `-${Sort}`
  after: Position | null
  q: string | null
  /** Count the total up to this number; null: do not count. */
  mostCounted: number | null
  databaseKind: DatabaseKind
}

/** For a list that is always the whole table. */
export type NoFilters = Record<never, never>

/** `back`: from there towards the first page. */
export type Position = { value: string | null; id: string; back?: boolean | undefined }

/** `previous` and `next`: where the neighbouring pages begin; null if there is none. */
export type Page<Row> = {
  rows: Row[]
  previous: Position | null
  next: Position | null
  total: number | null
}

// ---------------------------------------------------------------- what makes a list

/** Rows without the optional text come last, on both databases and in both directions. */
type Kinds = { text: string; 'optional text': string; date: Date; bigint: bigint }
type Kind = keyof Kinds
type Value = Kinds[Kind]

/** The columns that a list can be sorted by. */
type Sorts = Readonly<Record<string, Kind>>
type NameIn<S extends Sorts> = Extract<keyof S, string>

/** A table, its filters, and the columns to sort by and to search in. */
type List<Row, Filter, S extends Sorts, Searched extends string> = {
  filter: Filter
  sorts: S
  searched: readonly Searched[]
  find(asked: Asked<Filter, S, Searched> & { orderBy: Order<S>[] }): Promise<Row[]>
  count(asked: Asked<Filter, S, Searched>): Promise<number>
  /** What orders rows whose values are equal, if not their IDs: another column to sort by. */
  tie?: NameIn<S>
  /** If a search compares in another way than "contains". */
  isHit?: (row: Row, q: string) => boolean
}

/** Prisma takes these as they are: their names are columns. */
type Asked<Filter, S extends Sorts, Searched extends string> = {
  where: { AND: (Filter | Condition<S, Searched>)[] }
  take: number
}
type Condition<S extends Sorts, Searched extends string> =
  | { [Name in keyof S]?: Test<S[Name]> }
  | { [Name in Searched]?: Contains }
  | { id?: Range<string> }
  | { AND: Condition<S, Searched>[] }
  | { OR: Condition<S, Searched>[] }
type Test<K extends Kind> =
  | Range<Kinds[K]>
  | (K extends 'optional text' ? { not: null } | null : never)
type Range<T> = { gt: T } | { gte: T } | { lt: T } | { lte: T }
/** `mode` exists on PostgreSQL only. */
type Contains = { contains: string; mode?: 'insensitive' }
type Order<S extends Sorts> = { [Name in keyof S | 'id']?: 'asc' | 'desc' }

type RowOf<S extends Sorts, Searched extends string> = { id: string } & {
  [Name in keyof S]: Kinds[S[Name]] | (S[Name] extends 'optional text' ? null : never)
} & { [Name in Searched]: string | null }

/** A condition on one column, or an order by it. TypeScript loses the type of a computed name. */
function on<T>(name: PropertyKey, value: unknown): T {
  return { [name]: value } as T
}

// ---------------------------------------------------------------- a page

const MAX_ROUNDS = 50

export async function pageOf<
  Row extends RowOf<S, Searched>,
  Filter,
  const S extends Sorts,
  const Searched extends string,
>(ask: PageAsk<NameIn<S>>, list: List<Row, Filter, S, Searched>): Promise<Page<Row>> {
  const sort = sortOf(list, ask)
  const rows: Row[] = []
  for (const part of partsOf(sort, ask)) {
    if (rows.length <= ask.limit) await collect(ask, sort, list, part, rows)
  }
  const more = rows.length > ask.limit
  const shown = rows.slice(0, ask.limit)
  if (ask.after?.back) shown.reverse() // walking back finds the nearest first
  const total = ask.mostCounted === null ? null : await countOf(ask, list, ask.mostCounted)
  return { rows: shown, ...neighbours(ask, sort, shown, more), total }
}

type Sort<Name extends string> = {
  name: Name
  tie: { name: Name | 'id'; kind: Kind }
  kind: Kind
  /** In the direction of the walk, which may be backwards. */
  descending: boolean
}

function sortOf<S extends Sorts>(
  { sorts, tie: column }: { sorts: S; tie?: NameIn<S> },
  { sort, after }: PageAsk<NameIn<S>>,
): Sort<NameIn<S>> {
  const tieKind: Kind | undefined = column && sorts[column]
  const tie = { name: column ?? ('id' as const), kind: tieKind ?? 'text' }
  for (const name in sorts) {
    const kind = sorts[name]
    const descending = sort === `-${name}`
    if (kind === undefined || !(descending || sort === name)) continue
    return { name, tie, kind, descending: descending !== (after?.back ?? false) }
  }
  throw new Error(`the list has no order ${sort}`)
}

/** Until there is one row more than requested, or the end is reached. */
async function collect<
  Row extends RowOf<S, Searched>,
  Filter,
  S extends Sorts,
  Searched extends string,
>(
  ask: PageAsk<NameIn<S>>,
  sort: Sort<NameIn<S>>,
  list: List<Row, Filter, S, Searched>,
  part: Part<S, Searched>,
  rows: Row[],
): Promise<void> {
  const direction = sort.descending ? 'desc' : 'asc'
  const orderBy = [sort.name, sort.tie.name].map((name) => on<Order<S>>(name, direction))
  const take = ask.limit + 1
  let { after } = part
  for (let round = 0; round < MAX_ROUNDS && rows.length <= ask.limit; round += 1) {
    const where = {
      AND: [
        list.filter,
        ...part.where,
        ...beyond<S, Searched>(sort, after),
        ...searching(ask, list),
      ],
    }
    const found = await list.find({ where, orderBy, take })
    rows.push(...found.filter((row) => isFound(ask, list, row)))
    const last = found.at(-1)
    if (found.length < take || !last) return
    after = positionOf(sort, last)
  }
}

type Part<S extends Sorts, Searched extends string> = {
  where: Condition<S, Searched>[]
  after: Position | null
}

/** Rows without a value come last, as a part of their own, so that an index gives the order. */
function partsOf<S extends Sorts, Searched extends string>(
  { kind, name }: Sort<NameIn<S>>,
  { after }: PageAsk<NameIn<S>>,
): Part<S, Searched>[] {
  if (kind !== 'optional text') return [{ where: [], after }]
  const among = (hasValue: boolean): Part<S, Searched> => ({
    where: [on(name, hasValue ? { not: null } : null)],
    after: after && (after.value !== null) === hasValue ? after : null,
  })
  const parts = after?.back ? [among(false), among(true)] : [among(true), among(false)]
  const startsInSecond = after !== null && parts[0]?.after === null
  return startsInSecond ? parts.slice(1) : parts
}

/** `gte` first: a range that an index can use. */
function beyond<S extends Sorts, Searched extends string>(
  { name, tie, kind, descending }: Sort<NameIn<S>>,
  after: Position | null,
): Condition<S, Searched>[] {
  if (!after) return []
  const past = descending ? 'lt' : 'gt'
  const id: Condition<S, Searched> = on(tie.name, { [past]: typed(tie.kind, after.id) })
  if (name === 'id' || after.value === null) return [id]
  const value = typed(kind, after.value)
  return [on(name, { [`${past}e`]: value }), { OR: [on(name, { [past]: value }), id] }]
}

function typed(kind: Kind, value: string): Value {
  if (kind === 'date') return new Date(value)
  return kind === 'bigint' ? BigInt(value) : value
}

// ---------------------------------------------------------------- the pages beside it

function neighbours<Name extends string, Row extends { id: string } & Record<Name, Value | null>>(
  { after }: { after: Position | null },
  sort: Sort<Name>,
  rows: readonly Row[],
  more: boolean,
): Pick<Page<Row>, 'previous' | 'next'> {
  const [first, last] = [rows.at(0), rows.at(-1)]
  if (!first || !last) return { next: null, previous: null }
  const back = after?.back ?? false
  const follows = back || more
  const precedes = back ? more : after !== null
  return {
    next: follows ? positionOf(sort, last) : null,
    previous: precedes ? { ...positionOf(sort, first), back: true } : null,
  }
}

function positionOf<Name extends string>(
  { name, tie }: Sort<Name>,
  row: { id: string } & Record<Name, Value | null>,
): Position {
  const value: Value | null = row[name]
  const id = String(row[tie.name])
  return { value: value === null ? null : asText(value), id }
}

function asText(value: Value): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

// ---------------------------------------------------------------- words, and the total

type Words = { q: string | null; databaseKind: DatabaseKind }

/** LIKE has no escape character in SQLite, so it finds too much there; `isFound` checks again. */
function searching<S extends Sorts, Searched extends string>(
  { q, databaseKind }: Words,
  { searched }: { searched: readonly Searched[] },
): Condition<S, Searched>[] {
  if (q === null) return []
  const contains: Contains =
    databaseKind === 'postgres'
      ? { contains: q.replaceAll(/[\\%_]/g, '\\$&'), mode: 'insensitive' }
      : { contains: q }
  return [{ OR: searched.map((name) => on(name, contains)) }]
}

function isFound<Row extends Record<Searched, string | null>, Searched extends string>(
  { q }: Words,
  { searched, isHit }: Pick<List<Row, never, never, Searched>, 'searched' | 'isHit'>,
  row: Row,
): boolean {
  if (q === null) return true
  if (isHit) return isHit(row, q)
  const needle = q.toLowerCase()
  return searched.some((name) => (row[name] ?? '').toLowerCase().includes(needle))
}

async function countOf<
  Row extends RowOf<S, Searched>,
  Filter,
  S extends Sorts,
  Searched extends string,
>(ask: Words, list: List<Row, Filter, S, Searched>, most: number): Promise<number> {
  const where = { AND: [list.filter, ...searching<S, Searched>(ask, list)] }
  const findsTooMuch = ask.databaseKind === 'sqlite' && /[%_]/.test(ask.q ?? '')
  if (!findsTooMuch) return list.count({ where, take: most })
  const rows = await list.find({ where, orderBy: [on<Order<S>>('id', 'asc')], take: most })
  return rows.filter((row) => isFound(ask, list, row)).length
}
