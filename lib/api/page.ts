import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Op } from '../context/op'
import { sameDigest } from '../crypto/secrets'
import {
  type Counted,
  countOf,
  type FieldKind,
  type Page,
  type PageAsk,
  type Position,
  pageOf,
  positionOf,
} from '../store/page'
import { Problem } from './problem'

/** Lists: `?limit`, an opaque signed `cursor`, `?q`, `?sort` from a fixed list, `?count=true`. */

const MOST_COUNTED = 10_000

type Fields = Record<string, FieldKind>

export function listQuery<F extends z.core.$ZodLooseShape = Record<never, never>>(
  sorts: readonly [string, ...string[]],
  filters?: F,
) {
  return z.strictObject({
    limit: z.coerce.number().int().min(1).max(200).default(50).describe('How many to a page'),
    cursor: z
      .string()
      .max(2_000)
      .optional()
      .describe('What `page.next` or `page.previous` of another page said'),
    q: z.string().min(1).max(200).optional().describe('What to search for'),
    sort: z
      .enum([...sorts, ...sorts.map((sort) => `-${sort}`)])
      .default(sorts[0])
      .describe('In which order; with a dash, the other way round'),
    count: z
      .enum(['true', 'false'])
      .default('false')
      .describe(`Adds \`page.total\`, counted up to ${MOST_COUNTED}`),
    ...(filters as F),
  })
}

export function pageSchema<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    page: z.object({
      next: z.string().nullable(),
      previous: z.string().nullable(),
      limit: z.number(),
      total: z.number().optional(),
    }),
  })
}

type Asked = {
  limit: number
  cursor?: string | undefined
  q?: string | undefined
  sort: string
  count: string
}

type Listed<Row> = Counted<Row> & {
  /** Of this list only: a cursor of another one is refused. */
  name: string
  sorts: Fields
  searched: readonly string[]
  /** An index of its own, where the list may be long. */
  index?: {
    /** The ids that are found; null: so many that the table is walked instead. */
    lookUp(q: string): Promise<string[] | null>
    isHit(row: Row, q: string): boolean
  }
}

export type PageWire<Entry> = {
  data: Entry[]
  page: { next: string | null; previous: string | null; limit: number; total?: number }
}

export async function listed<Row extends { id: string }, Entry>(
  op: Op,
  asked: Asked,
  list: Listed<Row>,
  toWire: (row: Row) => Entry,
): Promise<{ status: 200; body: PageWire<Entry> }> {
  const descending = asked.sort.startsWith('-')
  const field = descending ? asked.sort.slice(1) : asked.sort
  const bound = `${list.name} ${asked.sort} ${asked.q ?? ''} ${JSON.stringify(list.where)}`
  const q = asked.q ?? null
  const ids = q === null ? null : ((await list.index?.lookUp(q)) ?? null)
  const source =
    ids === null ? list : { ...list, where: { AND: [list.where, { id: { in: ids } }] } }
  const ask: PageAsk = {
    limit: asked.limit,
    field,
    kind: list.sorts[field] ?? 'text',
    descending,
    after: asked.cursor === undefined ? null : openCursor(op, bound, asked.cursor),
    q: ids === null ? q : null,
    searched: list.searched,
    isHit: list.index?.isHit as PageAsk['isHit'],
    databaseKind: op.databaseKind,
  }
  const found = await pageOf(ask, source)
  const { rows } = found
  const cursors = neighbours(ask, found, (position) => sealCursor(op, bound, position))
  const total = asked.count === 'true' ? { total: await countOf(ask, source, MOST_COUNTED) } : {}
  return {
    status: 200,
    body: {
      data: rows.map((row) => toWire(row)),
      page: { ...cursors, limit: asked.limit, ...total },
    },
  }
}

/** Where the pages beside this one begin; null where there is none. */
function neighbours<Row extends { id: string }>(
  ask: PageAsk,
  { rows, more }: Page<Row>,
  seal: (position: Position) => string,
): { next: string | null; previous: string | null } {
  const [first, last] = [rows.at(0), rows.at(-1)]
  if (!first || !last) return { next: null, previous: null }
  const back = ask.after?.back ?? false
  const follows = back || more
  const precedes = back ? more : ask.after !== null
  return {
    next: follows ? seal(positionOf(ask, last)) : null,
    previous: precedes ? seal({ ...positionOf(ask, first), back: true }) : null,
  }
}

const positionSchema = z.strictObject({
  value: z.string().nullable(),
  id: z.string(),
  back: z.boolean().optional(),
})

function sealCursor(op: Op, bound: string, position: Position): string {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url')
  return `${text}.${signature(op, bound, text)}`
}

/** A cursor that we did not write, or wrote for another list, is a mistake and not a position. */
function openCursor(op: Op, bound: string, cursor: string): Position {
  const [text = '', sent = '', ...more] = cursor.split('.')
  if (more.length === 0 && sameDigest(signature(op, bound, text), sent)) {
    return positionSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  }
  const detail = 'the cursor is not one of this list'
  throw new Problem('invalid', detail, {
    errors: [{ pointer: '/query/cursor', code: 'invalid', detail }],
  })
}

function signature(op: Op, bound: string, text: string): string {
  return createHmac('sha256', op.cursorKey).update(`${bound}\n${text}`).digest('base64url')
}
