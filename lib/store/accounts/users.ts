import { ADMIN_ROLES, type AdminRole } from '../../access/authority'
import { conditionForUser } from '../../access/request-rules'
import type { SignInMethod } from '../../base/sign-in-methods'
import { withoutUndefined } from '../../base/without-undefined'
import { newId } from '../../crypto/secrets'
import { removeDecisionsOf } from '../audit/stored-decisions'
import type { Reader, Transaction } from '../database/connection'
import { type InputJsonObject, type Prisma, prisma, type Queries } from '../database/database'
import { foldedKey } from '../database/folded-key'
import { membersOf, oneOf } from '../database/json'
import { type Page, type PageAsk, pageOf } from '../database/page'
import { enabledIs } from '../database/rows'
import { type Condition, hasKeyFor } from '../database/search-keys'
import { findIdentityUser, type IdentityKey } from './identities'
import { findUsersBy, saveSearchKeys } from './user-search'

export { ADMIN_ROLES, type AdminRole }

export type User = {
  id: string
  name: string | null
  email: string | null
  adminRole: AdminRole | null
  enabled: boolean
}

type NewUser = {
  id?: string
  name: string
  email: string
  emailVerified: boolean
  adminRole: AdminRole | null
  /** Null for a user who signs in another way. */
  passwordHash: string | null
  /** Standard OpenID claims beyond name and email. */
  profile?: InputJsonObject
}

const CONTROL = /\p{Cc}/u

type Row = NonNullable<Awaited<ReturnType<Queries['user']['findUnique']>>>

export function userStore(reader: Reader) {
  const db = prisma(reader)
  return {
    /**
     * By address or user name, normalised. A user name never contains an @, so they cannot collide.
     */
    async findWithPassword(identifier: string): Promise<{ user: User; hash: string } | null> {
      const key = foldedKey(identifier)
      if (CONTROL.test(key)) return null // PostgreSQL has no text with a NUL
      const where = key.includes('@') ? { emailKey: key } : { usernameKey: key }
      const row = await db.user.findUnique({ where, include: { password: true } })
      return row?.password ? { user: toUser(row), hash: row.password.hash } : null
    },

    async adminRoleOf(id: string): Promise<AdminRole | null> {
      const row = await db.user.findUnique({ where: { id }, select: { adminRole: true } })
      return row?.adminRole ? oneOf(ADMIN_ROLES, row.adminRole) : null
    },

    /** Finds a user by ID, by user name, or by an address that is verified. */
    async idOf(name: string): Promise<string | null> {
      if (CONTROL.test(name)) return null
      const key = foldedKey(name)
      const where = key.includes('@')
        ? { emailKey: key, emailVerified: true }
        : { OR: [{ id: name }, { usernameKey: key }] }
      const row = await db.user.findFirst({ where, select: { id: true } })
      return row?.id ?? null
    },

    /** Finds a user by what an upstream provider calls them. */
    async idAt(identity: IdentityKey): Promise<string | null> {
      if (CONTROL.test(identity.issuer + identity.subject)) return null
      return (await findIdentityUser(reader, identity))?.userId ?? null
    },

    /** By ID; users without a user name are left out. */
    async usernamesOf(ids: readonly string[]): Promise<Map<string, string>> {
      const where = { id: { in: [...ids] }, username: { not: null } }
      const rows = await db.user.findMany({ where, select: { id: true, username: true } })
      return new Map(rows.flatMap(({ id, username }) => (username ? [[id, username]] : [])))
    },

    async anyExists(): Promise<boolean> {
      return (await db.user.findFirst({ select: { id: true } })) !== null
    },
  }
}

export type UserStore = ReturnType<typeof userStore>

export async function createUser(tx: Transaction, user: NewUser, now: Date): Promise<string> {
  const id = user.id ?? newId('usr')
  await prisma(tx).user.create({
    data: {
      id,
      name: user.name,
      email: user.email,
      emailKey: foldedKey(user.email),
      emailVerified: user.emailVerified,
      adminRole: user.adminRole,
      profile: user.profile ?? {},
      attributes: {},
      createdAt: now,
      updatedAt: now,
      ...(user.passwordHash !== null && {
        password: { create: { hash: user.passwordHash, changedAt: now } },
      }),
    },
  })
  await saveSearchKeys(tx, id, { ...user, username: null })
  return id
}

