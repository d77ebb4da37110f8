import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { stringList } from '../database/json'
import { type AccessRequest, toRequest, WHOLE } from './access-requests'

/** What the approval of a request gives: grants, and the consent to use them. */

type Same = Pick<AccessRequest, 'userId' | 'applicationId' | 'scope' | 'resourceId' | 'lacks'>

/** Whether earlier requests gave it to each of those who lack it, and it still counts. */
export async function isAlreadyGranted(
  db: Reader,
  { userId, applicationId, scope, resourceId, lacks }: Same,
  now: Date,
): Promise<boolean> {
  const given = await prisma(db).accessRequest.findMany({
    where: {
      userId,
      applicationId,
      scope,
      resourceId,
      status: 'approved',
      approvedUntil: { gt: now },
    },
    select: { id: true },
    take: MAX_GIVEN,
  })
  if (given.length === 0) return false
  const alive = { requestId: { in: given.map(({ id }) => id) }, validUntil: { gt: now } }
  for (const who of lacks) {
    const holder = who === 'user' ? { userId } : { applicationId }
    if ((await prisma(db).grant.count({ where: { ...alive, ...holder }, take: 1 })) === 0)
      return false
  }
  return true
}

const MAX_GIVEN = 100

type Approval = {
  grantId: string
  request: string
  /** Those who approved it; nobody if it was opened in an emergency. */
  approvers: { id: string; name: string }[]
  emergency: boolean
  until: Date | null
}

/** Of these grants, those that an access request gave. */
export async function findApprovals(db: Reader, grantIds: readonly string[]): Promise<Approval[]> {
  const grants = await prisma(db).grant.findMany({
    where: { id: { in: [...grantIds] }, requestId: { not: null } },
    select: { id: true, requestId: true, validUntil: true },
  })
  const ids = grants.flatMap(({ requestId }) => requestId ?? [])
  if (ids.length === 0) return []
  const rows = await prisma(db).accessRequest.findMany({
    where: { id: { in: ids } },
    include: WHOLE,
  })
  const requests = new Map(rows.map((row) => [row.id, toRequest(row)]))
  return grants.flatMap(({ id: grantId, requestId, validUntil: until }) => {
    const given = requests.get(requestId ?? '')
    if (!given) return []
    const approving = given.votes.filter(({ approved }) => approved)
    const approvers = new Map(approving.map(({ approver }) => [approver.id, approver]))
    const { id: request, reviewDeadline } = given
    const emergency = reviewDeadline !== null
    return [{ grantId, request, approvers: [...approvers.values()], emergency, until }]
  })
}

export type ApprovedGrant = {
  id: string
  requestId: string
  pattern: string
  condition: string | null
  validUntil: Date
} & ({ userId: string } | { applicationId: string })

export async function insertApprovedGrants(
  tx: Transaction,
  grants: readonly ApprovedGrant[],
  now: Date,
): Promise<void> {
  const stamps = { effect: 'allow', createdAt: now, updatedAt: now }
  for (const grant of grants) await prisma(tx).grant.create({ data: { ...grant, ...stamps } })
}

/** Counts up to `most`. */
export function countHeld(
  db: Reader,
  holder: { userId: string } | { applicationId: string },
  most: number,
): Promise<number> {
  return prisma(db).grant.count({ where: holder, take: most })
}

/** The permission belongs to another API meanwhile, or to none. */
export async function isGone(
  db: Reader,
  { apiId, scope }: Pick<AccessRequest, 'apiId' | 'scope'>,
): Promise<boolean> {
  return (await prisma(db).permissionItem.count({ where: { key: scope, apiId } })) === 0
}

/**
 * Holds the permission and the application until the end of the transaction: whoever deletes one of
 * them or the API waits, and then finds what was given. False if the permission belongs to another
 * API meanwhile, or if one of them is gone.
 */
export async function holdAsked(
  tx: Transaction,
  { apiId, scope: key, applicationId }: Pick<AccessRequest, 'apiId' | 'scope' | 'applicationId'>,
): Promise<boolean> {
  const { count } = await prisma(tx).permissionItem.updateMany({
    where: { key, apiId },
    data: { key },
  })
  if (count === 0 || applicationId === null) return count === 1
  const held = await prisma(tx)
    .$executeRaw`UPDATE "Application" SET "updatedAt" = "updatedAt" WHERE "id" = ${applicationId}`
  return held === 1
}

type AgreedConsent = {
  userId: string
  applicationId: string
  scope: string
  /** The token grant for which the application asked; null if there was none yet. */
  tokenGrantId: string | null
}

/**
 * The user asks for it in person, which is their consent. The refresh token that it was refused to
 * gets it as soon as it is given. Whatever the user takes back later stays taken back.
 */
export async function consentTo(tx: Transaction, agreed: AgreedConsent, now: Date): Promise<void> {
  const { userId, applicationId, scope, tokenGrantId } = agreed
  const key = { userId, applicationId, scope }
  const whose = { userId, applicationId }
  const paused = await prisma(tx).consent.findFirst({
    where: { ...whose, pausedAt: { not: null } },
    select: { pausedAt: true },
  })
  const had = await prisma(tx).consent.findUnique({ where: { userId_applicationId_scope: key } })
  // What they allowed before stays, however the request ends.
  if (had?.granted !== true) {
    await prisma(tx).consent.upsert({
      where: { userId_applicationId_scope: key },
      create: { ...key, granted: true, decidedAt: now, pausedAt: paused?.pausedAt ?? null },
      update: { granted: true, decidedAt: now },
    })
  }
  if (tokenGrantId === null) return
  const open = { id: tokenGrantId, ...whose, offline: true, revokedAt: null }
  // Held before it is read: of two at once, the second adds to what the first has added.
  const { count } = await prisma(tx).tokenGrant.updateMany({
    where: open,
    data: { revokedAt: null },
  })
  if (count === 0) return
  const { scopes } = await prisma(tx).tokenGrant.findUniqueOrThrow({
    where: { id: tokenGrantId },
    select: { scopes: true },
  })
  const all = stringList(scopes)
  if (all.includes(scope)) return
  await prisma(tx).tokenGrant.update({
    where: { id: tokenGrantId },
    data: { scopes: [...all, scope] },
  })
}
