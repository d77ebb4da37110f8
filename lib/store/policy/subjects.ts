import { type GrantSet, type Holder, NO_GRANTS, type User } from '../../access/policy'
import type { Entry } from '../../base/byte-cache'
import type { Credential } from '../../oidc/client'
import { APPLICATION_COLUMNS, toCredential } from '../applications/credentials'
import type { DatabaseKind, Reader } from '../database/connection'
import { readPlain } from '../database/database'
import { membersOf } from '../database/json'
import {
  ASSIGNMENT_COLUMNS,
  assignmentsIn,
  ColumnGrants,
  columnAsJson,
  DIALECTS,
  type Dialect,
  grantsAsJson,
  grantsIn,
  rowsAsJson,
} from '../database/json-rows'
import { jsonIn, type Row, textIn } from '../database/sql'

/**
 * What belongs to one user or one client, read by one statement together with the policy version
 * that it belongs to.
 */

/** `asOf`: the policy version at which it was read. */
type Dated = Entry & { readonly asOf: number }

type UserEntry = Dated & { readonly kind: 'user'; readonly user: User | null }

type ClientEntry = Dated & {
  readonly kind: 'client'
  readonly client: {
    applicationId: string
    /** Null if this process cannot read it: see `toCredential`. */
    credential: Credential | null
    /** What its application holds. */
    holder: Holder
    /** The grants of the access key itself. */
    keyGrants: GrantSet
  } | null
}

export type SubjectKind = 'user' | 'client'
export type SubjectEntry = UserEntry | ClientEntry

/** The name of an entry, and of what it depends on. */
export function nameOf(kind: SubjectKind | 'group' | 'application', id: string): string {
  return `${kind} ${id}`
}

/** By ID, in any order; also those that do not exist. */
export async function readSubjects(
  db: Reader,
  database: DatabaseKind,
  kind: SubjectKind,
  ids: readonly string[],
): Promise<Map<string, SubjectEntry>> {
  const text = statements[database][kind]
  const rows = await readPlain(db, database, text, [JSON.stringify(ids)])
  const toEntry = kind === 'user' ? toUserEntry : toClientEntry
  return new Map(rows.map((row) => [textIn(row.id), toEntry(row)]))
}

// ---------------------------------------------------------------- rows

/** Objects take about three times the space of the text that they are read from. */
const BYTES_PER_CHARACTER = 3
const BYTES_PER_ENTRY = 600
/** The snapshot that is kept with it: see `madeOf` in wanted.ts. */
const BYTES_PER_CLIENT = 2_000

function bytesOf(...columns: unknown[]): number {
  const characters = columns.reduce<number>((sum, text) => sum + lengthOf(text), 0)
  return BYTES_PER_ENTRY + BYTES_PER_CHARACTER * characters
}

function lengthOf(column: unknown): number {
  if (column === null || column === undefined) return 0
  return typeof column === 'string' ? column.length : JSON.stringify(column).length
}

const NO_ATTRIBUTES = Object.freeze({})

function toUserEntry(row: Row): UserEntry {
  const asOf = Number(row.asOf)
  const groups = jsonIn(row.groups) as readonly string[]
  const dependsOn = groups.map((id) => nameOf('group', id))
  const bytes = bytesOf(row.assignments, row.ofGroups, row.groups, row.attributes, row.grants)
  if (row.userId === null) return { kind: 'user', asOf, bytes, dependsOn, user: null }
  const attributes = membersOf(jsonIn(row.attributes))
  const user = {
    grants: grantsIn(row.grants),
    assignments: [...assignmentsIn(row.assignments), ...assignmentsIn(row.ofGroups)],
    enabled: row.disabledAt === null && row.deleteAfter === null,
    attributes: Object.keys(attributes).length > 0 ? attributes : NO_ATTRIBUTES,
  }
  return { kind: 'user', asOf, bytes, dependsOn, user }
}

