import { z } from 'zod'
import { askSchema } from '../oidc/ask'
import type {
  AssertionStore,
  Authorization,
  CodeStore,
  ConsentStore,
  InteractionStore,
  NewRefreshToken,
  NewTokenGrant,
  RefreshTokenStore,
  RevokedTokenStore,
  TokenGrantStore,
} from '../oidc/provider'
import { appendAudit } from './audit'
import type { Database, Transaction } from './database'
import { stringList } from './json'

/** Interactions, consents, codes, grants of tokens and refresh tokens: what one sign-in leaves behind. */

const MOST_FAILURES = 5

const sentences = z.record(z.string(), z.string())
const progressSchema = z.object({ consentedAt: z.number().nullable(), denied: z.boolean() })

export function interactionStore(db: Database): InteractionStore {
  return {
    async save({ id, browserHash, ask, consentedAt, denied, createdAt, expiresAt }) {
      await db.interaction.create({
        data: {
          id,
          browserHash,
          ask,
          clientId: ask.clientId,
          progress: { consentedAt, denied },
          createdAt,
          expiresAt,
        },
      })
    },

    async find(id, now) {
      const row = await db.interaction.findFirst({
        where: { id, completedAt: null, expiresAt: { gt: now } },
      })
      if (!row) return null
      const { consentedAt, denied } = progressSchema.parse(row.progress)
      return {
        id,
        browserHash: row.browserHash,
        ask: askSchema.parse(row.ask),
        consentedAt,
        denied,
      }
    },

    complete: (id, now) => db.$transaction((tx) => completeInteraction(tx, id, now)),
  }
}

export function consentStore(db: Database): ConsentStore {
  return {
    async find(userId, applicationId) {
      const rows = await db.consent.findMany({ where: { userId, applicationId } })
      return new Map(rows.map((row) => [row.scope, row.granted]))
    },

    async describe(scopes) {
      const rows = await db.permissionItem.findMany({
        where: { key: { in: [...scopes] } },
        include: { api: { select: { name: true } } },
      })
      return new Map(
        rows.map((row) => [
          row.key,
          { apiName: row.api.name, sentences: sentences.parse(row.descriptions) },
        ]),
      )
    },
  }
}

export type ConsentAnswer = {
  interactionId: string
  userId: string
  applicationId: string
  granted: readonly string[]
  refused: readonly string[]
  now: Date
}

/** What the person said, and that they said it within this interaction. */
export async function saveConsent(tx: Transaction, answer: ConsentAnswer): Promise<void> {
  const { interactionId, userId, applicationId, now } = answer
  // One statement each, always in the same order: two windows may answer at the same moment.
  for (const scope of [...answer.granted, ...answer.refused].sort()) {
    const granted = answer.granted.includes(scope)
    await tx.$executeRaw`
      INSERT INTO "Consent" ("userId", "applicationId", "scope", "granted", "decidedAt")
      VALUES (${userId}, ${applicationId}, ${scope}, ${granted}, ${now})
      ON CONFLICT ("userId", "applicationId", "scope")
      DO UPDATE SET "granted" = excluded."granted", "decidedAt" = excluded."decidedAt"`
  }
  await tx.interaction.updateMany({
    where: { id: interactionId, completedAt: null },
    data: { progress: { consentedAt: now.getTime(), denied: false } },
  })
}

/** The person pressed Cancel; the application hears it when the browser comes back. */
export async function denyInteraction(tx: Transaction, id: string): Promise<void> {
  await tx.interaction.updateMany({
    where: { id, completedAt: null },
    data: { progress: { consentedAt: null, denied: true } },
  })
}

/** True for the one call that ended it. */
async function completeInteraction(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const { count } = await tx.interaction.updateMany({
    where: { id, completedAt: null, expiresAt: { gt: now } },
    data: { completedAt: now },
  })
  return count === 1
}

export function codeStore(db: Database): CodeStore {
  return {
    save(code, interactionId, event) {
      return db.$transaction(async (tx) => {
        const now = code.createdAt
        if (interactionId && !(await completeInteraction(tx, interactionId, now))) return false
        await tx.authorizationCode.create({ data: { ...code, ...lists(code) } })
        await appendAudit(tx, [{ ...event, at: now }])
        return true
      })
    },

    async find(codeHash) {
      const row = await db.authorizationCode.findUnique({ where: { codeHash } })
      return row && { ...row, ...readLists(row) }
    },

    async countFailure(codeHash, now) {
      await db.authorizationCode.updateMany({
        where: { codeHash },
        data: { attempts: { increment: 1 } },
      })
      await db.authorizationCode.updateMany({
        where: { codeHash, usedAt: null, attempts: { gte: MOST_FAILURES } },
        data: { usedAt: now },
      })
    },

    exchange(codeHash, now, grant, refresh, event) {
      return db.$transaction(async (tx) => {
        const { count } = await tx.authorizationCode.updateMany({
          where: { codeHash, usedAt: null, expiresAt: { gt: now } },
          data: { usedAt: now, tokenGrantId: grant.id },
        })
        if (count !== 1) return false
        await createGrant(tx, grant)
        if (refresh) await createFamily(tx, grant, refresh)
        await appendAudit(tx, [{ ...event, at: now }])
        return true
      })
    },
  }
}