// ---------------------------------------------------------------- as those who manage them see them

export type UserFields = {
  name: string | null
  email: string | null
  emailVerified: boolean
  username: string | null
  profile: Record<string, unknown>
  attributes: Record<string, unknown>
  adminRole: AdminRole | null
  locale: string | null
  disabledAt: Date | null
}

export type UserRecord = UserFields & {
  id: string
  createdAt: Date
  updatedAt: Date
  version: number
}

type Seen = { id: string; version: number }

function toUserRecord(row: Row): UserRecord {
  const { id, name, email, emailVerified, username, locale, disabledAt } = row
  const { createdAt, updatedAt, version } = row
  return {
    id,
    name,
    email,
    emailVerified,
    username,
    locale,
    disabledAt,
    profile: membersOf(row.profile),
    attributes: membersOf(row.attributes),
    adminRole: row.adminRole === null ? null : oneOf(ADMIN_ROLES, row.adminRole),
    createdAt,
    updatedAt,
    version,
  }
}

/** By ID or user name; no user name looks like an ID. */
export async function findUser(db: Reader, name: string): Promise<UserRecord | null> {
  const where = { OR: [{ id: name }, { usernameKey: foldedKey(name) }] }
  const row = await prisma(db).user.findFirst({ where })
  return row && toUserRecord(row)
}

export type UserFilters = {
  enabled?: boolean | undefined
  adminRole?: AdminRole | undefined
  groupId?: string | undefined
  /** As `q`, but everybody who has the word: for exports, which read all of them. */
  word?: string | undefined
}

const SORTS = {
  id: 'text',
  createdAt: 'date',
  updatedAt: 'date',
  name: 'optional text',
  email: 'optional text',
  username: 'optional text',
} as const

/** What a search for a common word finds is counted in the index of words. */
export async function listUserPage(
  db: Reader,
  filters: UserFilters,
  ask: PageAsk<keyof typeof SORTS>,
): Promise<Page<UserRecord>> {
  const filter = whereOf(filters)
  const isFiltered = Object.keys(filter).length > 0
  const others = async (condition: Condition, most: number) =>
    idsWhere(db, { AND: [filter, condition] }, most)
  const found = await findUsersBy(db, { q: ask.q, others: isFiltered ? others : null })
  return pageOf(
    { ...ask, q: null },
    {
      filter: { AND: [filter, found.where] },
      sorts: SORTS,
      searched: [],
      find: async (asked) => (await prisma(db).user.findMany(asked)).map(toUserRecord),
      count: (asked) => found.count?.(asked.take) ?? prisma(db).user.count(asked),
    },
  )
}

async function idsWhere(db: Reader, where: Prisma.UserWhereInput, take: number): Promise<string[]> {
  const rows = await prisma(db).user.findMany({ where, select: { id: true }, take })
  return rows.map(({ id }) => id)
}

function whereOf({ enabled, adminRole, groupId, word }: UserFilters): Prisma.UserWhereInput {
  return {
    ...withoutUndefined({ adminRole }),
    ...enabledIs(enabled),
    ...(groupId !== undefined && { groups: { some: { groupId } } }),
    ...(word !== undefined && { OR: [{ id: word.trim() }, hasKeyFor(word)] }),
  }
}

/** By what users sign in with: an address or a user name. */
export async function findByIdentifier(db: Reader, identifier: string): Promise<UserRecord | null> {
  const key = foldedKey(identifier)
  if (CONTROL.test(key)) return null
  const where = key.includes('@') ? { emailKey: key } : { usernameKey: key }
  const row = await prisma(db).user.findUnique({ where })
  return row && toUserRecord(row)
}

