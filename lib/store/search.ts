import type { Database, DatabaseKind } from './database'
import { type PageAsk, pageOf, type Source } from './page'
import { findUserIds } from './user-search'

/** The first few of each kind that have a text in their name: for people who know what they want. */

export const SEARCHED = ['application', 'user', 'group', 'role', 'api'] as const
export type SearchKind = (typeof SEARCHED)[number]

export type Hit = { kind: SearchKind; id: string; name: string; hint: string | null }

export type SearchAsk = {
  q: string
  limit: number
  kinds: readonly SearchKind[]
  /** Of applications, only those of this user; null: all. */
  ownerId: string | null
  databaseKind: DatabaseKind
}

export async function searchNames(db: Database, ask: SearchAsk): Promise<Hit[]> {
  const found = await Promise.all(ask.kinds.map((kind) => searches[kind](db, ask)))
  return rankedFor(ask.q, found.flat())
}

/** Where a word of the name begins with it, it is more likely meant; otherwise kind by kind. */
export function rankedFor(q: string, hits: readonly Hit[]): Hit[] {
  const wanted = q.toLowerCase()
  const begins = ({ name }: Hit) =>
    name
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .some((word) => word.startsWith(wanted))
  return [...hits.filter(begins), ...hits.filter((hit) => !begins(hit))]
}

type Search = (db: Database, ask: SearchAsk) => Promise<Hit[]>

const searches: Record<SearchKind, Search> = {
  application: async (db, ask) => {
    const where = ask.ownerId === null ? {} : { ownerId: ask.ownerId }
    const select = { id: true, name: true } as const
    const rows = await firstOf(ask, ['name', 'id'], {
      where,
      find: (args) => db.application.findMany({ ...args, select }),
    })
    return rows.map(({ id, name }) => ({ kind: 'application', id, name, hint: id }))
  },
  user: async (db, ask) => {
    const select = { id: true, name: true, email: true, username: true } as const
    const ids = await findUserIds(db, ask.q)
    const found = ids === null ? ask : { ...ask, q: null }
    const rows = await firstOf(found, ['name', 'email', 'username'], {
      where: ids === null ? {} : { id: { in: ids } },
      find: (args) => db.user.findMany({ ...args, select }),
    })
    return rows.map(({ id, name, email, username }) => {
      const best = name ?? email ?? username ?? id
      return { kind: 'user', id, name: best, hint: best === email ? null : (email ?? username) }
    })
  },
  group: async (db, ask) => {
    const select = { id: true, name: true, key: true } as const
    const rows = await firstOf(ask, ['name', 'key', 'id'], {
      where: {},
      find: (args) => db.group.findMany({ ...args, select }),
    })
    return rows.map(({ id, name, key }) => ({ kind: 'group', id, name, hint: key }))
  },
  role: async (db, ask) => {
    const select = { id: true, name: true, key: true } as const
    const rows = await firstOf(ask, ['name', 'key', 'id'], {
      where: {},
      find: (args) => db.role.findMany({ ...args, select }),
    })
    return rows.map(({ id, name, key }) => ({ kind: 'role', id, name, hint: key }))
  },
  api: async (db, ask) => {
    const select = { id: true, name: true, audience: true, prefix: true } as const
    const rows = await firstOf(ask, ['name', 'audience', 'prefix', 'id'], {
      where: {},
      find: (args) => db.api.findMany({ ...args, select }),
    })
    return rows.map(({ id, name, audience }) => ({ kind: 'api', id, name, hint: audience }))
  },
}

async function firstOf<Row extends { id: string }>(
  { q, limit, databaseKind }: Pick<PageAsk, 'q' | 'limit' | 'databaseKind'>,
  searched: readonly string[],
  source: Source<Row>,
): Promise<Row[]> {
  const order = { field: 'id', kind: 'text', descending: false, after: null } as const
  return (await pageOf({ limit, q, databaseKind, searched, ...order }, source)).rows
}
