import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { membersOf } from '../database/json'
import { lockUserRow } from './sign-in-methods'

/** Identities of users at providers: an issuer and a subject. */

export type IdentityKey = { issuer: string; subject: string }

/** What the provider reported last. */
type IdentityFacts = {
  email: string | null
  emailVerified: boolean
  username: string | null
}

export type Identity = IdentityFacts & {
  id: string
  issuer: string
  createdAt: Date
  lastUsedAt: Date | null
}

export async function findIdentityUser(
  db: Reader,
  { issuer, subject }: IdentityKey,
): Promise<{ userId: string; enabled: boolean } | null> {
  const row = await prisma(db).identity.findUnique({
    where: { provider_subject: { provider: issuer, subject } },
    select: { userId: true, user: { select: { disabledAt: true } } },
  })
  return row && { userId: row.userId, enabled: row.user.disabledAt === null }
}

export async function insertIdentity(
  tx: Transaction,
  { issuer, subject }: IdentityKey,
  {
    id,
    userId,
    now,
    lastUsedAt,
  }: { id: string; userId: string; now: Date; lastUsedAt: Date | null },
  facts: IdentityFacts,
): Promise<void> {
  const key = { provider: issuer, subject }
  await prisma(tx).identity.create({
    data: { id, userId, ...key, ...toColumns(facts), createdAt: now, lastUsedAt },
  })
}

/** True if it belongs to this user, and the user is not disabled. */
export async function touchIdentity(
  tx: Transaction,
  { issuer, subject }: IdentityKey,
  userId: string,
  facts: IdentityFacts,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).identity.updateMany({
    where: { provider: issuer, subject, userId, user: { disabledAt: null } },
    data: { ...toColumns(facts), lastUsedAt: now },
  })
  return count === 1
}

export async function listIdentitiesOf(db: Reader, userId: string): Promise<Identity[]> {
  const rows = await prisma(db).identity.findMany({
    where: { userId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return rows.map(({ id, provider, email, emailVerified, claims, createdAt, lastUsedAt }) => {
    const { username } = membersOf(claims)
    return {
      id,
      issuer: provider,
      email,
      emailVerified,
      createdAt,
      lastUsedAt,
      username: typeof username === 'string' ? username : null,
    }
  })
}

/** False if the user could not sign in without it. */
export async function removeIdentity(
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
  usableIssuers: readonly string[],
): Promise<boolean> {
  await lockUserRow(tx, userId)
  const other = { id: { not: id }, provider: { in: [...usableIssuers] } }
  const { count } = await prisma(tx).identity.deleteMany({
    where: {
      id,
      userId,
      user: {
        OR: [
          { password: { isNot: null } },
          { passkeys: { some: {} } },
          { identities: { some: other } },
        ],
      },
    },
  })
  return count === 1
}

export async function hasIdentity(
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  return (await prisma(tx).identity.count({ where: { id, userId } })) === 1
}

function toColumns({ email, emailVerified, username }: IdentityFacts) {
  return { email, emailVerified, claims: { username } }
}
