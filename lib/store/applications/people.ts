import { findUsersBy } from '../accounts/user-search'
import type { Reader } from '../database/connection'
import { type Prisma, prisma } from '../database/database'
import { type Page, type PageAsk, pageOf } from '../database/page'
import { MAX_NAMED } from '../database/search-keys'

/** The users of an application: their consent and their tokens. */

const MAX_COUNTED = 10_000

type Among = { where: Prisma.UserWhereInput; count: number | null }

/**
 * Users who consented or refused once, or have tokens that were not revoked. By ID, unless there are
 * so many that looking at one user after the other finds them soon enough.
 */
async function peopleOf(db: Reader, applicationId: string) {
  const ids = await peopleIds(db, applicationId)
  const isNamed = ids.length < MAX_NAMED
  const where = isNamed ? { id: { in: ids } } : usersOf(applicationId)
  return { where, count: ids.length, isNamed }
}

/** At most so many as are counted. Each of both lists comes in the order of an index. */
async function peopleIds(db: Reader, applicationId: string): Promise<string[]> {
  const [consented, connected] = await Promise.all([
    prisma(db).$queryRaw<{ userId: string }[]>`
      SELECT DISTINCT "userId" FROM "Consent" WHERE "applicationId" = ${applicationId}
      ORDER BY "userId" LIMIT ${MAX_COUNTED}`,
    prisma(db).$queryRaw<{ userId: string }[]>`
      SELECT DISTINCT "userId" FROM "TokenGrant"
      WHERE "applicationId" = ${applicationId} AND "revokedAt" IS NULL
      ORDER BY "userId" LIMIT ${MAX_COUNTED}`,
  ])
  const ids = new Set([...consented, ...connected].map(({ userId }) => userId))
  return [...ids].slice(0, MAX_COUNTED)
}

function usersOf(applicationId: string): Prisma.UserWhereInput {
  return {
    OR: [
      { consents: { some: { applicationId } } },
      { tokenGrants: { some: { applicationId, revokedAt: null } } },
    ],
  }
}

const MAX_TOKENS = 100

function fieldsFor(applicationId: string, now: Date) {
  return {
    id: true,
    name: true,
    email: true,
    consents: {
      where: { applicationId },
      select: { scope: true, granted: true, decidedAt: true },
      orderBy: { scope: 'asc' },
    },
    tokenGrants: {
      where: { applicationId, revokedAt: null, expiresAt: { gt: now } },
      select: { createdAt: true, offline: true, sessionId: true },
      orderBy: { createdAt: 'desc' },
      take: MAX_TOKENS,
    },
  } as const
}

export type AppPerson = {
  id: string
  name: string | null
  email: string | null
  granted: string[]
  refused: string[]
  decidedAt: Date | null
  /** Number of sign-ins whose tokens still work. */
  live: number
  lastSignInAt: Date | null
}

const SEARCHED = ['id', 'name', 'email'] as const

/**
 * Of those who are found by the words, if there are any. If very many have a word, those of this
 * application may be anywhere among them: then the page itself compares the names.
 */
async function among(db: Reader, applicationId: string, q: string | null): Promise<Among> {
  if (q === null) return peopleOf(db, applicationId)
  const { ids, count } = await findUsersBy(db, { q, others: null })
  const people = count && (await peopleOf(db, applicationId))
  if (people?.isNamed) return { where: people.where, count: null }
  return { where: { id: { in: await usersAmong(db, applicationId, ids) } }, count: null }
}

/** Asked for by ID: a join could walk all users of the application instead. */
async function usersAmong(
  db: Reader,
  applicationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const userId = { in: [...ids] }
  const only = { select: { userId: true } } as const
  const rows = await Promise.all([
    prisma(db).consent.findMany({ where: { applicationId, userId }, ...only }),
    prisma(db).tokenGrant.findMany({ where: { applicationId, userId, revokedAt: null }, ...only }),
  ])
  return [...new Set(rows.flat().map((row) => row.userId))]
}

type People = { applicationId: string }

export async function listPeoplePage(
  db: Reader,
  { applicationId }: People,
  ask: PageAsk<'name' | 'email'>,
  now: Date,
): Promise<Page<AppPerson>> {
  const { where: filter, count } = await among(db, applicationId, ask.q)
  return pageOf(ask, {
    filter,
    sorts: { name: 'optional text', email: 'optional text' },
    searched: SEARCHED,
    find: (asked) => findPeople(db, asked, applicationId, now),
    count: async (asked) => count ?? prisma(db).user.count(asked),
  })
}

const MAX_FOUND = 500

/**
 * For callers who may not read users: shows only what users agreed to share with the application,
 * which the application gets anyway. Order and search reveal nothing else.
 */
export async function listSharedPeoplePage(
  db: Reader,
  { applicationId }: People,
  ask: PageAsk<'id'>,
  now: Date,
): Promise<Page<AppPerson>> {
  const shared = {
    sorts: { id: 'text' },
    searched: SEARCHED,
    find: async (asked: Found) => (await findPeople(db, asked, applicationId, now)).map(sharedOnly),
    count: (asked: Pick<Found, 'where'>) => prisma(db).user.count(asked),
  } as const
  const { where: filter } = await among(db, applicationId, ask.q)
  if (ask.q === null) return pageOf(ask, { ...shared, filter })
  const first = { ...ask, sort: 'id', limit: MAX_FOUND, after: null, mostCounted: null } as const
  const ids = (await pageOf(first, { ...shared, filter })).rows.map(({ id }) => id)
  return pageOf({ ...ask, q: null }, { ...shared, filter: { AND: [filter, { id: { in: ids } }] } })
}