function toClientEntry(row: Row): ClientEntry {
  const asOf = Number(row.asOf)
  // Grants twice: most are written in half the space (see grantList).
  const bytes = BYTES_PER_CLIENT + bytesOf(...Object.values(row), row.grants, row.keyGrants)
  if (row.applicationId === null)
    return { kind: 'client', asOf, bytes, dependsOn: [], client: null }
  const applicationId = textIn(row.applicationId)
  const client = {
    applicationId,
    credential: toCredential(row),
    holder: {
      grants: new ColumnGrants(row.grants),
      assignments: assignmentsIn(row.assignments),
    },
    keyGrants: row.keyId === null ? NO_GRANTS : grantsIn(row.keyGrants),
  }
  const dependsOn = [nameOf('application', applicationId)]
  return { kind: 'client', asOf, bytes, dependsOn, client }
}

// ---------------------------------------------------------------- statements

const VERSION = '(SELECT "version" FROM "PolicyVersion" WHERE "id" = 1) AS "asOf"'

function usersText(dialect: Dialect): string {
  const groups = '"GroupMember" x WHERE x."userId" = w."id"'
  const own = '"Assignment" x WHERE x."userId" = w."id"'
  const ofGroups =
    '"GroupMember" m JOIN "Assignment" x ON x."groupId" = m."groupId" WHERE m."userId" = w."id"'
  const grants = '"Grant" x WHERE x."userId" = w."id"'
  return `
    WITH w AS (${dialect.ids})
    SELECT w."id" AS "id", ${VERSION}, u."id" AS "userId",
      CAST(u."attributes" AS TEXT) AS "attributes", u."disabledAt", u."deleteAfter",
      ${columnAsJson(dialect, 'groupId', groups)} AS "groups",
      ${rowsAsJson(dialect, ASSIGNMENT_COLUMNS, own)} AS "assignments",
      ${rowsAsJson(dialect, ASSIGNMENT_COLUMNS, ofGroups)} AS "ofGroups",
      ${grantsAsJson(dialect, grants)} AS "grants"
    FROM w LEFT JOIN "User" u ON u."id" = w."id"`
}

/** An ID names an access key or an application. */
function clientsText(dialect: Dialect): string {
  const secrets = '"ApplicationSecret" x WHERE x."applicationId" = a."id" AND x."revokedAt" IS NULL'
  const grants = '"Grant" x WHERE x."applicationId" = a."id"'
  const keyGrants = '"Grant" x WHERE x."accessKeyId" = k."id"'
  const held = '"Assignment" x WHERE x."applicationId" = a."id"'
  return `
    WITH w AS (${dialect.ids})
    SELECT w."id" AS "id", ${VERSION}, a."id" AS "applicationId",
      ${APPLICATION_COLUMNS.map((name) => `a."${name}"`).join(', ')},
      k."id" AS "keyId", k."secretHash" AS "keySecretHash", k."scopes" AS "keyScopes",
      k."tokenSeconds" AS "keyTokenSeconds", k."expiresAt" AS "keyExpiresAt",
      k."disabledAt" AS "keyDisabledAt",
      ${rowsAsJson(dialect, ['id', 'secretHash', 'expiresAt'], secrets)} AS "secrets",
      ${grantsAsJson(dialect, grants)} AS "grants",
      ${grantsAsJson(dialect, keyGrants)} AS "keyGrants",
      ${rowsAsJson(dialect, ASSIGNMENT_COLUMNS, held)} AS "assignments"
    FROM w LEFT JOIN "AccessKey" k ON k."id" = w."id"
      LEFT JOIN "Application" a ON a."id" = COALESCE(k."applicationId", w."id")`
}

const statements: Record<DatabaseKind, Record<SubjectKind, string>> = {
  sqlite: { user: usersText(DIALECTS.sqlite), client: clientsText(DIALECTS.sqlite) },
  postgres: { user: usersText(DIALECTS.postgres), client: clientsText(DIALECTS.postgres) },
}
