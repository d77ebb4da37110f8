import { SIGNING_ALGORITHMS } from '../../crypto/keys'
import { verifyWhole } from '../audit/chain'
import type { DatabaseKind, Reader } from '../database/connection'
import { prisma } from '../database/database'
import { MAX_FAILURES } from '../tokens/codes'
import { listOrphans } from './orphans'

/**
 * What must hold in every database at any time, also after a kill -9. Each rule selects the rows
 * that break it and returns their IDs. Read only, one statement each if possible, so that it can
 * run beside a running portal.
 */

type Rule = {
  says: string
  broken(db: Reader, now: Date, kind: DatabaseKind): Promise<string[]>
}

const STUCK_MS = 5 * 60 * 1000

/**
 * Attack E8: a code is used exactly when it was exchanged, except if too many wrong guesses used it
 * up.
 */
const codesHaveGrants: Rule = {
  says: 'a used code has its token grant, and an unused code has none',
  broken: (db) =>
    ids(prisma(db).$queryRaw`
      SELECT c."codeHash" AS "id" FROM "AuthorizationCode" c
      LEFT JOIN "TokenGrant" g ON g."id" = c."tokenGrantId"
      WHERE (c."usedAt" IS NULL AND c."tokenGrantId" IS NOT NULL)
        OR (c."tokenGrantId" IS NOT NULL AND g."id" IS NULL)
        OR (c."usedAt" IS NOT NULL AND c."tokenGrantId" IS NULL AND c."attempts" < ${MAX_FAILURES})`),
}

const devicesHaveGrants: Rule = {
  says: 'a used device code was approved and has its token grant, and an unused one has none',
  broken: (db) =>
    ids(prisma(db).$queryRaw`
      SELECT d."id" FROM "DeviceAuthorization" d
      WHERE (d."usedAt" IS NULL) <> (d."tokenGrantId" IS NULL)
        OR (d."usedAt" IS NOT NULL AND d."approvedAt" IS NULL)
        OR (d."approvedAt" IS NOT NULL AND (d."userId" IS NULL OR d."deniedAt" IS NOT NULL))`),
}

const offlineGrantsHaveFamilies: Rule = {
  says: 'a token grant with offline access has its refresh tokens',
  broken: (db) =>
    ids(prisma(db).$queryRaw`
      SELECT g."id" FROM "TokenGrant" g LEFT JOIN "RefreshFamily" f ON f."tokenGrantId" = g."id"
      WHERE g."offline" = true AND f."id" IS NULL`),
}

/** Attack F13. */
const familiesHaveOneHead: Rule = {
  says: 'a refresh family has exactly one unused token',
  broken: (db) =>
    ids(prisma(db).$queryRaw`
      SELECT f."id" FROM "RefreshFamily" f
      LEFT JOIN "RefreshToken" t ON t."familyId" = f."id" AND t."usedAt" IS NULL
      GROUP BY f."id" HAVING COUNT(t."tokenHash") <> 1`),
}

/** A token is used exactly when it has a successor, and the successor can be returned again. */
const familiesArePaths: Rule = {
  says: 'the generations of a refresh family form one chain',
  broken: (db) =>
    ids(prisma(db).$queryRaw`
      SELECT t."familyId" AS "id" FROM "RefreshToken" t
      LEFT JOIN "RefreshToken" n ON n."familyId" = t."familyId" AND n."generation" = t."generation" + 1
      GROUP BY t."familyId"
      HAVING MIN(t."generation") <> 1 OR MAX(t."generation") <> COUNT(*)
        OR SUM(CASE WHEN (t."usedAt" IS NULL) = (n."tokenHash" IS NULL) THEN 0 ELSE 1 END) > 0
        OR SUM(CASE WHEN (t."usedAt" IS NULL) = (t."successorEncrypted" IS NULL) THEN 0 ELSE 1 END) > 0`),
}

