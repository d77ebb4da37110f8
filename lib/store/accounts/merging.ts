import { DbNull } from '@prisma/client/runtime/client'
import { conditionForUser } from '../../access/request-rules'
import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import {
  type Entangled,
  hasOpenEmergency,
  isNamedIn,
  listEntangled,
  listRulesNaming,
  moveRequests,
  type Pair,
  renameApprovers,
  renamed,
} from '../requests/merging'
import { findUser, type UserRecord } from './users'

/** Two accounts of one person become one: what each has, and what the one gets of the other. */

const NAMED = { select: { id: true, name: true } } as const

const HOLDINGS = {
  deleteAfter: true,
  identities: {
    select: { id: true, provider: true, email: true, emailVerified: true },
    orderBy: { id: 'asc' },
  },
  groups: { select: { group: NAMED }, orderBy: { groupId: 'asc' } },
  assignments: {
    select: {
      id: true,
      version: true,
      roleId: true,
      instance: true,
      effect: true,
      condition: true,
      validFrom: true,
      validUntil: true,
      role: { select: { name: true } },
    },
    orderBy: { id: 'asc' },
  },
  grants: { select: { id: true, pattern: true }, orderBy: { id: 'asc' } },
  ownedApis: { select: { api: NAMED }, orderBy: { apiId: 'asc' } },
  consents: {
    select: { application: NAMED },
    distinct: 'applicationId',
    orderBy: { applicationId: 'asc' },
  },
  password: { select: { changedAt: true } },
  passkeys: { select: { id: true, name: true }, orderBy: { id: 'asc' } },
  totps: {
    select: { id: true, name: true },
    where: { confirmedAt: { not: null } },
    orderBy: { id: 'asc' },
  },
} as const

async function holdingsOf(db: Reader, id: string) {
  const row = await prisma(db).user.findUnique({ where: { id }, select: HOLDINGS })
  if (!row) return null
  const applications = await prisma(db).application.findMany({
    where: { ownerId: id },
    ...NAMED,
    orderBy: { id: 'asc' },
  })
  const { groups, ownedApis, consents, ...rest } = row
  return {
    ...rest,
    applications,
    groups: groups.map(({ group }) => group),
    apis: ownedApis.map(({ api }) => api),
    consents: consents.map(({ application }) => application),
  }
}

export type Holdings = NonNullable<Awaited<ReturnType<typeof holdingsOf>>>
export type Account = { user: UserRecord; holds: Holdings }

export type MergeFacts = {
  kept: Account
  gone: Account
  entangled: Entangled
  /** The rules that name the account that goes. */
  rules: { id: string; name: string; version: number }[]
  openEmergency: boolean
}

/** Null if one of them does not exist any more. */
export async function findMergeFacts(
  db: Reader,
  pair: Pair,
  now: Date,
): Promise<MergeFacts | null> {
  const accountOf = async (id: string): Promise<Account | null> => {
    const [user, holds] = [await findUser(db, id), await holdingsOf(db, id)]
    return user && holds && { user, holds }
  }
  const [kept, gone] = [await accountOf(pair.kept), await accountOf(pair.gone)]
  if (!kept || !gone) return null
  const rules = await listRulesNaming(db, pair.gone)
  return {
    kept,
    gone,
    entangled: await listEntangled(db, pair, now),
    rules: rules.map(({ id, name, version }) => ({ id, name, version })),
    openEmergency: await hasOpenEmergency(db, pair, now),
  }
}

// ---------------------------------------------------------------- moving

/** What the account that goes has and the other has not yet. */
export type Moving = {
  identities: readonly { id: string }[]
  groups: readonly { id: string }[]
  assignments: readonly { id: string }[]
  apis: readonly { id: string }[]
  consents: readonly { id: string }[]
}

/** The rest goes with its account. Under the lock that every change of access takes. */
export async function moveHoldings(
  tx: Transaction,
  pair: Pair,
  moving: Moving,
  now: Date,
): Promise<void> {
  const db = prisma(tx)
  const [from, to] = [{ userId: pair.gone }, { userId: pair.kept }]
  const some = (list: readonly { id: string }[]) => ({ in: list.map(({ id }) => id) })
  // Only those of the preview: an identity that was linked since then is a way in nobody looked at.
  await db.identity.updateMany({ where: { ...from, id: some(moving.identities) }, data: to })
  await db.groupMember.updateMany({ where: { ...from, groupId: some(moving.groups) }, data: to })
  await db.apiOwner.updateMany({ where: { ...from, apiId: some(moving.apis) }, data: to })
  await db.consent.updateMany({
    where: { ...from, applicationId: some(moving.consents) },
    data: to,
  })
  await moveInParts(moving.assignments, (ids) =>
    db.assignment.updateMany({
      where: { ...from, id: { in: ids } },
      data: { ...to, updatedAt: now, version: { increment: 1 } },
    }),
  )
  await db.grant.updateMany({ where: from, data: to })
  await db.grant.updateMany({
    where: { requestId: { not: null }, condition: conditionForUser(pair.gone) },
    data: { condition: conditionForUser(pair.kept) },
  })
  await db.application.updateMany({
    where: { ownerId: pair.gone },
    data: { ownerId: pair.kept, version: { increment: 1 } },
  })
  const views = await db.auditView.findMany({ where: to, select: { name: true } })
  const taken = { name: { notIn: views.map(({ name }) => name) } }
  await db.auditView.updateMany({ where: { ...from, ...taken }, data: to })
  await moveRequests(tx, pair)
  await renameApprovers(tx, pair, now)
  await moveReviews(tx, pair)
}

const IN_ONE_STATEMENT = 1_000

async function moveInParts(
  list: readonly { id: string }[],
  move: (ids: string[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < list.length; at += IN_ONE_STATEMENT)
    await move(list.slice(at, at + IN_ONE_STATEMENT).map(({ id }) => id))
}

/** Open reviews; what one account decided about the other is asked again. */
async function moveReviews(tx: Transaction, pair: Pair): Promise<void> {
  const { review, reviewItem } = prisma(tx)
  const { kept, gone } = pair
  const open = { review: { status: 'open' } }
  const about = { ...open, subjectType: 'user', subjectId: gone }
  await reviewItem.updateMany({
    where: { ...about, kind: 'assignment' },
    data: { subjectId: kept, targetVersion: { increment: 1 } },
  })
  await reviewItem.updateMany({ where: about, data: { subjectId: kept } })
  await reviewItem.updateMany({ where: { ...open, managerId: gone }, data: { managerId: kept } })
  await reviewItem.updateMany({ where: { ...open, decidedBy: gone }, data: { decidedBy: kept } })
  const nothing = { decision: null, decidedBy: null, decidedAt: null, decidedUntil: null }
  await reviewItem.updateMany({
    where: { ...open, subjectType: 'user', subjectId: kept, decidedBy: kept },
    data: { ...nothing, decidedTo: DbNull, comment: null },
  })
  await review.updateMany({
    where: { startedBy: `user:${gone}` },
    data: { startedBy: `user:${kept}` },
  })
  const naming = (await review.findMany({ where: { status: 'open' } })).filter(
    ({ reviewers, fallback, over }) => isNamedIn([reviewers, fallback, over], gone),
  )
  for (const { id, reviewers, fallback, over } of naming) {
    const data = { reviewers, fallback, over }
    await review.update({ where: { id }, data: renamed(data, pair) })
  }
}
