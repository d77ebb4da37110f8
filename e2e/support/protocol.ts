import { compileCondition } from '../../lib/access/condition'
import { type Api, grantSet, type Item, NO_GRANTS, type Policy } from '../../lib/access/policy'
import type { Incoming } from '../../lib/base/http'
import type { AuthorizationRequest } from '../../lib/oidc/authorization-request'
import { type AccessKey, type Application, type Credential, mapFlags } from '../../lib/oidc/client'
import { isOAuthError } from '../../lib/oidc/errors'
import { type Form, parseForm } from '../../lib/oidc/params'
import type { Provider } from '../../lib/oidc/provider'
import { NO_CLAIMS } from '../../lib/oidc/requested-claims'

/** The smallest world in which the pure steps of the protocol can be asked. */

export const NOW = Date.parse('2026-11-15T12:00:00Z')
export const APP = 'app_test'
export const USER = 'usr_test'
export const CALLBACK = 'https://rp.test/cb'

export function application(more: Partial<Application> = {}): Application {
  return {
    id: APP,
    kind: 'web',
    enabled: true,
    authMethods: ['client_secret_basic', 'client_secret_post'],
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    origins: [],
    name: 'Test',
    spaceId: null,
    redirectUris: [CALLBACK],
    postLogoutRedirectUris: [],
    pkce: 'not_required',
    pkceLearned: false,
    ...mapFlags(() => false),
    requiredScopes: [],
    defaultScopes: [],
    preapprovedScopes: [],
    jwks: null,
    jwksUri: null,
    assertionAudience: 'issuer',
    assertionSeconds: 300,
    assertionAlg: null,
    accessTokenType: 'at+jwt',
    claimMappings: [],
    accessTokenAlg: 'ES256',
    idTokenAlg: 'RS256',
    userinfoAlg: null,
    defaultMaxAge: null,
    registration: 'admin',
    scopeLimit: null,
    ...more,
  }
}

export function accessKey(more: Partial<AccessKey> = {}): AccessKey {
  return {
    id: 'ak_test',
    enabled: true,
    scopes: null,
    tokenSeconds: null,
    expiresAt: null,
    ...more,
  }
}

export function credential(
  more: Partial<Application> = {},
  key: AccessKey | null = null,
): Credential {
  return {
    clientId: key?.id ?? APP,
    application: application(more),
    accessKey: key,
    secrets: [{ id: 'sec', hash: hashSecret('right'), expiresAt: null }],
  }
}

/** As long as a real hash, so that digests can be compared. */
function hashSecret(secret: string): string {
  return secret.padEnd(43, '.').slice(0, 43)
}

export function form(fields: Record<string, string> | string): Form {
  return parseForm(typeof fields === 'string' ? fields : new URLSearchParams(fields).toString())
}

export function incoming(headers: Record<string, string> = {}, ip: string | null = null): Incoming {
  return {
    method: 'POST',
    url: '/oidc/token',
    headers: { get: (name) => headers[name] ?? null },
    ip,
    requestId: 'req',
    body: async () => new Uint8Array(),
  }
}

export function askOf(more: Partial<AuthorizationRequest> = {}): AuthorizationRequest {
  return {
    clientId: APP,
    redirectUri: CALLBACK,
    responseMode: 'query',
    state: null,
    scopes: ['openid'],
    resources: [],
    nonce: null,
    challenge: null,
    prompt: [],
    maxAge: null,
    loginHint: null,
    hintedUserId: null,
    uiLocales: null,
    userinfoClaims: [],
    claims: NO_CLAIMS,
    acrValues: [],
    essentialAcr: null,
    device: null,
    askedAt: NOW,
    ...more,
  }
}

export const API: Api = {
  id: 'api_orders',
  spaceId: 'spc',
  audience: 'https://orders.test',
  subpaths: false,
  prefix: 'orders',
  enabled: true,
  tokenSeconds: 600,
  tokenAlg: null,
  tokenType: 'at+jwt' as const,
  owners: [],
  openToAppManagers: false,
  introspectors: [],
  published: null,
}

export function item(scope: string, more: Partial<Item> = {}): Item {
  return { scope, api: API, userBound: false, needsRole: false, sensitive: false, ...more }
}

export type World = {
  /** What the application is granted. */
  granted?: string[]
  /** On what condition. */
  condition?: string
  items?: Item[]
  apis?: Api[]
  credentials?: Credential[]
  /** What the user said about scopes. */
  consents?: Record<string, boolean>
  userEnabled?: boolean
  op?: Partial<Provider>
}

export function policyOf({ granted = [], items, apis = [API], ...more }: World): Policy {
  const { userEnabled = true } = more
  const condition = more.condition === undefined ? null : compileCondition(more.condition)
  const open = { effect: 'allow', condition, validFrom: null, validUntil: null } as const
  const all = items ?? ['orders:read', 'orders:write', 'orders:delete'].map((scope) => item(scope))
  const grants = grantSet(granted.map((pattern) => ({ id: `grn ${pattern}`, pattern, ...open })))
  return {
    items: new Map(all.map((one) => [one.scope, one])),
    apisByAudience: new Map(apis.map((api) => [api.audience, api])),
    roles: new Map(),
    applications: new Map([[APP, { grants, assignments: [] }]]),
    accessKeyGrants: new Map(),
    users: new Map([
      [USER, { grants: NO_GRANTS, assignments: [], enabled: userEnabled, attributes: {} }],
    ]),
  }
}

/** Only what a step asks for: whatever else it reached for would throw. */
export function opOf(world: World = {}): Provider {
  const { credentials = [credential()], consents = {}, op = {} } = world
  const known = new Map(credentials.map((one) => [one.clientId, one]))
  const snapshot = { version: 1, credentials: known, policy: policyOf(world) }
  const made = {
    issuer: 'https://id.test',
    origin: 'https://id.test',
    now: () => new Date(NOW),
    hashSecret,
    accessRequestKey: Buffer.alloc(32),
    newTokenId: () => 'dec_1',
    snapshot: async () => snapshot,
    publishedKeys: async () => [],
    record: () => {},
    noteUse: () => {},
    meter: { scopeRefused: () => {} },
    pkceRules: () => ({ portalRequires: false }),
    learnPkce: async () => {},
    keepsDecisions: () => false,
    strongestFactor: async () => null,
    consents: {
      find: async () => new Map(Object.entries(consents)),
      isPaused: async () => false,
      describe: async () => new Map(),
      face: async () => null,
    },
    revokedTokens: { has: async (jti: string) => jti === 'revoked' },
    limits: {
      secretGuesses: { wait: () => 0, failed: async () => {} },
      signInsBegun: { take: () => 0 },
      refusals: { mayRecord: () => true },
      networkOf: (ip: string) => ip,
    },
    ...op,
  }
  return made as unknown as Provider // a part of it, on purpose
}

/** The error code and the reason of what was thrown, such as `invalid_grant code_used`. */
export async function refusalIn(step: () => unknown): Promise<string> {
  try {
    await step()
    return 'not refused'
  } catch (error) {
    if (isOAuthError(error)) return `${error.word} ${error.refusal.reason}`
    throw error
  }
}

/** The protocol word of what was thrown, or what came back. */
export async function outcomeOf<T>(step: () => T | Promise<T>): Promise<T | string> {
  try {
    return await step()
  } catch (error) {
    if (isOAuthError(error)) return error.word
    throw error
  }
}
