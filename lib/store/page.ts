import type { DatabaseKind } from './database'

/**
 * One page of a table, by key and not by offset: a row that comes or goes meanwhile shifts nothing.
 * What is searched for is taken literally: `%` and `_` are characters like any other (attack N15).
 */

/** Of an optional text, those without one come last, whatever the database and the order. */
export type FieldKind = 'text' | 'optional text' | 'date' | 'bigint'

/** `back`: from there towards the first page. */
export type Position = { value: string | null; id: string; back?: boolean | undefined }

export type PageAsk = {
  limit: number
  field: string
  kind: FieldKind
  descending: boolean
  after: Position | null
  q: string | null
  searched: readonly string[]
  /** Where words are compared in another way than by what they contain. */
  isHit?: ((row: object, q: string) => boolean) | undefined
  databaseKind: DatabaseKind
}

/** Prisma's own types of the arguments; `never` fits every model's. */
type FindArguments = { where: never; orderBy: never; take: number }

export type Source<Row> = {
  where: object
  find(args: FindArguments): Promise<Row[]>
}

export type Counted<Row> = Source<Row> & {
  count(args: { where: never; take: number }): Promise<number>
}

/** `more`: in the direction that was asked for. */
export type Page<Row> = { rows: Row[]; more: boolean }

const MOST_ROUNDS = 50

export async function pageOf<Row extends { id: string }>(
  ask: PageAsk,
  source: Source<Row>,
): Promise<Page<Row>> {
  const rows: Row[] = []
  for (const part of partsOf(ask)) {
    await collect(ask, source, part, rows)
    if (rows.length > ask.limit) return inOrder(ask, rows.slice(0, ask.limit), true)
  }
  return inOrder(ask, rows, false)
}

/** Until there is one more than asked for, or the part is at its end. */
async function collect<Row extends { id: string }>(
  ask: PageAsk,
  { where, find }: Source<Row>,
  part: Part,
  rows: Row[],
): Promise<void> {
  let { after } = part
  for (let round = 0; round < MOST_ROUNDS && rows.length <= ask.limit; round += 1) {
    const take = ask.limit + 1
    const found = await find({
      where: { AND: [where, part.where, beyond(ask, after), searching(ask)] } as never,
      orderBy: [{ [ask.field]: direction(ask) }, { id: direction(ask) }] as never,
      take,
    })
    rows.push(...found.filter((row) => isFound(ask, row)))
    const last = found.at(-1)
    if (found.length < take || !last) return
    after = positionOf(ask, last)
  }
}

type Part = { where: object; after: Position | null }

/** Those without a value come last: a part of their own, so that an index gives the order. */
function partsOf({ kind, field, after }: PageAsk): Part[] {
  if (kind !== 'optional text') return [{ where: {}, after }]
  const among = (hasValue: boolean): Part => ({
    where: { [field]: hasValue ? { not: null } : null },
    after: after && (after.value !== null) === hasValue ? after : null,
  })
  const parts = after?.back ? [among(false), among(true)] : [among(true), among(false)]
  const startsInSecond = after !== null && parts[0]?.after === null
  return startsInSecond ? parts.slice(1) : parts
}

/** Walking back finds the nearest first. */
function inOrder<Row>({ after }: PageAsk, rows: Row[], more: boolean): Page<Row> {
  return { rows: after?.back ? rows.reverse() : rows, more }
}

/** Of what is asked for, at most `most` are counted. */
export async function countOf<Row>(
  ask: PageAsk,
  { where, find, count }: Counted<Row>,
  most: number,
): Promise<number> {
  const filter = { AND: [where, searching(ask)] } as never
  if (!findsTooMuch(ask)) return count({ where: filter, take: most })
  const rows = await find({ where: filter, orderBy: [{ id: 'asc' }] as never, take: most })
  return rows.filter((row) => isFound(ask, row as object)).length
}

export function positionOf({ field }: PageAsk, row: { id: string }): Position {
  const value = (row as Record<string, unknown>)[field] ?? null
  if (value === null) return { value, id: row.id }
  return { value: value instanceof Date ? value.toISOString() : String(value), id: row.id }
}

function falls({ descending, after }: PageAsk): boolean {
  return descending !== (after?.back ?? false)
}

function direction(ask: PageAsk): 'asc' | 'desc' {
  return falls(ask) ? 'desc' : 'asc'
}

/** `gte` first: a range that an index can follow. */
function beyond(ask: PageAsk, after: Position | null): object {
  if (!after) return {}
  const { field, kind } = ask
  const past = falls(ask) ? 'lt' : 'gt'
  const id = { id: { [past]: after.id } }
  if (field === 'id' || after.value === null) return id
  const value = typed(kind, after.value)
  return {
    AND: [{ [field]: { [`${past}e`]: value } }, { OR: [{ [field]: { [past]: value } }, id] }],
  }
}

function typed(kind: FieldKind, value: string): string | Date | bigint {
  if (kind === 'date') return new Date(value)
  return kind === 'bigint' ? BigInt(value) : value
}

/** SQLite's LIKE has no escape character, so there it finds too much; `isFound` looks again. */
function searching({ q, searched, databaseKind }: PageAsk): object {
  if (q === null) return {}
  const postgres = databaseKind === 'postgres'
  const contains = postgres ? q.replaceAll(/[\\%_]/g, '\\$&') : q
  const filter = { contains, ...(postgres && { mode: 'insensitive' }) }
  return { OR: searched.map((field) => ({ [field]: filter })) }
}

function findsTooMuch({ q, databaseKind }: PageAsk): boolean {
  return q !== null && databaseKind === 'sqlite' && /[%_]/.test(q)
}

function isFound({ q, searched, isHit }: PageAsk, row: object): boolean {
  if (q === null) return true
  if (isHit) return isHit(row, q)
  const needle = q.toLowerCase()
  return searched.some((field) =>
    String((row as Record<string, unknown>)[field] ?? '')
      .toLowerCase()
      .includes(needle),
  )
}
