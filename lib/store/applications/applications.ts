import { DbNull } from '@prisma/client/runtime/client'
import { withoutUndefined } from '../../base/without-undefined'
import {
  ACCESS_TOKEN_TYPES,
  APPLICATION_KINDS,
  type Application,
  ASSERTION_ALGORITHMS,
  ASSERTION_AUDIENCES,
  AUTH_METHODS,
  REGISTRATIONS,
  TOKEN_ALGORITHMS,
  type Weakenable,
  weakeningsOf,
} from '../../oidc/client'
import { originsOf } from '../../oidc/redirect-uri'
import type { Reader, Transaction } from '../database/connection'
import { type InputJsonObject, type Prisma, prisma, type Queries } from '../database/database'
import {
  claimMappingsIn,
  keySetOrNull,
  oneOf,
  oneOfOrNull,
  stringList,
  stringListOrNull,
} from '../database/json'
import { type Page, type PageAsk, pageOf } from '../database/page'
import { enabledIs } from '../database/rows'
import type { Condition } from '../database/search-keys'
import { cancelWaiting, hastenWaiting } from '../delivery/outbox'
import { itemKeysOf } from '../permissions/apis'
import { detachRequests } from '../requests/applications'
import { addSearchKeys, findApplicationsBy, replaceSearchKeys } from './application-search'
import { removeAssumed } from './assumed-consents'
import { pkceColumns, pkceIn } from './pkce'

/** Applications for those who manage them; token requests read lib/store/policy/snapshot.ts. */

type Row = NonNullable<Awaited<ReturnType<Queries['application']['findFirst']>>>

/** The fields that can be changed; ID and `kind` cannot. */
export type ApplicationFields = Omit<Application, 'id' | 'kind' | 'enabled'> & {
  publisher: string | null
  publisherVerified: boolean
  logoUri: string | null
  policyUri: string | null
  tosUri: string | null
  backchannelLogoutUri: string | null
  /** Where its own sign-in starts (OpenID Connect Core §4). */
  initiateLoginUri: string | null
  ownerId: string | null
  disabledAt: Date | null
}

export type ApplicationRecord = ApplicationFields &
  Pick<Application, 'id' | 'kind'> & { createdAt: Date; updatedAt: Date; version: number }

export type ReadVersion = { id: string; version: number }

export function toApplicationRecord(row: Row): ApplicationRecord {
  const { branding, weakened, signedInPkce, signedInNonce, ...record } = row
  const { requirePkce, learnsPkce, derivesOrigins, ...rest } = record
  return {
    ...rest,
    ...pkceIn(requirePkce, learnsPkce),
    kind: oneOf(APPLICATION_KINDS, row.kind),
    redirectUris: stringList(row.redirectUris),
    postLogoutRedirectUris: stringList(row.postLogoutRedirectUris),
    origins: derivesOrigins ? null : stringList(row.origins),
    grantTypes: stringList(row.grantTypes),
    authMethods: stringList(row.authMethods).map((method) => oneOf(AUTH_METHODS, method)),
    jwks: keySetOrNull(row.jwks),
    assertionAudience: oneOf(ASSERTION_AUDIENCES, row.assertionAudience),
    requiredScopes: stringList(row.requiredScopes),
    defaultScopes: stringList(row.defaultScopes),
    preapprovedScopes: stringList(row.preapprovedScopes),
    idTokenAlg: oneOf(TOKEN_ALGORITHMS, row.idTokenAlg),
    userinfoAlg: oneOfOrNull(TOKEN_ALGORITHMS, row.userinfoAlg),
    assertionAlg: oneOfOrNull(ASSERTION_ALGORITHMS, row.assertionAlg),
    accessTokenAlg: oneOf(TOKEN_ALGORITHMS, row.accessTokenAlg),
    claimMappings: claimMappingsIn(row.claimMappings),
    accessTokenType: oneOf(ACCESS_TOKEN_TYPES, row.accessTokenType),
    registration: oneOf(REGISTRATIONS, row.registration),
    scopeLimit: stringListOrNull(row.scopeLimit),
  }
}

/** `ownerId` null: any owner. */
export async function findApplication(
  db: Reader,
  id: string,
  ownerId: string | null,
): Promise<ApplicationRecord | null> {
  const row = await prisma(db).application.findFirst({
    where: { id, ...(ownerId !== null && { ownerId }) },
  })
  return row && toApplicationRecord(row)
}

type ApplicationFilters = {
  kind?: string | undefined
  spaceId?: string | undefined
  ownerId?: string | undefined
  registration?: string | undefined
  enabled?: boolean | undefined
  /** Only the applications of this user, whatever else is asked for; null for all. */
  seenBy: string | null
}

