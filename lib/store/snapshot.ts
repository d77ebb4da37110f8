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
import { loadApplications, loadModel, loadPolicy, loadUsers } from './policy'
import { type Changes, changesBetween, readPolicyVersion } from './policy-version'
import { allRows, groupBy, millis } from './rows'
import { findSettings, type SettingsRow } from './settings'

const TRIES = 5

/** What admins set is read with what decisions need: as fresh, and no query of its own. */
export type HouseSnapshot = Snapshot & { settings: SettingsRow | null }

/** Reads everything that decisions and client authentication need, as of one policy version. */
export async function loadSnapshot(db: Database, own: OwnApi): Promise<HouseSnapshot> {
  return asOfOneVersion(db, async (version) => {
    const credentials = await loadCredentials(db, null)
    const policy = await loadPolicy(db, own)
    const settings = await findSettings(db)
    return { version, credentials, origins: originsOf(credentials), policy, settings }
  })
}

/** The same snapshot, with what was changed since then read again, and nothing else. */
export async function renewSnapshot(
  db: Database,
  own: OwnApi,
  old: HouseSnapshot,
): Promise<HouseSnapshot> {
  return asOfOneVersion(db, async (version) => {
    const changes = await changesBetween(db, old.version, version)
    return changes ? patched(db, own, old, version, changes) : loadSnapshot(db, own)
  })
}

/**
 * A write between two of the reads shows as another version. Under a steady stream of writes the
 * last try answers: its version is old, so the next check reads again.
 */
async function asOfOneVersion(
  db: Database,
  read: (version: number) => Promise<HouseSnapshot>,
): Promise<HouseSnapshot> {
  for (let tries = 1; ; tries += 1) {
    const version = await readPolicyVersion(db)
    const snapshot = await read(version)
    if (tries === TRIES || (await readPolicyVersion(db)) === version) return snapshot
  }
}

async function patched(
  db: Database,
  own: OwnApi,
  old: HouseSnapshot,
  version: number,
  { users, applications, groups, model, settings: renewed }: Changes,
): Promise<HouseSnapshot> {
  const settings = renewed ? await findSettings(db) : old.settings
  const policy = { ...old.policy, ...(model && (await loadModel(db, own))) }
  const people = new Set([...users, ...(await membersOf(db, groups))])
  if (people.size > 0) {
    policy.users = replaced(policy.users, people, await loadUsers(db, people))
  }
  if (applications.size === 0) return { ...old, version, policy, settings }
  const theirs = await loadApplications(db, applications)
  policy.applications = replaced(policy.applications, applications, theirs.applications)
  const gone = [...old.credentials.values()].filter((one) => applications.has(one.application.id))
  const clientIds = new Set(gone.map(({ clientId }) => clientId))
  policy.accessKeyGrants = replaced(policy.accessKeyGrants, clientIds, theirs.accessKeyGrants)
  const next = await loadCredentials(db, applications)
  const credentials = replaced(old.credentials, clientIds, next)
  return { version, credentials, origins: originsOf(credentials), policy, settings }
}

/** Without the old entries of these keys, and with the new ones. */
function replaced<V>(
  old: ReadonlyMap<string, V>,
  keys: ReadonlySet<string>,
  next: ReadonlyMap<string, V>,
): Map<string, V> {
  const map = new Map(old)
  for (const key of keys) map.delete(key)
  for (const [key, value] of next) map.set(key, value)
  return map
}

async function membersOf(db: Database, groups: ReadonlySet<string>): Promise<string[]> {
  if (groups.size === 0) return []
  const rows = await db.groupMember.findMany({ where: { groupId: { in: [...groups] } } })
  return rows.map(({ userId }) => userId)
}

// ---------------------------------------------------------------- credentials

async function loadCredentials(
  db: Database,
  ids: ReadonlySet<string> | null,
): Promise<Map<string, Credential>> {
  const among = ids ? { in: [...ids] } : undefined
  const rows = await allRows((page) =>
    db.application.findMany({ where: among ? { id: among } : {}, orderBy: { id: 'asc' }, ...page }),
  )
  const ofThem = among ? { applicationId: among } : {}
  const secrets = await allRows((page) =>
    db.applicationSecret.findMany({
      where: { revokedAt: null, ...ofThem },
      orderBy: { id: 'asc' },
      ...page,
    }),
  )
  const keys = await allRows((page) =>
    db.accessKey.findMany({ where: ofThem, orderBy: { id: 'asc' }, ...page }),
  )
  const applications = new Map(
    rows
      .filter(isNobody)
      .flatMap(readable)
      .map((row) => [row.id, row]),
  )
  const secretsOf = groupBy(secrets, (secret) => secret.applicationId)
  const ofApplications = [...applications.values()].map((application) => ({
    clientId: application.id,
    application,
    accessKey: null,
    secrets: (secretsOf.get(application.id) ?? []).map(toSecret),
  }))
  const ofKeys = keys.filter(isNobody).flatMap((row) => {
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

function originsOf(credentials: ReadonlyMap<string, Credential>): Set<string> {
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