/** Counting a repeat and ending its token grant are one transaction. */
const repeatsAreCounted: Rule = {
  says: 'only used refresh tokens were repeated',
  broken: (db) =>
    ids(prisma(db).$queryRaw`
      SELECT t."familyId" AS "id" FROM "RefreshToken" t
      WHERE t."usedAt" IS NULL AND (t."repeats" <> 0 OR t."usedFrom" IS NOT NULL)`),
}

const revokedGrantsAreDead: Rule = {
  says: 'a revoked token grant has no valid refresh family',
  broken: (db) =>
    ids(prisma(db).$queryRaw`
      SELECT f."id" FROM "RefreshFamily" f JOIN "TokenGrant" g ON g."id" = f."tokenGrantId"
      WHERE g."revokedAt" IS NOT NULL AND f."revokedAt" IS NULL`),
}

/** Attack H13: they would be valid again as soon as somebody enables the user. */
const disabledUsersHaveNoGrants: Rule = {
  says: 'users who are disabled or about to be deleted have no valid token grant or code',
  broken: async (db, now) => [
    ...(await ids(prisma(db).$queryRaw`
      SELECT g."id" FROM "TokenGrant" g JOIN "User" u ON u."id" = g."userId"
      WHERE g."revokedAt" IS NULL AND g."expiresAt" > ${now}
        AND (u."disabledAt" IS NOT NULL OR u."deleteAfter" IS NOT NULL)`)),
    ...(await ids(prisma(db).$queryRaw`
      SELECT c."codeHash" AS "id" FROM "AuthorizationCode" c JOIN "User" u ON u."id" = c."userId"
      WHERE c."usedAt" IS NULL AND c."expiresAt" > ${now}
        AND (u."disabledAt" IS NOT NULL OR u."deleteAfter" IS NOT NULL)`)),
    ...(await ids(prisma(db).$queryRaw`
      SELECT d."id" FROM "DeviceAuthorization" d JOIN "User" u ON u."id" = d."userId"
      WHERE d."usedAt" IS NULL AND d."expiresAt" > ${now}
        AND (u."disabledAt" IS NOT NULL OR u."deleteAfter" IS NOT NULL)`)),
  ],
}

const disabledUsersHaveNoSessions: Rule = {
  says: 'disabled users have no open session',
  broken: (db, now) =>
    ids(prisma(db).$queryRaw`
      SELECT s."id" FROM "Session" s JOIN "User" u ON u."id" = s."userId"
      WHERE s."endedAt" IS NULL AND s."expiresAt" > ${now} AND u."disabledAt" IS NOT NULL`),
}

/** Attack N21. */
const auditChainIsWhole: Rule = {
  says: 'the audit log is one chain, and no entry was changed',
  async broken(db) {
    if ((await prisma(db).auditHead.count({ where: { id: 1 } })) !== 1)
      return ['the head is missing']
    const { broken } = await verifyWhole(db)
    return broken ? [`entry ${broken.seq}: ${broken.why}`] : []
  },
}

const outboxMoves: Rule = {
  says: 'nothing in the outbox is stuck',
  async broken(db, now) {
    const late = new Date(now.getTime() - STUCK_MS)
    const rows = await prisma(db).outboxMessage.findMany({
      where: {
        deliveredAt: null,
        failedAt: null,
        nextAttemptAt: { lt: late },
        OR: [{ lockedUntil: null }, { lockedUntil: { lt: late } }],
      },
      select: { id: true },
    })
    return rows.map(({ id }) => id)
  },
}

/** Attack H16: the slot, which makes the key unique, agrees with the state. */
const oneActiveKey: Rule = {
  says: 'each algorithm has exactly one active signing key',
  async broken(db) {
    const keys = await prisma(db).signingKey.findMany({
      select: { id: true, alg: true, state: true, activeSlot: true },
    })
    const unslotted = keys.filter(({ alg, state, activeSlot }) => {
      const slot = { active: alg, staged: `staged ${alg}` }[state] ?? null
      return slot !== activeSlot
    })
    const missing = SIGNING_ALGORITHMS.filter((alg) => {
      const own = keys.filter((key) => key.alg === alg)
      return own.length > 0 && own.filter(({ state }) => state === 'active').length !== 1
    })
    return [...unslotted.map(({ id }) => id), ...missing]
  },
}

