import { newId } from '../crypto/secrets'
import type { Database, InputJsonObject, Transaction } from './database'
import { oneOf } from './json'

export const ADMIN_ROLES = ['owner', 'admin', 'auditor', 'app_manager'] as const
export type AdminRole = (typeof ADMIN_ROLES)[number]

export type User = {
  id: string
  name: string | null
  email: string | null
  adminRole: AdminRole | null
  enabled: boolean
}

export type NewUser = {
  id?: string
  name: string
  email: string
  emailVerified: boolean
  adminRole: AdminRole | null
  passwordHash: string
  /** Standard OpenID claims beyond name and email. */
  profile?: InputJsonObject
}

const CONTROL = /\p{Cc}/u

type Row = NonNullable<Awaited<ReturnType<Database['user']['findUnique']>>>

export function userStore(db: Database) {
  return {
    /** By address or by user name, in folded form. A user name never has an @, so they cannot meet. */
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

    /** Users are named by id or, where people type them, by user name. */
    async idOf(name: string): Promise<string | null> {
      if (CONTROL.test(name)) return null
      const row = await db.user.findFirst({
        where: { OR: [{ id: name }, { usernameKey: foldedKey(name) }] },
        select: { id: true },
      })
      return row?.id ?? null
    },

    async anyExists(): Promise<boolean> {
      return (await db.user.findFirst({ select: { id: true } })) !== null
    },
  }
}

export type UserStore = ReturnType<typeof userStore>

export async function createUser(tx: Transaction, user: NewUser, now: Date): Promise<string> {
  const id = user.id ?? newId('usr')
  await tx.user.create({
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
      password: { create: { hash: user.passwordHash, changedAt: now } },
    },
  })
  return id
}

/** What "the same address" or "the same name" means: NFKC first, then the case folded. */
export function foldedKey(identifier: string): string {
  return identifier.normalize('NFKC').trim().toLowerCase()
}

export function toUser(row: Row): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    adminRole: row.adminRole === null ? null : oneOf(ADMIN_ROLES, row.adminRole),
    enabled: row.disabledAt === null,
  }
}
