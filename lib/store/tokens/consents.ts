import { z } from 'zod'
import { isPortalScope, PORTAL_API_NAME, type PortalScope } from '../../access/portal-api'
import { failpoint } from '../../base/failpoint'
import { everywhere } from '../../i18n/compiled/everywhere'
import { locales } from '../../i18n/locales'
import { REGISTRATIONS } from '../../oidc/client'
import type { ApplicationFace, ConsentStore, ItemDescription } from '../../oidc/stores'
import { toBranding } from '../applications/branding'
import type { Reader, Transaction } from '../database/connection'
import { type Database, prisma, sqlOf } from '../database/database'
import { oneOf, stringList } from '../database/json'
import { type Dialect, inEachDialect, rowsAsJson } from '../database/json-rows'
import { jsonIn, type Row, textIn, textOrNull } from '../database/sql'
import { markConsented } from './interactions'

/** The answers of users about each scope of each application. */

const sentences = z.record(z.string(), z.string())

const FIND =
  'SELECT "scope", "granted", "pausedAt" FROM "Consent" WHERE "userId" = ? AND "applicationId" = ?'

const PAUSED = `
  SELECT 1 FROM "Consent"
  WHERE "userId" = ? AND "applicationId" = ? AND "pausedAt" IS NOT NULL LIMIT 1`

/** The answers of user `userId` to application `applicationId` as one column, for `answersIn`. */
export function answersAsJson(dialect: Dialect, userId: string, applicationId: string): string {
  const from = `"Consent" x WHERE x."userId" = ${userId} AND x."applicationId" = ${applicationId}`
  return rowsAsJson(dialect, ['scope', 'granted', 'pausedAt'], from)
}

export function answersIn(column: unknown): ReadonlyMap<string, boolean> {
  const rows = jsonIn(column) as readonly (readonly [string, unknown, unknown])[]
  return toAnswers(rows.map(([scope, granted, pausedAt]) => ({ scope, granted, pausedAt })))
}

/**
 * Granted (true) or refused (false) for each scope. Of an application that is paused nothing is
 * granted; what was refused stays so.
 */
export function toAnswers(rows: readonly Row[]): ReadonlyMap<string, boolean> {
  const inForce = rows.filter(({ pausedAt, granted }) => pausedAt === null || !granted)
  return new Map(inForce.map((row) => [textIn(row.scope), Boolean(row.granted)]))
}

export function consentStore(db: Database): ConsentStore {
  const sql = sqlOf(db)
  return {
    async find(userId, applicationId) {
      return toAnswers(await sql.all(FIND, [userId, applicationId]))
    },

    async isPaused(userId, applicationId) {
      return (await sql.first(PAUSED, [userId, applicationId])) !== undefined
    },

    async face(applicationId) {
      const row = await sql.first(FACE[sql.kind], [applicationId])
      return row ? toFace(row) : null
    },

    async describe(scopes) {
      const rows = await sql.all(DESCRIBED[sql.kind], [JSON.stringify(scopes)])
      const described = rows.map((row): [string, ItemDescription] => [
        textIn(row.key),
        {
          apiName: textIn(row.apiName),
          sentences: sentences.parse(jsonIn(row.descriptions)),
          sensitive: Boolean(row.sensitive),
        },
      ])
      return new Map([...scopes.filter(isPortalScope).map(describeOwn), ...described])
    },
  }
}

const DESCRIBED = inEachDialect(
  ({ ids }) => `
    WITH w AS (${ids}) SELECT i."key", i."descriptions", i."sensitive", a."name" AS "apiName"
    FROM w JOIN "PermissionItem" i ON i."key" = w."id" JOIN "Api" a ON a."id" = i."apiId"`,
)

const FACE = inEachDialect(
  (dialect) => `
    SELECT a."publisher", a."publisherVerified", a."firstParty", a."registration", a."logoUri",
      a."policyUri", a."tosUri", a."branding",
      ${rowsAsJson(dialect, ['id', 'theme'], '"ApplicationLogo" x WHERE x."applicationId" = a."id"')} AS "logos"
    FROM "Application" a WHERE a."id" = ?`,
)

function toFace(row: Row): ApplicationFace {
  const logos = jsonIn(row.logos) as readonly (readonly [id: string, theme: string])[]
  return {
    publisher: textOrNull(row.publisher),
    publisherVerified: Boolean(row.publisherVerified),
    firstParty: Boolean(row.firstParty),
    registration: oneOf(REGISTRATIONS, textIn(row.registration)),
    logoUri: textOrNull(row.logoUri),
    policyUri: textOrNull(row.policyUri),
    tosUri: textOrNull(row.tosUri),
    branding: toBranding({
      branding: jsonIn(row.branding),
      logos: logos.map(([id, theme]) => ({ id, theme })),
    }),
  }
}