export function listApplicationPage(
  db: Reader,
  { enabled, seenBy, ...exact }: ApplicationFilters,
  ask: PageAsk<'name' | 'createdAt' | 'updatedAt'>,
): Promise<Page<ApplicationRecord>> {
  return applicationPage(db, ask, {
    ...(seenBy !== null && { AND: { ownerId: seenBy } }),
    ...withoutUndefined(exact),
    ...enabledIs(enabled),
  })
}

/** Applications that hold permissions of an API, or all applications. */
export async function listGranteePage(
  db: Reader,
  { apiId, prefix }: { apiId: string; prefix: string },
  ask: PageAsk<'name' | 'createdAt'>,
): Promise<Page<ApplicationRecord>> {
  const patterns = [...(await itemKeysOf(db, apiId)), `${prefix}:*`]
  return applicationPage(db, ask, { grants: { some: { pattern: { in: patterns } } } })
}

/** What a search for a common word finds is counted in the index of words. */
async function applicationPage(
  db: Reader,
  ask: PageAsk<'name' | 'createdAt' | 'updatedAt'>,
  filter: Prisma.ApplicationWhereInput,
): Promise<Page<ApplicationRecord>> {
  const { application } = prisma(db)
  const isFiltered = Object.keys(filter).length > 0
  const others = async (condition: Condition, most: number) =>
    idsWhere(db, { AND: [filter, condition] }, most)
  const found = await findApplicationsBy(db, { q: ask.q, others: isFiltered ? others : null })
  return pageOf(
    { ...ask, q: null },
    {
      filter: { AND: [filter, found.where] },
      sorts: { name: 'text', createdAt: 'date', updatedAt: 'date' },
      searched: [],
      find: async (asked) => (await application.findMany(asked)).map(toApplicationRecord),
      count: (asked) => found.count?.(asked.take) ?? application.count(asked),
    },
  )
}

async function idsWhere(
  db: Reader,
  where: Prisma.ApplicationWhereInput,
  take: number,
): Promise<string[]> {
  const rows = await prisma(db).application.findMany({ where, select: { id: true }, take })
  return rows.map(({ id }) => id)
}

export async function insertApplication(
  tx: Transaction,
  { jwks, scopeLimit, pkce, pkceLearned: _new, ...application }: Omit<ApplicationRecord, 'version'>,
): Promise<ApplicationRecord> {
  const weakened = isWeakened({ pkce, ...application })
  const nullable = { jwks: jsonOrNull(jwks), scopeLimit: listOrNull(scopeLimit) }
  const data = {
    ...columns(application),
    ...pkceColumns(pkce),
    ...originColumns(application),
    ...nullable,
    branding: {},
    weakened,
  }
  const row = await prisma(tx).application.create({ data })
  await saveOrigins(tx, row.id, allowedOrigins(application))
  await addSearchKeys(tx, row)
  return toApplicationRecord(row)
}

type Origins = Pick<ApplicationFields, 'origins' | 'redirectUris'>

/** What the browser origins of an application are now. */
export function allowedOrigins({ origins, redirectUris }: Origins): string[] {
  return origins === null ? originsOf(redirectUris) : [...origins]
}

/** Server processes of earlier releases read the list and know nothing of where it comes from. */
function originColumns(application: Origins) {
  return { origins: allowedOrigins(application), derivesOrigins: application.origins === null }
}

/** The table by which a browser's origin is found. */
export async function saveOrigins(
  tx: Transaction,
  applicationId: string,
  origins: readonly string[],
): Promise<void> {
  await prisma(tx).applicationOrigin.deleteMany({ where: { applicationId } })
  const data = [...new Set(origins)].map((origin) => ({ origin, applicationId }))
  if (data.length > 0) await prisma(tx).applicationOrigin.createMany({ data })
}

/** Whether an enabled application registered it. */
export async function isRegisteredOrigin(db: Reader, origin: string): Promise<boolean> {
  const found = await prisma(db).applicationOrigin.findFirst({
    where: { origin, application: { disabledAt: null } },
    select: { origin: true },
  })
  return found !== null
}