/** Without a password: the user chooses one after an invitation. */
export async function insertUser(
  tx: Transaction,
  id: string,
  fields: UserFields,
  now: Date,
): Promise<UserRecord> {
  const { profile, attributes } = fields
  const json = { profile: profile as InputJsonObject, attributes: attributes as InputJsonObject }
  const data = { id, ...fields, ...keysOf(fields), ...json, createdAt: now, updatedAt: now }
  const created = toUserRecord(await prisma(tx).user.create({ data }))
  await saveSearchKeys(tx, id, created)
  return created
}

/** The number of changed rows: 0 if somebody else changed it first. */
export async function updateUser(
  tx: Transaction,
  { id, version }: Seen,
  { profile, attributes, ...fields }: Partial<UserFields>,
  now: Date,
): Promise<number> {
  const { count } = await prisma(tx).user.updateMany({
    where: { id, version },
    data: {
      ...fields,
      ...keysOf(fields),
      ...(profile && { profile: profile as InputJsonObject }),
      ...(attributes && { attributes: attributes as InputJsonObject }),
      updatedAt: now,
      version: version + 1,
    },
  })
  if (count === 1 && NAMES.some((name) => fields[name] !== undefined)) await renewSearchKeys(tx, id)
  return count
}

const NAMES = ['name', 'email', 'username'] as const

async function renewSearchKeys(tx: Transaction, id: string): Promise<void> {
  const select = { name: true, email: true, username: true }
  await saveSearchKeys(tx, id, await prisma(tx).user.findUniqueOrThrow({ where: { id }, select }))
}

/** Changes nothing if the user has a name already. */
export async function setFirstUsername(
  tx: Transaction,
  id: string,
  username: string,
  now: Date,
): Promise<void> {
  const { count } = await prisma(tx).user.updateMany({
    where: { id, username: null },
    data: { username, ...keysOf({ username }), updatedAt: now, version: { increment: 1 } },
  })
  if (count === 1) await renewSearchKeys(tx, id)
}

/** The address must be the one that the link was sent to; false if it has changed. */
export async function confirmEmail(
  tx: Transaction,
  { userId, email }: { userId: string; email: string },
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).user.updateMany({
    where: { id: userId, emailKey: foldedKey(email), disabledAt: null },
    data: { emailVerified: true, updatedAt: now, version: { increment: 1 } },
  })
  return count === 1
}

/**
 * Verified by the link that was sent there; false if the account is disabled or about to be
 * deleted.
 */
export async function changeEmail(
  tx: Transaction,
  { userId, email }: { userId: string; email: string },
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).user.updateMany({
    where: { id: userId, disabledAt: null, deleteAfter: null },
    data: {
      email,
      emailKey: foldedKey(email),
      emailVerified: true,
      updatedAt: now,
      version: { increment: 1 },
    },
  })
  if (count === 1) await renewSearchKeys(tx, userId)
  return count === 1
}

export async function setPassword(
  tx: Transaction,
  userId: string,
  hash: string,
  now: Date,
): Promise<void> {
  const password = { hash, changedAt: now }
  await prisma(tx).passwordCredential.upsert({
    where: { userId },
    create: { userId, ...password },
    update: password,
  })
}

/** Also deletes everything that depends on the user; audit entries stay. */
export async function removeUser(tx: Transaction, { id, version }: Seen): Promise<number> {
  // A review stays with the access that it is about; the words of its reviewer go with them.
  await prisma(tx).accessRequest.updateMany({
    where: { reviewerId: id },
    data: { reviewReason: null },
  })
  const { count } = await prisma(tx).user.deleteMany({ where: { id, version } })
  if (count === 0) return 0
  await removeDecisionsOf(tx, id)
  // What a request gave an application for this user: another user of the same ID must not find it.
  const given = { requestId: { not: null }, condition: conditionForUser(id) }
  await prisma(tx).grant.deleteMany({ where: given })
  return count
}

const OWNERS = { adminRole: 'owner', disabledAt: null, deleteAfter: null } as const

export function countOwners(tx: Transaction): Promise<number> {
  return prisma(tx).user.count({ where: OWNERS })
}

