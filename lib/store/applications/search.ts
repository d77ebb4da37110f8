import { withoutUndefined } from '../../base/without-undefined'
import { someUserIds } from '../accounts/user-search'
import { listUserPage } from '../accounts/users'
import type { DatabaseKind, Reader } from '../database/connection'
import { prisma } from '../database/database'
import { type PageAsk, pageOf } from '../database/page'
import { listApplicationPage } from './applications'

/**
 * The first results of each kind with the text in their names: for users who know what they look
 * for. Without a text, the first by name.
 */

export const STORED_KINDS = [
  'application',
  'user',
  'group',
  'role',
  'api',
  'permission',
  'space',
  'webhook',
] as const
export type StoredKind = (typeof STORED_KINDS)[number]

export type Hit<Kind extends string = StoredKind> = {
  kind: Kind
  id: string
  name: string
  hint: string | null
  /** What it belongs to: the space of a role, an API or an application, the API of a permission. */
  within: string | null
}

type SearchAsk = {
  q: string | null
  limit: number
  kinds: readonly StoredKind[]
  /** Only roles, APIs and permissions of this space. */
  spaceId?: string | undefined
  /** Only applications of this user; null for all. */
  ownerId: string | null
  databaseKind: DatabaseKind
}

export async function searchNames(db: Reader, ask: SearchAsk): Promise<Hit[]> {
  const found = await Promise.all(ask.kinds.map((kind) => searches[kind](db, ask)))
  return found.flat()
}

/** A name with a word that begins with the text ranks first; otherwise in the order of kinds. */
export function rankedFor<Found extends { name: string }>(
  q: string,
  hits: readonly Found[],
): Found[] {
  const wanted = q.toLowerCase()
  const begins = ({ name }: Found) =>
    name
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .some((word) => word.startsWith(wanted))
  return [...hits.filter(begins), ...hits.filter((hit) => !begins(hit))]
}

type Search = (db: Reader, ask: SearchAsk) => Promise<Hit[]>

const BY_NAME = { sorts: { name: 'text' } } as const
const BY_KEY = { ...BY_NAME, searched: ['name', 'key', 'id'] } as const

const searches: Record<StoredKind, Search> = {
  application: async (db, ask) => {
    const { rows } = await listApplicationPage(db, { seenBy: ask.ownerId }, firstOf(ask))
    return rows.map(({ id, name, spaceId }) => ({
      kind: 'application',
      id,
      name,
      hint: id,
      within: spaceId,
    }))
  },
  user: async (db, ask) => {
    const rows = ask.q === null ? await firstUsers(db, ask) : await usersCalled(db, ask, ask.q)
    return rows.map(({ id, name, email, username }) => {
      const best = name ?? email ?? username ?? id
      const hint = best === email ? null : (email ?? username)
      return { kind: 'user', id, name: best, hint, within: null }
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
    return rows.map(({ id, name, key }) => ({ kind: 'group', id, name, hint: key, within: null }))
  },
  role: async (db, ask) => {
    const { role } = prisma(db)
    const { rows } = await pageOf(firstOf(ask), {
      ...BY_KEY,
      filter: withoutUndefined({ spaceId: ask.spaceId }),
      find: (asked) => role.findMany(asked),
      count: (asked) => role.count(asked),
    })
    return rows.map(({ id, name, key, spaceId }) => ({
      kind: 'role',
      id,
      name,
      hint: key,
      within: spaceId,
    }))
  },
  api: async (db, ask) => {
    const { api } = prisma(db)
    const { rows } = await pageOf(firstOf(ask), {
      ...BY_NAME,
      searched: ['name', 'audience', 'prefix', 'id'],
      filter: withoutUndefined({ spaceId: ask.spaceId }),
      find: (asked) => api.findMany(asked),
      count: (asked) => api.count(asked),
    })
    return rows.map(({ id, name, audience, spaceId }) => ({
      kind: 'api',
      id,
      name,
      hint: audience,
      within: spaceId,
    }))
  },
  permission: async (db, ask) => {
    const { permissionItem } = prisma(db)
    const { rows } = await pageOf(
      { ...firstOf(ask), sort: 'key' },
      {
        sorts: { key: 'text' },
        searched: ['key'],
        filter: { api: withoutUndefined({ spaceId: ask.spaceId }) },
        find: (asked) => permissionItem.findMany({ ...asked, include: { api: true } }),
        count: (asked) => permissionItem.count(asked),
      },
    )
    return rows.map(({ key, api }) => ({
      kind: 'permission',
      id: key,
      name: key,
      hint: api.name,
      within: api.id,
    }))
  },
  space: async (db, ask) => {
    const { space } = prisma(db)
    const { rows } = await pageOf(firstOf(ask), {
      ...BY_KEY,
      filter: {},
      find: (asked) => space.findMany(asked),
      count: (asked) => space.count(asked),
    })
    return rows.map(({ id, name, key }) => ({ kind: 'space', id, name, hint: key, within: null }))
  },
  webhook: async (db, ask) => {
    const { webhook } = prisma(db)
    const { rows } = await pageOf(firstOf(ask), {
      ...BY_NAME,
      searched: ['name', 'url', 'id'],
      filter: {},
      find: (asked) => webhook.findMany(asked),
      count: (asked) => webhook.count(asked),
    })
    return rows.map(({ id, name, url }) => ({ kind: 'webhook', id, name, hint: url, within: null }))
  },
}

async function firstUsers(db: Reader, ask: SearchAsk) {
  return (await listUserPage(db, {}, firstOf(ask))).rows
}

async function usersCalled(db: Reader, { limit }: SearchAsk, q: string) {
  const select = { id: true, name: true, email: true, username: true } as const
  const ids = await someUserIds(db, q, limit)
  return prisma(db).user.findMany({ where: { id: { in: ids } }, select, orderBy: { id: 'asc' } })
}

function firstOf({ q, limit, databaseKind }: SearchAsk): PageAsk<'name'> {
  return { q, limit, databaseKind, sort: 'name', after: null, mostCounted: null }
}
