import type { DatabaseKind, Reader } from './connection'
import { prisma } from './database'
import { type PageAsk, pageOf } from './page'
import { someUserIds } from './user-search'

/**
 * The first results of each kind with the text in their names: for users who know what they look
 * for.
 */

export const SEARCHED = ['application', 'user', 'group', 'role', 'api'] as const
export type SearchKind = (typeof SEARCHED)[number]

export type Hit = { kind: SearchKind; id: string; name: string; hint: string | null }

export type SearchAsk = {
  q: string
  limit: number
  kinds: readonly SearchKind[]
  /** Only applications of this user; null for all. */
  ownerId: string | null
  databaseKind: DatabaseKind
}

export async function searchNames(db: Reader, ask: SearchAsk): Promise<Hit[]> {
  const found = await Promise.all(ask.kinds.map((kind) => searches[kind](db, ask)))
  return rankedFor(ask.q, found.flat())
}

/** A name with a word that begins with the text ranks first; otherwise in the order of kinds. */
export function rankedFor(q: string, hits: readonly Hit[]): Hit[] {
  const wanted = q.toLowerCase()
  const begins = ({ name }: Hit) =>
    name
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .some((word) => word.startsWith(wanted))
  return [...hits.filter(begins), ...hits.filter((hit) => !begins(hit))]
}

type Search = (db: Reader, ask: SearchAsk) => Promise<Hit[]>

const BY_ID = { sorts: { id: 'text' } } as const
const BY_KEY = { ...BY_ID, searched: ['name', 'key', 'id'] } as const

const searches: Record<SearchKind, Search> = {
  application: async (db, ask) => {
    const { application } = prisma(db)
    const select = { id: true, name: true } as const
    const { rows } = await pageOf(firstOf(ask), {
      ...BY_ID,
      searched: ['name', 'id'],
      filter: ask.ownerId === null ? {} : { ownerId: ask.ownerId },
      find: (asked) => application.findMany({ ...asked, select }),
      count: (asked) => application.count(asked),
    })
    return rows.map(({ id, name }) => ({ kind: 'application', id, name, hint: id }))
  },
  user: async (db, ask) => {
    const { user } = prisma(db)
    const select = { id: true, name: true, email: true, username: true } as const
    const ids = await someUserIds(db, ask.q, ask.limit)
    const rows = await user.findMany({ where: { id: { in: ids } }, select, orderBy: { id: 'asc' } })
    return rows.map(({ id, name, email, username }) => {
      const best = name ?? email ?? username ?? id
      return { kind: 'user', id, name: best, hint: best === email ? null : (email ?? username) }
    })
  },
  group: async (db, ask) => {
    const { group } = prisma(db)
    const { rows } = await pageOf(firstOf(ask), {
      ...BY_KEY,
      filter: {},
      find: (asked) => group.findMany(asked),
      count: (asked) => group.count(asked),
    })
    return rows.map(({ id, name, key }) => ({ kind: 'group', id, name, hint: key }))
  },
  role: async (db, ask) => {
    const { role } = prisma(db)
    const { rows } = await pageOf(firstOf(ask), {
      ...BY_KEY,
      filter: {},
      find: (asked) => role.findMany(asked),
      count: (asked) => role.count(asked),
    })
    return rows.map(({ id, name, key }) => ({ kind: 'role', id, name, hint: key }))
  },
  api: async (db, ask) => {
    const { api } = prisma(db)
    const { rows } = await pageOf(firstOf(ask), {
      ...BY_ID,
      searched: ['name', 'audience', 'prefix', 'id'],
      filter: {},
      find: (asked) => api.findMany(asked),
      count: (asked) => api.count(asked),
    })
    return rows.map(({ id, name, audience }) => ({ kind: 'api', id, name, hint: audience }))
  },
}

function firstOf({ q, limit, databaseKind }: SearchAsk): PageAsk<'id'> {
  return { q, limit, databaseKind, sort: 'id', after: null, mostCounted: null }
}