const HAS: Readonly<Record<SignInMethod, (issuers: string[]) => Prisma.UserWhereInput>> = {
  password: () => ({ password: { isNot: null } }),
  mail: () => ({ emailVerified: true }),
  passkey: () => ({ passkeys: { some: {} } }),
  provider: (issuers) => ({ identities: { some: { provider: { in: issuers } } } }),
}

/** Whether there is an owner who can sign in by one of these methods. */
export async function hasOwnerWith(
  db: Reader,
  methods: readonly SignInMethod[],
  issuers: string[],
): Promise<boolean> {
  const where = { ...OWNERS, OR: methods.map((method) => HAS[method](issuers)) }
  return (await prisma(db).user.findFirst({ where, select: { id: true } })) !== null
}

/** The IDs of all owners. */
export async function listOwners(tx: Reader): Promise<string[]> {
  const owners = await prisma(tx).user.findMany({ where: OWNERS, select: { id: true } })
  return owners.map(({ id }) => id)
}

type Names = Pick<UserRecord, 'id' | 'email' | 'username'>

/** IDs, addresses and user names that are in use; `claim` reserves new ones once. */
export async function takenNames(
  db: Reader,
  wanted: readonly Names[],
): Promise<{ claim(names: Names): boolean }> {
  const taken = new Set<string>()
  for (let at = 0; at < wanted.length; at += NAMES_AT_A_TIME) {
    const some = wanted.slice(at, at + NAMES_AT_A_TIME)
    const keys = some.map(keysOf)
    const rows = await prisma(db).user.findMany({
      where: {
        OR: [
          { id: { in: some.map(({ id }) => id) } },
          { emailKey: { in: keys.flatMap(({ emailKey }) => emailKey ?? []) } },
          { usernameKey: { in: keys.flatMap(({ usernameKey }) => usernameKey ?? []) } },
        ],
      },
      select: { id: true, emailKey: true, usernameKey: true },
    })
    for (const row of rows) for (const key of Object.values(row)) if (key !== null) taken.add(key)
  }
  return {
    claim(names) {
      // An address contains an @, which no user name does; no user name begins like an ID.
      const own = [names.id, ...Object.values(keysOf(names))].filter((key) => key !== null)
      if (own.some((key) => taken.has(key))) return false
      for (const key of own) taken.add(key)
      return true
    },
  }
}

const NAMES_AT_A_TIME = 500

function keysOf({ email, username }: Partial<UserFields>) {
  return {
    ...(email !== undefined && { emailKey: email === null ? null : foldedKey(email) }),
    ...(username !== undefined && { usernameKey: username === null ? null : foldedKey(username) }),
  }
}

type UserColumns = Pick<Row, 'id' | 'name' | 'email' | 'adminRole' | 'disabledAt'>

export function toUser(row: UserColumns): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    adminRole: row.adminRole === null ? null : oneOf(ADMIN_ROLES, row.adminRole),
    enabled: row.disabledAt === null,
  }
}

export async function findPasswordHash(db: Reader, userId: string): Promise<string | null> {
  const row = await prisma(db).passwordCredential.findUnique({
    where: { userId },
    select: { hash: true },
  })
  return row?.hash ?? null
}

/**
 * Nobody can disable the user or change the password until this transaction ends. False if that has
 * happened since the password, if there was one, was checked.
 */
export async function lockUserRow(
  tx: Transaction,
  id: string,
  checkedHash?: string,
): Promise<boolean> {
  const { count } = await prisma(tx).user.updateMany({
    where: { id, disabledAt: null },
    data: { version: { increment: 0 } },
  })
  if (count !== 1 || checkedHash === undefined) return count === 1
  const now = await prisma(tx).passwordCredential.findUnique({ where: { userId: id } })
  return now?.hash === checkedHash
}

/** False if another change was first: the checked hash is no longer the stored one. */
export async function replacePassword(
  tx: Transaction,
  userId: string,
  hash: { old: string; new: string },
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).passwordCredential.updateMany({
    where: { userId, hash: hash.old },
    data: { hash: hash.new, changedAt: now },
  })
  return count === 1
}
