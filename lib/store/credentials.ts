import { raw } from '@prisma/client/runtime/client'
import {
  type AccessKey,
  APPLICATION_KINDS,
  type Application,
  ASSERTION_AUDIENCES,
  AUTH_METHODS,
  type Credential,
  FLAG_NAMES,
  mapFlags,
  type Secret,
  TOKEN_ALGORITHMS,
} from '../oidc/client'
import type { Reader } from './connection'
import { type Database, prisma } from './database'
import { keySetOrNull, oneOf, stringList, stringListOrNull } from './json'
import { allRows, eachRow, type Ids, millis } from './rows'
import { jsonIn } from './sql'

/** The credentials for token requests: of all applications, or of these. */

export async function loadCredentials(db: Reader, ids: Ids): Promise<Map<string, Credential>> {
  const credentials = new Map<string, Credential & { secrets: Secret[] }>()
  const lists = sharedLists()
  await eachApplication(db, ids, (row) => {
    const application = isNobody(row) && readable(row, lists)
    if (!application) return
    const clientId = application.id
    credentials.set(clientId, { clientId, application, accessKey: null, secrets: [] })
  })
  await eachSecret(db, ids, (row) => {
    credentials.get(row.applicationId)?.secrets.push(toSecret(row))
  })
  const keys = await allRows((page) =>
    prisma(db).accessKey.findMany({
      where: ids ? { applicationId: { in: [...ids] } } : {},
      orderBy: { id: 'asc' },
      ...page,
    }),
  )
  for (const row of keys.filter(isNobody)) {
    const application = credentials.get(row.applicationId)?.application
    if (!application) continue
    const secret = { id: row.id, hash: row.secretHash, expiresAt: null }
    const accessKey = toAccessKey(row)
    credentials.set(row.id, { clientId: row.id, application, accessKey, secrets: [secret] })
  }
  return credentials
}

const PLAIN_COLUMNS = [
  ...FLAG_NAMES,
  'id',
  'kind',
  'name',
  'spaceId',
  'jwks',
  'jwksUri',
  'assertionAudience',
  'accessTokenAlg',
  'idTokenAlg',
  'disabledAt',
] as const
const LIST_COLUMNS = [
  'authMethods',
  'grantTypes',
  'origins',
  'redirectUris',
  'postLogoutRedirectUris',
  'requiredScopes',
  'defaultScopes',
] as const
const SELECTED = raw(
  [
    ...PLAIN_COLUMNS.map((name) => `"${name}"`),
    ...LIST_COLUMNS.map((name) => `CAST("${name}" AS TEXT) AS "${name}"`),
  ].join(', '),
)

async function eachApplication(
  db: Reader,
  ids: Ids,
  use: (row: ApplicationRow) => void,
): Promise<void> {
  await eachRow<ApplicationRow>(
    ids && prisma(db).application.findMany({ where: { id: { in: [...ids] } } }),
    (after, atMost) => prisma(db).$queryRaw`
      SELECT ${SELECTED} FROM "Application" WHERE "id" > ${after} ORDER BY "id" LIMIT ${atMost}`,
    use,
  )
}

async function eachSecret(db: Reader, ids: Ids, use: (row: SecretRow) => void): Promise<void> {
  await eachRow<SecretRow>(
    ids &&
      prisma(db).applicationSecret.findMany({
        where: { revokedAt: null, applicationId: { in: [...ids] } },
        orderBy: { id: 'asc' },
      }),
    (after, atMost) => prisma(db).$queryRaw`
      SELECT "id", "applicationId", "secretHash", "expiresAt" FROM "ApplicationSecret"
      WHERE "revokedAt" IS NULL AND "id" > ${after} ORDER BY "id" LIMIT ${atMost}`,
    use,
  )
}

/**
 * The ID of a client is the `sub` of its tokens, so it must not be that of a user (RFC 9700 §4.15).
 */
function isNobody({ id }: { id: string }): boolean {
  return !id.startsWith('usr_')
}

type Columns<T extends 'application' | 'applicationSecret'> = Awaited<
  ReturnType<Database[T]['findMany']>
>[number]
type ApplicationRow = Pick<
  Columns<'application'>,
  (typeof PLAIN_COLUMNS)[number] | (typeof LIST_COLUMNS)[number]
>
type SecretRow = Pick<
  Columns<'applicationSecret'>,
  'id' | 'applicationId' | 'secretHash' | 'expiresAt'
>
type AccessKeyRow = Awaited<ReturnType<Database['accessKey']['findMany']>>[number]

/**
 * A newer server process may have written values that this one does not know: then this process
 * refuses that application and serves all others.
 */
function readable(row: ApplicationRow, lists: Lists): Application | null {
  try {
    return toApplication(row, lists)
  } catch {
    return null
  }
}

type Lists = (column: unknown) => string[]

/**
 * Equal lists of many applications share one object; as text, as SQLite stores it, or parsed
 * already.
 */
function sharedLists(): Lists {
  const known = new Map<string, string[]>()
  return (column) => {
    const text = typeof column === 'string' ? column : JSON.stringify(column)
    const list = known.get(text) ?? stringList(JSON.parse(text))
    known.set(text, list)
    return list
  }
}

function toApplication(row: ApplicationRow, lists: Lists): Application {
  const authMethods = lists(row.authMethods)
  return {
    ...mapFlags((name) => row[name]),
    id: row.id,
    kind: oneOf(APPLICATION_KINDS, row.kind),
    enabled: row.disabledAt === null,
    authMethods: AUTH_METHODS.filter((method) => authMethods.includes(method)),
    grantTypes: lists(row.grantTypes),
    origins: lists(row.origins),
    name: row.name,
    spaceId: row.spaceId,
    redirectUris: lists(row.redirectUris),
    postLogoutRedirectUris: lists(row.postLogoutRedirectUris),
    requiredScopes: lists(row.requiredScopes),
    defaultScopes: lists(row.defaultScopes),
    jwks: keySetOrNull(jsonIn(row.jwks)),
    jwksUri: row.jwksUri,
    assertionAudience: oneOf(ASSERTION_AUDIENCES, row.assertionAudience),
    accessTokenAlg: oneOf(TOKEN_ALGORITHMS, row.accessTokenAlg),
    idTokenAlg: oneOf(TOKEN_ALGORITHMS, row.idTokenAlg),
  }
}

function toSecret(row: SecretRow): Secret {
  return { id: row.id, hash: row.secretHash, expiresAt: millis(row.expiresAt) }
}

function toAccessKey(row: AccessKeyRow): AccessKey {
  return {
    id: row.id,
    enabled: row.disabledAt === null,
    scopes: stringListOrNull(row.scopes),
    tokenSeconds: row.tokenSeconds,
    expiresAt: millis(row.expiresAt),
  }
}