const noOrphans: Rule = {
  says: 'every reference points to an existing row',
  broken: (db, _now, kind) => listOrphans(db, kind),
}

const policyIsVersioned: Rule = {
  says: 'the policy has one version, which equals its last recorded change',
  async broken(db) {
    // One statement: between two, somebody could change the policy.
    const rows = await prisma(db).$queryRaw<{ version: number; told: number | null }[]>`
      SELECT "version", (SELECT MAX("version") FROM "PolicyChange") AS "told" FROM "PolicyVersion"`
    const [only] = rows
    if (!only || rows.length > 1) return [`${rows.length} versions`]
    const { version, told } = only
    return told === null || told === version ? [] : [`version ${version}, recorded up to ${told}`]
  },
}

/** A kill -9 between the approval and its grants leaves neither. */
const approvedRequestsHaveGrants: Rule = {
  says: 'an approved access request that has not ended has the grants that it gave',
  broken: (db, now) =>
    ids(prisma(db).$queryRaw`
      SELECT r."id" FROM "AccessRequest" r
      WHERE r."status" = 'approved' AND r."approvedUntil" > ${now} AND (
        (CAST(r."lacks" AS TEXT) LIKE '%"user"%' AND NOT EXISTS (
          SELECT 1 FROM "Grant" g WHERE g."userId" = r."userId" AND g."requestId" = r."id"))
        OR (CAST(r."lacks" AS TEXT) LIKE '%"application"%' AND r."applicationId" IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM "Grant" g
            WHERE g."applicationId" = r."applicationId" AND g."requestId" = r."id")))`),
}

/** What was taken back, denied or withdrawn gives nothing, and what is given can be taken back. */
const givenGrantsAreApproved: Rule = {
  says: 'a grant that an access request gave ends with it, and the request was approved',
  broken: (db, now) =>
    ids(prisma(db).$queryRaw`
      SELECT g."id" FROM "Grant" g LEFT JOIN "AccessRequest" r ON r."id" = g."requestId"
      WHERE g."requestId" IS NOT NULL AND (g."validUntil" IS NULL OR (g."validUntil" > ${now} AND (
        r."id" IS NULL OR r."status" <> 'approved' OR r."approvedUntil" IS NULL
        OR r."approvedUntil" < g."validUntil")))`),
}

const decisionsEndRequests: Rule = {
  says: 'an access request is pending until it is decided, and not after that',
  broken: async (db) => [
    ...(await ids(prisma(db).$queryRaw`
      SELECT r."id" FROM "AccessRequest" r
      WHERE (r."status" = 'pending' AND (r."decidedAt" IS NOT NULL OR r."pendingKey" IS NULL))
        OR (r."status" <> 'pending' AND (r."decidedAt" IS NULL OR r."pendingKey" IS NOT NULL))`)),
    ...(await ids(prisma(db).$queryRaw`
      SELECT r."id" FROM "AccessRequest" r JOIN "AccessVote" v ON v."requestId" = r."id"
      WHERE r."status" = 'pending' AND v."approved" = false`)),
  ],
}

export const RULES: readonly Rule[] = [
  codesHaveGrants,
  devicesHaveGrants,
  offlineGrantsHaveFamilies,
  familiesHaveOneHead,
  familiesArePaths,
  repeatsAreCounted,
  revokedGrantsAreDead,
  disabledUsersHaveNoGrants,
  disabledUsersHaveNoSessions,
  auditChainIsWhole,
  outboxMoves,
  oneActiveKey,
  noOrphans,
  policyIsVersioned,
  approvedRequestsHaveGrants,
  givenGrantsAreApproved,
  decisionsEndRequests,
]

async function ids(asked: Promise<unknown>): Promise<string[]> {
  return ((await asked) as { id: string }[]).map(({ id }) => id)
}
