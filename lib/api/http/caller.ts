import { type AdminRole, roleHolds } from '../../access/authority'
import {
  isPortalScope,
  PORTAL_SCOPE_NAMES,
  type PortalScope,
  portalAudience,
} from '../../access/portal-api'
import { lacksAdminFactor, PROVE_FACTOR } from '../../accounts/admin-factor'
import type { Incoming } from '../../base/http'
import { isSameOriginPost } from '../../base/same-origin'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import type { Actor } from '../../oidc/audit-event'
import { readBearer } from '../../oidc/bearer'
import type { Credential } from '../../oidc/client'
import { isOAuthError } from '../../oidc/errors'
import { isActive, liveGrant } from '../../oidc/live'
import type { WantedSubjects } from '../../oidc/provider'
import { bearerChallenge, wellKnownOf } from '../../oidc/resource-metadata'
import { stillGranted } from '../../oidc/still-granted'
import { type VerifiedClaims, verifyAccessToken } from '../../oidc/verify'
import type { Session } from '../../store/accounts/sessions'
import { Problem } from './problem'

/** Who calls, and what may they do? This file answers it once for every request. */

export type Caller = {
  /** `system`: the operator, who runs a command at the machine. */
  kind: 'client' | 'user' | 'system'
  id: string
  /** The scopes that this call may use: what the caller holds now. */
  scopes: ReadonlySet<PortalScope>
  /** Scopes that the token carries and the caller no longer holds. */
  lost: ReadonlySet<PortalScope>
  /** The admin role of a user. An application has none. */
  adminRole: AdminRole | null
  /** An app manager sees only their own applications. */
  ownOnly: boolean
  /** The client that the token was issued to; null for a session and for the operator. */
  through: Credential | null
  /** The address of the portal that the token is for, if there is a token. */
  audience?: string
  /** The session of a user: on the portal's own pages, or the one that the token comes from. */
  session?: { id: string; through: 'pages' | 'token' }
}

/** The caller of every command that is run at the machine. */
export const OPERATOR: Caller = {
  kind: 'system',
  id: 'operator',
  scopes: new Set(PORTAL_SCOPE_NAMES),
  lost: new Set(),
  adminRole: 'owner',
  ownOnly: false,
  through: null,
}

type CallerRequest = { caller: Pick<Caller, 'kind' | 'id'>; incoming: Incoming }

export function actorOf({ caller, incoming: { ip, requestId } }: CallerRequest): Actor {
  return { actorKind: caller.kind, actorId: caller.id, ip, requestId }
}

/** What to read about the caller: the user, and the client that the user's token was issued to. */
export function wantedOf({ kind, id, through }: Caller): WantedSubjects {
  return { users: kind === 'user' ? [id] : [], clients: through ? [through.clientId] : [] }
}

/** The scopes that an admin role includes. */
export function scopesOf(role: AdminRole | null): ReadonlySet<PortalScope> {
  const held = PORTAL_SCOPE_NAMES.filter((scope) => role !== null && roleHolds(role, scope))
  return new Set(held.filter((scope) => scope !== EVERYBODYS))
}

/** Everybody may ask for access, and each rule says who decides: no admin role gives this. */
const EVERYBODYS: PortalScope = 'permissions:request'

/** The scopes that a user holds. */
export function userScopes(role: AdminRole | null): ReadonlySet<PortalScope> {
  return new Set([...scopesOf(role), EVERYBODYS])
}

export async function identify(op: Op, incoming: Incoming): Promise<Caller> {
  const token = await bearerOf(op, incoming)
  return token === null ? fromSession(op, incoming) : fromToken(op, token)
}

/** For an endpoint that knows no sessions: only a token for its own address. */
export async function identifyByToken(
  op: Op,
  incoming: Incoming,
  audience: string,
): Promise<Caller> {
  const token = await bearerOf(op, incoming, audience)
  if (token === null) throw unauthenticated(op, audience)
  return fromToken(op, token, audience)
}

async function bearerOf(
  op: Op,
  incoming: Incoming,
  audience = portalAudience(op.origin),
): Promise<string | null> {
  try {
    return await readBearer(incoming)
  } catch (error) {
    if (!isOAuthError(error)) throw error
    if (error.word === 'invalid_request') throw new Problem('malformed', error.message)
    throw invalidToken(op, audience)
  }
}

// ---------------------------------------------------------------- by token

async function fromToken(
  op: Op,
  token: string,
  audience = portalAudience(op.origin),
): Promise<Caller> {
  const claims = await verifyAccessToken(op, token)
  if (!claims || ![claims.aud].flat().includes(audience)) throw invalidToken(op, audience)
  if (claims.grant_id !== undefined) return ofUser(op, claims, audience)
  if (!(await isActive(op, claims))) throw invalidToken(op, audience)
  return ofClient(claims, await heldNow(op, claims, audience))
}

type HeldNow = Pick<Caller, 'scopes' | 'lost'> & { through: Credential; audience: string }

/**
 * What is held now counts, not what was held when the token was issued. Introspection decides the
 * same way.
 */
