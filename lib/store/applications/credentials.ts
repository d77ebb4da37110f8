import {
  ACCESS_TOKEN_TYPES,
  type AccessKey,
  APPLICATION_KINDS,
  type Application,
  ASSERTION_ALGORITHMS,
  ASSERTION_AUDIENCES,
  AUTH_METHODS,
  type Credential,
  FLAG_NAMES,
  mapFlags,
  REGISTRATIONS,
  type Secret,
  TOKEN_ALGORITHMS,
} from '../../oidc/client'
import {
  claimMappingsIn,
  keySetOrNull,
  oneOf,
  oneOfOrNull,
  stringList,
  stringListOrNull,
} from '../database/json'
import { jsonIn, millisIn, millisOrNull, type Row, textIn, textOrNull } from '../database/sql'
import { pkceIn } from './pkce'

/** What a row says about a client: an application, or one of its access keys. */

/** Columns of `Application` that a credential is made from. */
export const APPLICATION_COLUMNS = [
  ...FLAG_NAMES,
  'requirePkce',
  'learnsPkce',
  'kind',
  'name',
  'spaceId',
  'jwks',
  'jwksUri',
  'assertionAudience',
  'assertionSeconds',
  'assertionAlg',
  'accessTokenType',
  'claimMappings',
  'accessTokenAlg',
  'idTokenAlg',
  'userinfoAlg',
  'defaultMaxAge',
  'disabledAt',
  'authMethods',
  'grantTypes',
  'origins',
  'derivesOrigins',
  'redirectUris',
  'postLogoutRedirectUris',
  'requiredScopes',
  'defaultScopes',
  'preapprovedScopes',
  'registration',
  'scopeLimit',
] as const

/**
 * Null if this process cannot read it: a newer server process may have written values that this one
 * does not know. All others are served.
 */
export function toCredential(row: Row): Credential | null {
  const clientId = textIn(row.id)
  if (!isNotUserId(clientId)) return null
  try {
    const application = toApplication(row)
    if (row.keyId === null) {
      return { clientId, application, accessKey: null, secrets: secretsIn(row.secrets) }
    }
    const secret = { id: clientId, hash: textIn(row.keySecretHash), expiresAt: null }
    return { clientId, application, accessKey: toAccessKey(row), secrets: [secret] }
  } catch {
    return null
  }
}

/**
 * The ID of a client is the `sub` of its tokens, so it must not be that of a user (RFC 9700 §4.15).
 */
function isNotUserId(id: string): boolean {
  return !id.startsWith('usr_')
}

function toApplication(row: Row): Application {
  const authMethods = listIn(row.authMethods)
  return {
    id: textIn(row.applicationId),
    kind: oneOf(APPLICATION_KINDS, textIn(row.kind)),
    enabled: row.disabledAt === null,
    authMethods: AUTH_METHODS.filter((method) => authMethods.includes(method)),
    ...pkceIn(Boolean(row.requirePkce), Boolean(row.learnsPkce)),
    grantTypes: listIn(row.grantTypes),
    origins: row.derivesOrigins ? null : listIn(row.origins),
    name: textIn(row.name),
    spaceId: textOrNull(row.spaceId),
    redirectUris: listIn(row.redirectUris),
    postLogoutRedirectUris: listIn(row.postLogoutRedirectUris),
    requiredScopes: listIn(row.requiredScopes),
    defaultScopes: listIn(row.defaultScopes),
    preapprovedScopes: listIn(row.preapprovedScopes),
    jwks: keySetOrNull(jsonIn(row.jwks)),
    jwksUri: textOrNull(row.jwksUri),
    assertionAudience: oneOf(ASSERTION_AUDIENCES, textIn(row.assertionAudience)),
    assertionSeconds: Number(row.assertionSeconds),
    assertionAlg: oneOfOrNull(ASSERTION_ALGORITHMS, row.assertionAlg),
    accessTokenType: oneOf(ACCESS_TOKEN_TYPES, textIn(row.accessTokenType)),
    claimMappings: claimMappingsIn(jsonIn(row.claimMappings)),
    accessTokenAlg: oneOf(TOKEN_ALGORITHMS, textIn(row.accessTokenAlg)),
    idTokenAlg: oneOf(TOKEN_ALGORITHMS, textIn(row.idTokenAlg)),
    userinfoAlg: oneOfOrNull(TOKEN_ALGORITHMS, row.userinfoAlg),
    defaultMaxAge: row.defaultMaxAge === null ? null : Number(row.defaultMaxAge),
    registration: oneOf(REGISTRATIONS, textIn(row.registration)),
    scopeLimit: stringListOrNull(jsonIn(row.scopeLimit)),
    ...mapFlags((name) => Boolean(row[name])),
  }
}

function listIn(column: unknown): string[] {
  return stringList(jsonIn(column))
}

type SecretRow = readonly [id: string, hash: string, expiresAt: unknown]

function secretsIn(column: unknown): Secret[] {
  const rows = jsonIn(column) as readonly SecretRow[]
  return rows.map(([id, hash, expiresAt]) => ({ id, hash, expiresAt: millisOrNull(expiresAt) }))
}

function toAccessKey(row: Row): AccessKey {
  return {
    id: textIn(row.keyId),
    enabled: row.keyDisabledAt === null,
    scopes: stringListOrNull(jsonIn(row.keyScopes)),
    tokenSeconds: row.keyTokenSeconds === null ? null : Number(row.keyTokenSeconds),
    expiresAt: row.keyExpiresAt === null ? null : millisIn(row.keyExpiresAt),
  }
}
