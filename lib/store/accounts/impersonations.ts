import { ADMIN_ROLES } from '../../access/authority'
import {
  IMPERSONATION_KINDS,
  type Impersonation,
  type ImpersonationKind,
} from '../../access/impersonation'
import type { Reader, Transaction } from '../database/connection'
import { type Database, prisma, type Queries } from '../database/database'
import { membersOf, oneOf } from '../database/json'
import type { Session } from './sessions'
import { toUser } from './users'

/**
 * An admin in the account of a user. It is no row of `Session`: a process of an earlier release
 * finds nobody by its secret, and nothing that counts or shows sessions of the user sees it.
 */

export type ImpersonatedSession = Session & { impersonation: Impersonation }

type NewImpersonation = {
  id: string
  secretHash: string
  userId: string
  sessionId: string
  mode: ImpersonationKind
  reason: string
  startedAt: Date
  expiresAt: Date
}

type Times = { idleMs: number; longestMs: number }

const ACTIVE_USER = { disabledAt: null, deleteAfter: null } as const

/** The admin is signed in as long as any session would last under the settings of now. */
function openAt(now: Date, { idleMs, longestMs }: Times) {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const session = {
    endedAt: null,
    expiresAt: { gt: now },
    idleExpiresAt: { gt: now },
    authTime: { gt: ago(longestMs) },
    lastSeenAt: { gt: ago(idleMs) },
    user: ACTIVE_USER,
  }
  return { endedAt: null, expiresAt: { gt: now }, user: ACTIVE_USER, session }
}

const WHO = { id: true, name: true, email: true, adminRole: true, disabledAt: true } as const
const WITH_BOTH = {
  user: { select: { ...WHO, newsReadAt: true, profile: true } },
  session: { select: { id: true, lastSeenAt: true, user: { select: WHO } } },
} as const

export function impersonationStore(db: Database) {
  return {
    /** Null if unknown, or if it has ended with the session of the admin or with either account. */
    async find(secretHash: string, now: Date, times: Times): Promise<ImpersonatedSession | null> {
      const row = await db.impersonation.findFirst({
        where: { secretHash, ...openAt(now, times) },
        include: WITH_BOTH,
      })
      return row && toSession(row)
    },
  }
}

export type ImpersonationStore = ReturnType<typeof impersonationStore>

type Row = NonNullable<Awaited<ReturnType<typeof findRow>>>

function findRow(db: Queries, id: string) {
  return db.impersonation.findFirst({ where: { id }, include: WITH_BOTH })
}

/** The user has proved nothing here, and whoever looks has no admin role. */
function toSession({ id, mode, startedAt, expiresAt, user, session }: Row): ImpersonatedSession {
  const { user: admin, ...through } = session
  return {
    id,
    signedInAt: startedAt,
    authTime: startedAt,
    provenAt: null,
    acr: 'pwd',
    amr: [],
    confirmedAt: null,
    factorAt: null,
    factorsProvenAt: null,
    lastSeenAt: startedAt,
    zoneinfo: zoneIn(user.profile),
    newsReadAt: user.newsReadAt,
    user: { ...toUser(user), adminRole: null },
    impersonation: { ...wireOf({ mode, expiresAt }), admin: toAdmin(admin), through },
  }
}

function zoneIn(profile: unknown): string | null {
  const { zoneinfo } = membersOf(profile)
  return typeof zoneinfo === 'string' ? zoneinfo : null
}

function wireOf({ mode, expiresAt }: Pick<Row, 'mode' | 'expiresAt'>) {
  return { mode: oneOf(IMPERSONATION_KINDS, mode), expiresAt }
}

function toAdmin({ id, name, email, adminRole }: Row['session']['user']): Impersonation['admin'] {
  return { id, name, email, adminRole: adminRole === null ? null : oneOf(ADMIN_ROLES, adminRole) }
}

export async function insertImpersonation(tx: Transaction, row: NewImpersonation): Promise<void> {
  await prisma(tx).impersonation.create({ data: row })
}

/** What has ended: the admin and the user, for the audit log. */
export type EndedImpersonation = { id: string; userId: string; adminId: string }

/** Those that this call ended: one, or all of an admin. */
export async function endImpersonations(
  tx: Transaction,
  which: { id: string } | { adminId: string },
  now: Date,
): Promise<EndedImpersonation[]> {
  const theirs = 'id' in which ? which : { session: { userId: which.adminId } }
  const open = await prisma(tx).impersonation.findMany({
    where: { endedAt: null, ...theirs },
    select: { id: true, userId: true, session: { select: { userId: true } } },
  })
  const ended: EndedImpersonation[] = []
  for (const { id, userId, session } of open) {
    const { count } = await prisma(tx).impersonation.updateMany({
      where: { id, endedAt: null },
      data: { endedAt: now },
    })
    if (count === 1) ended.push({ id, userId, adminId: session.userId })
  }
  return ended
}

/** Whoever signs out everywhere ends these too; that they have ended is recorded as that of others. */
export async function expireImpersonationsOf(
  tx: Transaction,
  userId: string,
  now: Date,
): Promise<void> {
  await prisma(tx).impersonation.updateMany({
    where: { userId, endedAt: null, expiresAt: { gt: now } },
    data: { expiresAt: now },
  })
}

/** IDs of those that time or the end of a session or an account has ended, and nobody recorded. */
export async function listLapsed(db: Reader, now: Date, times: Times): Promise<string[]> {
  const select = { id: true } as const
  const { impersonation } = prisma(db)
  const rows = await impersonation.findMany({ where: { endedAt: null }, select, take: MAX_LISTED })
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const open = await impersonation.findMany({
    where: { id: { in: ids }, ...openAt(now, times) },
    select,
  })
  return ids.filter((id) => !open.some((one) => one.id === id))
}

export type OpenImpersonation = Pick<Impersonation, 'mode' | 'expiresAt' | 'admin'> & {
  id: string
  reason: string
  startedAt: Date
  user: { id: string; name: string | null; email: string | null }
}

const MAX_LISTED = 200

/** Those that are open now, the newest first. */
export async function listImpersonations(
  db: Reader,
  userId: string | undefined,
  now: Date,
  times: Times,
): Promise<OpenImpersonation[]> {
  const rows = await prisma(db).impersonation.findMany({
    where: { ...openAt(now, times), ...(userId !== undefined && { userId }) },
    include: WITH_BOTH,
    orderBy: [{ startedAt: 'desc' }, { id: 'asc' }],
    take: MAX_LISTED,
  })
  return rows.map(({ id, reason, startedAt, user, session, ...row }) => ({
    ...{ id, reason, startedAt, ...wireOf(row), admin: toAdmin(session.user) },
    user: { id: user.id, name: user.name, email: user.email },
  }))
}
