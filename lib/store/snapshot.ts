import { z } from 'zod'
import { compileStored } from '../access/condition'
import type { Api, Assignment, Grant, Item, Policy, Role, Terms } from '../access/policy'
import {
  type AccessKey,
  type Application,
  AUTH_METHODS,
  type Credential,
  type Secret,
} from '../oidc/client'
import type { Snapshot } from '../oidc/provider'
import type { Database } from './database'
import { oneOf, stringList, stringListOrNull } from './json'
import { readPolicyVersion } from './policy-version'

const TRIES = 5

/** Reads everything that decisions and client authentication need, as of one policy version. */
export async function loadSnapshot(db: Database): Promise<Snapshot> {
  for (let tries = 1; ; tries += 1) {
    const version = await readPolicyVersion(db)
    const credentials = await loadCredentials(db)
    const origins = originsOf(credentials)
    const snapshot = { version, credentials, origins, policy: await loadPolicy(db) }
    // A write between two of the reads shows as another version. Under a steady stream of writes
    // the last try answers: its version is old, so the next check loads again.
    if (tries === TRIES || (await readPolicyVersion(db)) === version) return snapshot
  }
}

// ---------------------------------------------------------------- credentials

const jwksSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })
const APPLICATION_KINDS = ['web', 'spa', 'native', 'machine'] as const
const TOKEN_ALGORITHMS = ['ES256', 'RS256'] as const

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
    jwks: row.jwks === null ? null : jwksSchema.parse(row.jwks),
    assertionAudience: oneOf(['issuer', 'token_endpoint'], row.assertionAudience),
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

// ---------------------------------------------------------------- policy

async function loadPolicy(db: Database): Promise<Policy> {
  const apis = new Map((await db.api.findMany()).map((row) => [row.id, toApi(row)]))
  const items = (await db.permissionItem.findMany()).flatMap((row) => toItem(row, apis))
  const grants = await db.grant.findMany()
  const roles = await loadRoles(db, grants)
  return {
    items: new Map(items.map((item) => [item.scope, item])),
    apisByAudience: new Map([...apis.values()].map((api) => [api.audience, api])),
    applicationGrants: grantsBy(grants, (grant) => grant.applicationId),
    accessKeyGrants: grantsBy(grants, (grant) => grant.accessKeyId),
    userAssignments: await loadUserAssignments(db, roles),
  }
}

type ApiRow = Awaited<ReturnType<Database['api']['findMany']>>[number]
type ItemRow = Awaited<ReturnType<Database['permissionItem']['findMany']>>[number]
type GrantRow = Awaited<ReturnType<Database['grant']['findMany']>>[number]
type AssignmentRow = Awaited<ReturnType<Database['assignment']['findMany']>>[number]
type TermsRow = Pick<GrantRow, 'id' | 'effect' | 'condition' | 'validFrom' | 'validUntil'>

function toApi(row: ApiRow): Api {
  const { id, spaceId, audience, prefix, tokenSeconds } = row
  return { id, spaceId, audience, prefix, tokenSeconds, enabled: row.disabledAt === null }
}

function toItem(row: ItemRow, apis: Map<string, Api>): Item[] {
  const api = apis.get(row.apiId)
  if (!api) return []
  return [{ scope: row.key, api, userBound: row.userBound, needsRole: row.needsRole }]
}

function grantsBy(
  rows: GrantRow[],
  subjectOf: (row: GrantRow) => string | null,
): Map<string, Grant[]> {
  const theirs = rows.filter((row) => subjectOf(row) !== null)
  return mapValues(
    groupBy(theirs, (row) => subjectOf(row) ?? ''),
    (group) => group.map(toGrant),
  )
}

function toGrant(row: GrantRow): Grant {
  return { ...toTerms(row), pattern: row.pattern }
}

function toTerms(row: TermsRow): Terms {
  return {
    id: row.id,
    effect: oneOf(['allow', 'deny'], row.effect),
    condition: row.condition === null ? null : compileStored(row.condition),
    validFrom: millis(row.validFrom),
    validUntil: millis(row.validUntil),
  }
}

async function loadRoles(db: Database, grants: GrantRow[]): Promise<Map<string, Role>> {
  const ofRoles = grantsBy(grants, (grant) => grant.roleId)
  const rows = await db.role.findMany()
  const roles = new Map(
    rows.map(({ id, key }): [string, Role] => [
      id,
      { id, key, parents: [], grants: ofRoles.get(id) ?? [] },
    ]),
  )
  for (const { roleId, parentId } of await db.roleParent.findMany()) {
    const parent = roles.get(parentId)
    if (parent) roles.get(roleId)?.parents.push(parent)
  }
  return roles
}

/** A group's assignments are its members' assignments. */
async function loadUserAssignments(
  db: Database,
  roles: Map<string, Role>,
): Promise<Map<string, Assignment[]>> {
  const rows = await db.assignment.findMany({ where: { applicationId: null } })
  const membersOf = groupBy(await db.groupMember.findMany(), (member) => member.groupId)
  const pairs = rows.flatMap((row) => {
    const assignment = toAssignment(row, roles)
    if (!assignment) return []
    const members = row.groupId === null ? [] : (membersOf.get(row.groupId) ?? [])
    const users = row.userId === null ? members.map((member) => member.userId) : [row.userId]
    return users.map((userId) => ({ userId, assignment }))
  })
  return mapValues(
    groupBy(pairs, (pair) => pair.userId),
    (group) => group.map((pair) => pair.assignment),
  )
}

function toAssignment(row: AssignmentRow, roles: Map<string, Role>): Assignment | null {
  const role = roles.get(row.roleId)
  return role ? { ...toTerms(row), role, instance: row.instance } : null
}

// ---------------------------------------------------------------- small

function millis(date: Date | null): number | null {
  return date === null ? null : date.getTime()
}

function groupBy<T>(rows: T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

function mapValues<T, U>(map: Map<string, T>, change: (value: T) => U): Map<string, U> {
  return new Map([...map].map(([key, value]) => [key, change(value)]))
}