function describeOwn(scope: PortalScope): [string, ItemDescription] {
  const sentences = locales.map((locale) => [locale, everywhere[locale].portalScopes[scope]])
  const described = { apiName: PORTAL_API_NAME, sentences: Object.fromEntries(sentences) }
  return [scope, { ...described, sensitive: true }]
}

type ConsentAnswer = {
  interactionId: string
  userId: string
  applicationId: string
  granted: readonly string[]
  refused: readonly string[]
  now: Date
}

/** Stores the user's answers, and that they were given within this interaction. */
export async function saveConsent(tx: Transaction, answer: ConsentAnswer): Promise<void> {
  const { interactionId, userId, applicationId, now } = answer
  // One statement for each scope, always in the same order: two windows may answer at the same
  // moment.
  for (const scope of [...answer.granted, ...answer.refused].sort()) {
    const granted = answer.granted.includes(scope)
    await prisma(tx).$executeRaw`
      INSERT INTO "Consent" ("userId", "applicationId", "scope", "granted", "decidedAt")
      VALUES (${userId}, ${applicationId}, ${scope}, ${granted}, ${now})
      ON CONFLICT ("userId", "applicationId", "scope")
      DO UPDATE SET "granted" = excluded."granted", "decidedAt" = excluded."decidedAt",
        "assumed" = ${false}`
  }
  // Somebody who agrees again does not want it paused.
  await pauseConsents(tx, userId, applicationId, null)
  failpoint('consent:said')
  await markConsented(tx, interactionId, now)
  failpoint('consent:saved')
}

// ---------------------------------------------------------------- as the person themselves sees them

type OwnConsent = { scope: string; granted: boolean; decidedAt: Date }

export type ConsentedApplication = {
  id: string
  name: string
  requiredScopes: string[]
  registration: ApplicationFace['registration']
  firstParty: boolean
  publisherVerified: boolean
  redirectUris: string[]
  initiateLoginUri: string | null
  disabledAt: Date | null
  createdAt: Date
  pausedAt: Date | null
  consents: OwnConsent[]
}

const OWN_FIELDS = {
  name: true,
  requiredScopes: true,
  registration: true,
  firstParty: true,
  publisherVerified: true,
  redirectUris: true,
  initiateLoginUri: true,
  disabledAt: true,
  createdAt: true,
} as const

export async function listConsentsOf(db: Reader, userId: string): Promise<ConsentedApplication[]> {
  const rows = await prisma(db).consent.findMany({
    where: { userId },
    include: { application: { select: OWN_FIELDS } },
    orderBy: [{ applicationId: 'asc' }, { scope: 'asc' }],
  })
  const apps = new Map<string, ConsentedApplication>()
  for (const { applicationId: id, application, scope, granted, decidedAt, pausedAt } of rows) {
    const known = apps.get(id)
    const app = known ?? {
      id,
      ...application,
      pausedAt,
      consents: [],
      requiredScopes: stringList(application.requiredScopes),
      redirectUris: stringList(application.redirectUris),
      registration: oneOf(REGISTRATIONS, application.registration),
    }
    app.consents.push({ scope, granted, decidedAt })
    if (!known) apps.set(id, app)
  }
  return [...apps.values()].sort((a, b) => a.name.localeCompare(b.name))
}

type Answers = { applicationId: string; scopes: readonly string[]; granted: boolean; now: Date }

/** Changes only scopes that were answered before. */
export async function changeConsents(
  tx: Transaction,
  userId: string,
  { applicationId, scopes, granted, now }: Answers,
): Promise<number> {
  const { count } = await prisma(tx).consent.updateMany({
    where: { userId, applicationId, scope: { in: [...scopes] }, granted: !granted },
    data: { granted, decidedAt: now, assumed: false },
  })
  return count
}

/** Pauses an application, or resumes it; the number of answers that this concerns. */
export async function pauseConsents(
  tx: Transaction,
  userId: string,
  applicationId: string,
  pausedAt: Date | null,
): Promise<number> {
  const { count } = await prisma(tx).consent.updateMany({
    where: { userId, applicationId, pausedAt: pausedAt === null ? { not: null } : null },
    data: { pausedAt },
  })
  return count
}

export async function removeConsents(
  tx: Transaction,
  userId: string,
  applicationId: string,
): Promise<number> {
  return (await prisma(tx).consent.deleteMany({ where: { userId, applicationId } })).count
}

/** Of all users, for one application. */
export async function removeEveryConsent(tx: Transaction, applicationId: string): Promise<number> {
  return (await prisma(tx).consent.deleteMany({ where: { applicationId } })).count
}