function sharedOnly(person: AppPerson): AppPerson {
  const { granted, name, email } = person
  return {
    ...person,
    name: granted.includes('profile') ? name : null,
    email: granted.includes('email') ? email : null,
  }
}

type Found = {
  where: Prisma.UserWhereInput
  orderBy: Prisma.UserOrderByWithRelationInput[]
  take: number
}

async function findPeople(
  db: Reader,
  asked: Found,
  applicationId: string,
  now: Date,
): Promise<AppPerson[]> {
  const rows = await prisma(db).user.findMany({ ...asked, select: fieldsFor(applicationId, now) })
  const open = await openSessions(
    db,
    rows.flatMap(({ tokenGrants }) => tokenGrants.map(({ sessionId }) => sessionId)),
    now,
  )
  return rows.map(({ consents, tokenGrants, ...person }) => ({
    ...person,
    granted: consents.filter(({ granted }) => granted).map(({ scope }) => scope),
    refused: consents.filter(({ granted }) => !granted).map(({ scope }) => scope),
    decidedAt: latest(consents.map(({ decidedAt }) => decidedAt)),
    live: tokenGrants.filter(({ offline, sessionId }) => offline || open.has(sessionId)).length,
    lastSignInAt: tokenGrants[0]?.createdAt ?? null,
  }))
}

async function openSessions(
  db: Reader,
  ids: readonly (string | null)[],
  now: Date,
): Promise<ReadonlySet<string | null>> {
  const named = [...new Set(ids.filter((id) => id !== null))]
  const rows = await prisma(db).session.findMany({
    where: { id: { in: named }, endedAt: null, expiresAt: { gt: now } },
    select: { id: true },
  })
  return new Set(rows.map(({ id }) => id))
}

function latest(dates: readonly Date[]): Date | null {
  return dates.length === 0 ? null : new Date(Math.max(...dates.map((date) => date.getTime())))
}

export async function isUserOf(
  db: Reader,
  applicationId: string,
  userId: string,
): Promise<boolean> {
  return (
    (await prisma(db).user.count({ where: { AND: [{ id: userId }, usersOf(applicationId)] } })) ===
    1
  )
}

// ---------------------------------------------------------------- in a few numbers

type Usage = {
  lastUsedAt: Date | null
  lastUsedIp: string | null
  lastSignInAt: Date | null
  /** Of the last sign-in that was seen; null if none was. */
  signInUsed: { pkce: boolean; nonce: boolean } | null
  /** Counted up to 10 000. */
  people: number
  secrets: number
  accessKeys: number
}

/** Null if there is none of this owner; of any, if `ownerId` is null. */
export async function usageOf(
  db: Reader,
  { id: applicationId, ownerId }: { id: string; ownerId: string | null },
  now: Date,
): Promise<Usage | null> {
  const used = { where: { applicationId, lastUsedAt: { not: null } } } as const
  const newest = { orderBy: { lastUsedAt: 'desc' }, select: LAST_USE } as const
  const live = { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
  const [secret, key, publicKey, signIn, application, people, secrets, accessKeys] =
    await Promise.all([
      prisma(db).applicationSecret.findFirst({ ...used, ...newest }),
      prisma(db).accessKey.findFirst({ ...used, ...newest }),
      prisma(db).publicKeyUse.findFirst({ where: { applicationId }, ...newest }),
      prisma(db).tokenGrant.findFirst({
        where: { applicationId },
        orderBy: { createdAt: 'desc' },
        select: { createdAt: true },
      }),
      prisma(db).application.findFirst({
        where: { id: applicationId, ...(ownerId !== null && { ownerId }) },
        select: { signedInPkce: true, signedInNonce: true },
      }),
      countPeople(db, applicationId),
      prisma(db).applicationSecret.count({ where: { applicationId, revokedAt: null, ...live } }),
      prisma(db).accessKey.count({ where: { applicationId, disabledAt: null, ...live } }),
    ])
  if (!application) return null
  const last = [secret, key, publicKey].sort((a, b) => timeOf(b) - timeOf(a))[0]
  return {
    lastUsedAt: last?.lastUsedAt ?? null,
    lastUsedIp: last?.lastUsedIp ?? null,
    lastSignInAt: signIn?.createdAt ?? null,
    signInUsed: usedIn(application),
    people,
    secrets,
    accessKeys,
  }
}

function usedIn(seen: { signedInPkce: boolean | null; signedInNonce: boolean | null }) {
  if (seen.signedInPkce === null) return null
  return { pkce: seen.signedInPkce, nonce: seen.signedInNonce ?? false }
}

/** The same as `peopleIds`, and no ID leaves the database. */
async function countPeople(db: Reader, applicationId: string): Promise<number> {
  const [row] = await prisma(db).$queryRaw<{ people: bigint }[]>`
    SELECT COUNT(*) AS "people" FROM (
      SELECT "userId" FROM (
        SELECT DISTINCT "userId" FROM "Consent" WHERE "applicationId" = ${applicationId}
        ORDER BY "userId" LIMIT ${MAX_COUNTED}) AS c
      UNION
      SELECT "userId" FROM (
        SELECT DISTINCT "userId" FROM "TokenGrant"
        WHERE "applicationId" = ${applicationId} AND "revokedAt" IS NULL
        ORDER BY "userId" LIMIT ${MAX_COUNTED}) AS t
    ) AS p`
  return Math.min(Number(row?.people ?? 0), MAX_COUNTED)
}

const LAST_USE = { lastUsedAt: true, lastUsedIp: true } as const

function timeOf(row: { lastUsedAt: Date | null } | null): number {
  return row?.lastUsedAt?.getTime() ?? 0
}
