import { storedClaims, toStored } from '../../oidc/requested-claims'
import type { Authorization } from '../../oidc/stores'
import { stringList } from '../database/json'
import { jsonIn, type Row, textIn, textOrNull, timeIn, type Value } from '../database/sql'

/** Converts what a code or a token grant is based on to columns and back. */

export function writeAuthorization(of: Authorization) {
  return {
    applicationId: of.applicationId,
    accessKeyId: of.accessKeyId,
    userId: of.userId,
    scopes: JSON.stringify(of.scopes),
    resources: JSON.stringify(of.resources),
    claims: JSON.stringify(toStored(of.claims)),
    authTime: of.authTime,
    acr: of.acr,
    amr: JSON.stringify(of.amr),
  } satisfies Record<keyof Authorization, Value>
}

const COLUMNS: readonly (keyof Authorization)[] = [
  'applicationId',
  'accessKeyId',
  'userId',
  'scopes',
  'resources',
  'claims',
  'authTime',
  'acr',
  'amr',
]

/** By name: a prepared `SELECT *` fails after a migration has added a column. */
export function authorizationColumns(table: string): string {
  return COLUMNS.map((column) => `${table}."${column}"`).join(', ')
}

export function readAuthorization(row: Row): Authorization {
  return {
    applicationId: textIn(row.applicationId),
    accessKeyId: textOrNull(row.accessKeyId),
    userId: textIn(row.userId),
    scopes: listIn(row.scopes),
    resources: listIn(row.resources),
    claims: storedClaims.parse(jsonIn(row.claims) ?? []),
    authTime: timeIn(row.authTime),
    acr: textIn(row.acr),
    amr: listIn(row.amr),
  }
}

function listIn(value: unknown): string[] {
  return stringList(jsonIn(value) ?? [])
}