/** The number of changed rows: 0 if somebody else changed it first. */
export async function updateApplication(
  tx: Transaction,
  before: ApplicationRecord,
  {
    jwks,
    scopeLimit,
    pkce = before.pkce,
    pkceLearned: _same,
    ...fields
  }: Partial<ApplicationFields>,
  now: Date,
): Promise<number> {
  const { id, version } = before
  const after = { ...before, ...fields }
  const movesOrigins =
    (fields.origins ?? fields.redirectUris) !== undefined || fields.origins === null
  const { count } = await prisma(tx).application.updateMany({
    where: { id, version },
    data: {
      ...columns(fields),
      // What was learned meanwhile stays learned.
      ...(pkce !== before.pkce && pkceColumns(pkce)),
      ...(movesOrigins && originColumns(after)),
      ...(jwks !== undefined && { jwks: jsonOrNull(jwks) }),
      ...(scopeLimit !== undefined && { scopeLimit: listOrNull(scopeLimit) }),
      weakened: isWeakened({ ...before, ...fields, pkce }),
      updatedAt: now,
      version: version + 1,
    },
  })
  if (count === 1 && movesOrigins) await saveOrigins(tx, id, allowedOrigins(after))
  if (count === 1 && (fields.name ?? fields.publisher) !== undefined)
    await replaceSearchKeys(tx, { ...before, ...fields })
  if (count === 1) await removeAssumed(tx, id, before, { ...before, ...fields })
  const { backchannelLogoutUri: uri } = fields
  if (count === 1 && uri !== undefined && uri !== before.backchannelLogoutUri) {
    await redirectLogouts(tx, id, uri, now)
  }
  return count
}

function isWeakened(application: Weakenable): boolean {
  return weakeningsOf(application).length > 0
}

/** Names of some enabled applications with a setting that makes them less safe. */
export async function weakenedNames(db: Reader, most: number): Promise<string[]> {
  const rows = await prisma(db).application.findMany({
    where: { weakened: true, disabledAt: null },
    orderBy: { id: 'asc' },
    take: most,
    select: { name: true },
  })
  return rows.map(({ name }) => name)
}

/** Logouts that wait go to the new address; without one they are cancelled. */
async function redirectLogouts(
  tx: Transaction,
  targetId: string,
  uri: string | null,
  now: Date,
): Promise<void> {
  const waiting = { kind: 'backchannel_logout', targetId } as const
  if (uri === null) await cancelWaiting(tx, waiting, 'the logout address was removed', now)
  else await hastenWaiting(tx, waiting, now)
}

/**
 * Also deletes its secrets, access keys, grants, codes and tokens, and cancels its logouts. What its
 * users got by asking there stays theirs.
 */
export async function removeApplication(
  tx: Transaction,
  { id, version }: ReadVersion,
  now: Date,
): Promise<number> {
  // Held first: whoever is being given something through it is waited for.
  const seen = { id, version }
  const { count } = await prisma(tx).application.updateMany({ where: seen, data: { version } })
  if (count === 0) return 0
  await detachRequests(tx, id, now)
  await prisma(tx).application.deleteMany({ where: seen })
  const waiting = { kind: 'backchannel_logout', targetId: id } as const
  await cancelWaiting(tx, waiting, 'the application was deleted', now)
  return count
}

/** The applications of a deleted user have no owner. */
export async function applicationIdsOf(db: Reader, ownerId: string): Promise<string[]> {
  const rows = await prisma(db).application.findMany({ where: { ownerId }, select: { id: true } })
  return rows.map(({ id }) => id)
}

/** IDs of applications after `after`, in the order of the database. */
export async function applicationIdsAfter(
  db: Reader,
  after: string,
  most: number,
): Promise<string[]> {
  const rows = await prisma(db).application.findMany({
    where: { id: { gt: after } },
    orderBy: { id: 'asc' },
    take: most,
    select: { id: true },
  })
  return rows.map(({ id }) => id)
}

/** Some of the applications that get something signed with this algorithm. */
export function applicationsSignedWith(
  db: Reader,
  alg: string,
  most: number,
): Promise<{ id: string; name: string }[]> {
  return prisma(db).application.findMany({
    where: { OR: [{ accessTokenAlg: alg }, { idTokenAlg: alg }, { userinfoAlg: alg }] },
    orderBy: { id: 'asc' },
    take: most,
    select: { id: true, name: true },
  })
}

export async function disownApplications(tx: Transaction, ownerId: string): Promise<void> {
  await prisma(tx).application.updateMany({
    where: { ownerId },
    data: { ownerId: null, version: { increment: 1 } },
  })
}

type Lists = 'redirectUris' | 'postLogoutRedirectUris' | 'origins' | 'grantTypes' | 'authMethods'
type MoreLists = 'requiredScopes' | 'defaultScopes' | 'preapprovedScopes'
type Columns<T> = {
  [K in keyof T]: K extends Lists | MoreLists ? string[] : T[K]
}

/** Prisma requires mutable lists. */
function columns<T extends object>(fields: T): Columns<T> {
  return fields as unknown as Columns<T>
}

function jsonOrNull(value: ApplicationFields['jwks']) {
  return value === null ? DbNull : (value as unknown as InputJsonObject)
}

function listOrNull(value: readonly string[] | null) {
  return value === null ? DbNull : [...value]
}
