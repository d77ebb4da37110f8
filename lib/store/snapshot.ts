import {
  type AccessKey,
  APPLICATION_KINDS,
  type Application,
  ASSERTION_AUDIENCES,
  AUTH_METHODS,
  type Credential,
  type Secret,
  TOKEN_ALGORITHMS,
} from '../oidc/client'
import type { Snapshot } from '../oidc/provider'
import type { OwnApi } from '../portal-api'
import type { Database } from './database'
import { keySetOrNull, oneOf, stringList, stringListOrNull } from './json'
import { loadPolicy } from './policy'
import { readPolicyVersion } from './policy-version'
import { groupBy, millis } from './rows'

const TRIES = 5

/** Reads everything that decisions and client authentication need, as of one policy version. */
export async function loadSnapshot(db: Database, own: OwnApi): Promise<Snapshot> {
  for (let tries = 1; ; tries += 1) {
    const version = await readPolicyVersion(db)
    const credentials = await loadCredentials(db)
    const origins = originsOf(credentials)
    const snapshot = { version, credentials, origins, policy: await loadPolicy(db, own) }
    // A write between two of the reads shows as another version. Under a steady stream of writes
    // the last try answers: its version is old, so the next check loads again.
    if (tries === TRIES || (await readPolicyVersion(db)) === version) return snapshot
  }
}

// ---------------------------------------------------------------- credentials

async function loadCredentials(db: Database): Promise<Map<string, Credential>> {
  const rows = (await db.application.findMany()).filter(isNobody)
  const secrets = await db.applicationSecret.findMany({ where: { revokedAt: null } })
  const keys = (await db.accessKey.findMany()).filter(isNobody)
  const applications = new Map(rows.flatMap(readable).map((row) => [row.id, row]))
  const secretsOf = groupBy(secrets, (secret) => secret.applicationId)
  const ofApplications = [...applications.values()].map((application) => ({
    clientId: application.id,
    application,
    accessKey: null,
    secrets: (secretsOf.get(application.id) ?? []).map(toSecret),
  }))
  const ofKeys = keys.flatMap((row) => {
    const application = applications.get(row.applicationId)
    if (!application) return []
    const secret = { id: row.id, hash: row.secretHash, expiresAt: null }
    return [{ clientId: row.id, application, accessKey: toAccessKey(row), secrets: [secret] }]
  })
  return new Map([...ofApplications, ...ofKeys].map((entry) => [entry.clientId, entry]))
}

/** A client's id is the `sub` of its tokens, so it must not be a person's (RFC 9700 §4.15). */
function isNobody({ id }: { id: string }): boolean {
  return !id.startsWith('usr_')
}

function originsOf(credentials: Map<string, Credential>): Set<string> {
  const enabled = [...credentials.values()].filter(({ application }) => application.enabled)
  return new Set(enabled.flatMap(({ application }) => application.origins))
}

type ApplicationRow = Awaited<ReturnType<Database['application']['findMany']>>[number]
type SecretRow = Awaited<ReturnType<Database['applicationSecret']['findMany']>>[number]
type AccessKeyRow = Awaited<ReturnType<Database['accessKey']['findMany']>>[number]

/**
 * A newer instance may have written words that this one does not know: then that application cannot
 * be used here, and every other one can.
 */
function readable(row: ApplicationRow): Application[] {
  try {
    return [toApplication(row)]
  } catch {
    return []
  }
}

function toApplication(row: ApplicationRow): Application {
  return {
    id: row.id,
    kind: oneOf(APPLICATION_KINDS, row.kind),
    enabled: row.disabledAt === null,
    authMethods: AUTH_METHODS.filter((method) => stringList(row.authMethods).includes(method)),
    grantTypes: stringList(row.grantTypes),
    origins: stringList(row.origins),
    name: row.name,
    spaceId: row.spaceId,
    redirectUris: stringList(row.redirectUris),
    postLogoutRedirectUris: stringList(row.postLogoutRedirectUris),
    requirePkce: row.requirePkce,
    strictScopes: row.strictScopes,
    requiredScopes: stringList(row.requiredScopes),
    defaultScopes: stringList(row.defaultScopes),
    jwks: keySetOrNull(row.jwks),
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