async function createGrant(tx: Transaction, grant: NewTokenGrant): Promise<void> {
  await tx.tokenGrant.create({ data: { ...grant, ...lists(grant) } })
}

async function createFamily(
  tx: Transaction,
  grant: NewTokenGrant,
  { familyExpiresAt, ...refresh }: NewRefreshToken & { familyExpiresAt: Date },
): Promise<void> {
  await tx.refreshFamily.create({
    data: {
      id: refresh.familyId,
      tokenGrantId: grant.id,
      createdAt: refresh.createdAt,
      expiresAt: familyExpiresAt,
    },
  })
  await tx.refreshToken.create({ data: { ...refresh, generation: 1 } })
}

export function tokenGrantStore(db: Database): TokenGrantStore {
  return {
    async find(id, now) {
      const row = await db.tokenGrant.findUnique({ where: { id }, include: { user: true } })
      if (!row) return null
      const { user, revokedAt, ...grant } = row
      const standing = revokedAt === null && grant.expiresAt > now && user.disabledAt === null
      const alive = standing && (grant.offline || (await isSessionOpen(db, grant.sessionId, now)))
      return { ...grant, ...readLists(grant), alive }
    },

    revoke(id, reason, now, event) {
      return db.$transaction(async (tx) => {
        await revokeGrant(tx, id, reason, now)
        await appendAudit(tx, [{ ...event, at: now }])
      })
    },
  }
}

async function isSessionOpen(db: Database, id: string | null, now: Date): Promise<boolean> {
  if (id === null) return false
  return (await db.session.count({ where: { id, endedAt: null, expiresAt: { gt: now } } })) === 1
}

/** Everything that stands on it dies with it. */
export async function revokeGrant(
  tx: Transaction,
  id: string,
  reason: string,
  now: Date,
): Promise<void> {
  await tx.tokenGrant.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: now, revokedReason: reason },
  })
  await tx.refreshFamily.updateMany({
    where: { tokenGrantId: id, revokedAt: null },
    data: { revokedAt: now },
  })
}

export function refreshTokenStore(db: Database): RefreshTokenStore {
  return {
    async find(tokenHash) {
      const row = await db.refreshToken.findUnique({
        where: { tokenHash },
        include: { family: true },
      })
      if (!row) return null
      const { family, ...token } = row
      return {
        ...token,
        familyExpiresAt: family.expiresAt,
        familyRevoked: family.revokedAt !== null,
        tokenGrantId: family.tokenGrantId,
      }
    },

    rotate(old, successor, successorEncrypted, now) {
      return db.$transaction(async (tx) => {
        const { count } = await tx.refreshToken.updateMany({
          where: {
            tokenHash: old.tokenHash,
            usedAt: null,
            expiresAt: { gt: now },
            family: { revokedAt: null, expiresAt: { gt: now } },
          },
          data: { usedAt: now, successorEncrypted },
        })
        if (count !== 1) return false
        await tx.refreshToken.create({ data: { ...successor, generation: old.generation + 1 } })
        return true
      })
    },
  }
}

export function revokedTokenStore(db: Database): RevokedTokenStore {
  return {
    async add(jti, expiresAt) {
      await db.revokedToken.upsert({ where: { jti }, create: { jti, expiresAt }, update: {} })
    },
    async has(jti) {
      return (await db.revokedToken.count({ where: { jti } })) === 1
    },
  }
}

export function assertionStore(db: Database): AssertionStore {
  return {
    async consume(clientId, jti, expiresAt) {
      const inserted = await db.$executeRaw`
        INSERT INTO "UsedAssertion" ("clientId", "jti", "expiresAt")
        VALUES (${clientId}, ${jti}, ${expiresAt}) ON CONFLICT DO NOTHING`
      return inserted === 1
    },
  }
}

type Lists = Pick<Authorization, 'scopes' | 'resources' | 'claims' | 'amr'>

function lists({ scopes, resources, claims, amr }: Lists) {
  return { scopes: [...scopes], resources: [...resources], claims: [...claims], amr: [...amr] }
}

function readLists(row: Record<keyof Lists, unknown>) {
  return {
    scopes: stringList(row.scopes),
    resources: stringList(row.resources),
    claims: stringList(row.claims ?? []),
    amr: stringList(row.amr),
  }
}
