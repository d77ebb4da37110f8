import { z } from 'zod'
import type { Op, Reader } from '../../context/op'
import { keyedHash, sameDigest } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import type { Page, PageAsk, Position } from '../../store/database/page'
import { invalidField } from './problem'

/** Lists: `?limit`, an opaque signed `cursor`, `?q`, `?sort` from a fixed list, `?count=true`. */

export const MAX_COUNTED = 10_000

export const MAX_SEARCHED = 200

const searchText = z.string().min(1).max(MAX_SEARCHED).optional()
export const searchedSchema = searchText.describe('What to search for')
export const searchedWordSchema = searchText.describe(
  'The beginning of a word: `ada` finds Ada Byron and ada@example.com, `yron` finds neither',
)

export function listQuery<
  const Sort extends string,
  F extends z.core.$ZodLooseShape = Record<never, never>,
>(sorts: readonly [Sort, ...Sort[]], filters?: F) {
  return z.strictObject({
    limit: z.coerce.number().int().min(1).max(200).default(50).describe('Page size'),
    cursor: z
      .string()
      .max(2_000)
      .optional()
      .describe('`page.next` or `page.previous` of another page'),
    q: searchedSchema,
    sort: orderIn(sorts).default(sorts[0]).describe('Sort order; a leading dash reverses it'),
    count: z
      .enum(['true', 'false'])
      .default('false')
      .describe(`Adds \`page.total\`, counted up to ${MAX_COUNTED}`),
    ...(filters as F),
  })
}

function orderIn<Sort extends string>(sorts: readonly Sort[]): z.ZodType<Sort | `-${Sort}`> {
  return z.enum([...sorts, ...sorts.map((sort) => `-${sort}` as const)])
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

type Asked<Sort extends string> = {
  limit: number
  cursor?: string | undefined
  q?: string | undefined
  sort: Sort | `-${Sort}`
  count: string
}

type Listed<Row, Filters, Sort extends string> = {
  /**
   * A cursor is valid for one list with the same filters, search and order. Any other is refused.
   */
  name: string
  filters: Filters
  list(db: Reader, filters: Filters, ask: PageAsk<Sort>): Promise<Page<Row>>
}

export type PageWire<Entry> = {
  data: Entry[]
  page: { next: string | null; previous: string | null; limit: number; total?: number }
}

export async function listed<Row, Filters, Sort extends string, Entry>(
  op: Op,
  { limit, sort, cursor, q, count }: Asked<Sort>,
  { name, filters, list }: Listed<Row, Filters, Sort>,
  toWire: (row: Row) => Entry,
): Promise<{ status: 200; body: PageWire<Entry> }> {
  const bound = `${name} ${sort} ${q ?? ''} ${JSON.stringify(filters)}`
  const ask = {
    limit,
    sort,
    q: q ?? null,
    databaseKind: op.databaseKind,
    after: cursor === undefined ? null : openCursor(op, bound, cursor),
    mostCounted: count === 'true' ? MAX_COUNTED : null,
  }
  const { rows, next, previous, total } = await op.readReplica((db) => list(db, filters, ask))
  const page = {
    next: next && sealCursor(op, bound, next),
    previous: previous && sealCursor(op, bound, previous),
    limit,
    ...(total !== null && { total }),
  }
  return { status: 200, body: { data: rows.map((row) => toWire(row)), page } }
}

const positionSchema = z.strictObject({
  value: z.string().nullable(),
  id: z.string(),
  back: z.boolean().optional(),
})

export function sealCursor(op: Op, bound: string, position: Position): string {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url')
  return `${text}.${signature(op, bound, text)}`
}

/** A cursor of another list, or one that the portal did not sign, is an error. */
export function openCursor(
  op: Op,
  bound: string,
  cursor: string,
  pointer = '/query/cursor',
): Position {
  const [text = '', sent = '', ...more] = cursor.split('.')
  if (more.length === 0 && sameDigest(signature(op, bound, text), sent)) {
    return positionSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  }
  throw invalidField(pointer, errorMessage('cursor_foreign'))
}

function signature(op: Op, bound: string, text: string): string {
  return keyedHash(op.cursorKey).update(`${bound}\n${text}`).digest('base64url')
}