async function heldNow(op: Op, claims: VerifiedClaims, audience: string): Promise<HeldNow> {
  const clientId = String(claims.client_id)
  const through = (await op.snapshot({ clients: [clientId] })).credentials.get(clientId)
  const scopes = new Set((await stillGranted(op, claims)).filter(isPortalScope))
  if (scopes.size === 0 || !through) throw invalidToken(op, audience)
  const lost = [...scopesIn(claims.scope)].filter((scope) => !scopes.has(scope))
  return { scopes, lost: new Set(lost), through, audience }
}

function ofClient({ client_id }: VerifiedClaims, held: HeldNow): Caller {
  return { kind: 'client', id: String(client_id), ...held, adminRole: null, ownOnly: false }
}

/** An application acts for a user: both must be allowed to do it. */
async function ofUser(op: Op, claims: VerifiedClaims, audience: string): Promise<Caller> {
  const grant = await liveGrant(op, claims)
  if (!grant) throw invalidToken(op, audience)
  const held = await heldNow(op, claims, audience)
  const id = String(claims.sub)
  const role = await op.users.adminRoleOf(id)
  await requireFactor(op, role, grant.acr)
  const theirs = userScopes(role)
  const scopes = new Set([...held.scopes].filter((one) => theirs.has(one)))
  const caller = { ...userCaller(id, role), ...held, scopes }
  return grant.sessionId === null
    ? caller
    : { ...caller, session: { id: grant.sessionId, through: 'token' } }
}

/** A user with everything that their admin role includes. */
export function userCaller(id: string, adminRole: AdminRole | null): Caller {
  return {
    kind: 'user',
    id,
    scopes: userScopes(adminRole),
    lost: NOTHING_LOST,
    adminRole,
    ownOnly: adminRole === 'app_manager',
    through: null,
  }
}

const NOTHING_LOST: ReadonlySet<PortalScope> = new Set()

function scopesIn(scope: unknown): Set<PortalScope> {
  return new Set(String(scope).split(' ').filter(isPortalScope))
}

// ---------------------------------------------------------------- by session

const CSRF_HEADER = 'x-gatehouse-request'

/**
 * An admin's browser may call only from the portal's own pages: with the cookie alone, any site
 * could call for them.
 */
async function fromSession(op: Op, incoming: Incoming): Promise<Caller> {
  const session = await op.sessionOf(incoming)
  if (!session) throw unauthenticated(op)
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') requireOwnPage(op, incoming)
  // Whoever is in the account of somebody else uses its pages, and nothing that calls for them.
  if (session.impersonation) throw new Problem('forbidden', errorMessage('impersonated'))
  await requireFactor(op, session.user.adminRole, session.acr)
  return signedInCaller(session)
}

/** A user on the portal's own pages: their admin role decides. */
export function signedInCaller({ id, user }: Pick<Session, 'id' | 'user'>): Caller {
  return { ...userCaller(user.id, user.adminRole), session: { id, through: 'pages' } }
}

async function requireFactor(op: Op, adminRole: AdminRole | null, acr: string): Promise<void> {
  if (!(await lacksAdminFactor(op, { adminRole }, acr))) return
  const here = `prove it at ${op.origin}${PROVE_FACTOR}`
  const first = `set one up at ${op.origin}/account/security`
  const app = 'an application requests one with acr_values=mfa'
  throw new Problem(
    'second_factor_needed',
    `admins need a second factor here: ${here}; ${first}; ${app}`,
  )
}

function requireOwnPage(op: Op, { headers }: Incoming): void {
  const from = { secFetchSite: headers.get('sec-fetch-site'), origin: headers.get('origin') }
  if (headers.get(CSRF_HEADER) !== null && isSameOriginPost(from, op.origin)) return
  throw new Problem('forbidden', errorMessage('own_page_needed'))
}

// ---------------------------------------------------------------- refusals

/** RFC 9728 §5.1: where a client learns how to get a token. */
function challenge(op: Op, audience: string, more: { error?: string; scope?: string }) {
  const resource_metadata = wellKnownOf(audience) ?? undefined
  return { 'WWW-Authenticate': bearerChallenge({ realm: op.issuer, ...more, resource_metadata }) }
}

function unauthenticated(op: Op, audience = portalAudience(op.origin)): Problem {
  const headers = challenge(op, audience, {})
  return new Problem(
    'unauthenticated',
    'send an access token of this portal in the Authorization header',
    { headers },
  )
}

function invalidToken(op: Op, audience = portalAudience(op.origin)): Problem {
  const headers = challenge(op, audience, { error: 'invalid_token' })
  return new Problem(
    'invalid_token',
    'the token is expired or revoked, is for another audience, or its scopes are no longer granted',
    { headers },
  )
}

export function requireScopes(op: Op, caller: Caller, scopes: readonly PortalScope[]): void {
  for (const scope of scopes) requireScope(op, caller, scope)
}

function requireScope(op: Op, caller: Caller, scope: PortalScope): void {
  if (caller.scopes.has(scope)) return
  const audience = caller.audience ?? portalAudience(op.origin)
  if (caller.lost.has(scope)) throw invalidToken(op, audience)
  throw new Problem('forbidden', errorMessage('scope_needed', { scope }), {
    headers: challenge(op, audience, { error: 'insufficient_scope', scope }),
  })
}
