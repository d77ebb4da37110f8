import { lacksAdminFactor, PROVE_FACTOR } from '../accounts/admin-factor'
import type { Incoming } from '../http'
import { readBearer } from '../oidc/bearer'
import { isOAuthError } from '../oidc/errors'
import { isActive, liveGrant } from '../oidc/live'
import { type VerifiedClaims, verifyAccessToken } from '../oidc/verify'
import type { Op } from '../op'
import { isPortalScope, PORTAL_SCOPE_NAMES, type PortalScope, portalAudience } from '../portal-api'
import { isSameOriginPost } from '../same-origin'
import type { Session } from '../store/sessions'
import type { AdminRole } from '../store/users'
import { Problem } from './problem'

/** Who calls, and what may they do? Asked once for every request, here. */

export type Caller = {
  /** `system`: the operator at the machine, through no door of the portal. */
  kind: 'client' | 'user' | 'system'
  id: string
  scopes: ReadonlySet<PortalScope>
  /** Nobody gives what is above it. A client of its own counts as an admin. */
  adminRole: AdminRole | null
  /** An app manager sees the applications that are theirs, and no others. */
  ownOnly: boolean
  /** What a person's call stands on: their session, on our own pages or behind a token. */
  session?: { id: string; through: 'pages' | 'token' }
}

/** What an admin's role comes to, in scopes. */
const ROLE_SCOPES: Record<AdminRole, (scope: PortalScope) => boolean> = {
  owner: () => true,
  admin: () => true,
  // Written mail holds links that open accounts.
  auditor: (scope) => !scope.endsWith(':write') && scope !== 'outbox:read',
  app_manager: (scope) =>
    scope.startsWith('applications:') ||
    ['spaces:read', 'resources:read', 'permissions:read', 'scopes:decide'].includes(scope),
}

export function scopesOf(role: AdminRole | null): ReadonlySet<PortalScope> {
  return new Set(role === null ? [] : PORTAL_SCOPE_NAMES.filter(ROLE_SCOPES[role]))
}

export async function identify(op: Op, incoming: Incoming): Promise<Caller> {
  const token = await bearerOf(op, incoming)
  return token === null ? fromSession(op, incoming) : fromToken(op, token)
}

async function bearerOf(op: Op, incoming: Incoming): Promise<string | null> {
  try {
    return await readBearer(incoming)
  } catch (error) {
    if (!isOAuthError(error)) throw error
    if (error.word === 'invalid_request') throw new Problem('malformed', error.message)
    throw invalidToken(op)
  }
}

// ---------------------------------------------------------------- by token

async function fromToken(op: Op, token: string): Promise<Caller> {
  const claims = await verifyAccessToken(op, token)
  const audience = portalAudience(op.origin)
  if (!claims || ![claims.aud].flat().includes(audience)) throw invalidToken(op)
  if (claims.grant_id !== undefined) return ofUser(op, claims)
  if (!(await isActive(op, claims))) throw invalidToken(op)
  return ofClient(claims)
}

function ofClient({ client_id, scope }: VerifiedClaims): Caller {
  const scopes = scopesIn(scope)
  return { kind: 'client', id: String(client_id), scopes, adminRole: 'admin', ownOnly: false }
}

/** An application acts for a user: both must be allowed. */
async function ofUser(op: Op, claims: VerifiedClaims): Promise<Caller> {
  const grant = await liveGrant(op, claims)
  if (!grant) throw invalidToken(op)
  const id = String(claims.sub)
  const role = await op.users.adminRoleOf(id)
  await requireFactor(op, role, grant.acr)
  const theirs = scopesOf(role)
  const scopes = new Set([...scopesIn(claims.scope)].filter((one) => theirs.has(one)))
  const caller = userCaller(id, role, scopes)
  return grant.sessionId === null
    ? caller
    : { ...caller, session: { id: grant.sessionId, through: 'token' } }
}

function userCaller(
  id: string,
  adminRole: AdminRole | null,
  scopes: ReadonlySet<PortalScope>,
): Caller {
  return { kind: 'user', id, scopes, adminRole, ownOnly: adminRole === 'app_manager' }
}

function scopesIn(scope: unknown): Set<PortalScope> {
  return new Set(String(scope).split(' ').filter(isPortalScope))
}

// ---------------------------------------------------------------- by session

const CSRF_HEADER = 'x-gatehouse-request'

/** An admin's browser, from our own pages only: a cookie alone would let any site call for them. */
async function fromSession(op: Op, incoming: Incoming): Promise<Caller> {
  const session = await op.sessionOf(incoming)
  if (!session) throw unauthenticated(op)
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') requireOwnPage(op, incoming)
  await requireFactor(op, session.user.adminRole, session.acr)
  return signedInCaller(session)
}

/** Whoever uses the portal's own pages: as much as their admin role allows. */
export function signedInCaller({ id, user }: Pick<Session, 'id' | 'user'>): Caller {
  const caller = userCaller(user.id, user.adminRole, scopesOf(user.adminRole))
  return { ...caller, session: { id, through: 'pages' } }
}

async function requireFactor(op: Op, adminRole: AdminRole | null, acr: string): Promise<void> {
  if (!(await lacksAdminFactor(op, { adminRole }, acr))) return
  const here = `prove it at ${op.origin}${PROVE_FACTOR}`
  const first = `set one up at ${op.origin}/account/security`
  const app = 'an application asks for it with acr_values=mfa'
  throw new Problem('second_factor_needed', `admins need one here: ${here}; ${first}; ${app}`)
}

function requireOwnPage(op: Op, { headers }: Incoming): void {
  const from = { secFetchSite: headers.get('sec-fetch-site'), origin: headers.get('origin') }
  if (headers.get(CSRF_HEADER) !== null && isSameOriginPost(from, op.origin)) return
  throw new Problem('forbidden', 'with a session, call from a page of the portal (M15)')
}

// ---------------------------------------------------------------- refusals

function unauthenticated(op: Op): Problem {
  const headers = { 'WWW-Authenticate': `Bearer realm="${op.issuer}"` }
  return new Problem('unauthenticated', 'send an access token of this portal', { headers })
}

function invalidToken(op: Op): Problem {
  const headers = { 'WWW-Authenticate': `Bearer realm="${op.issuer}", error="invalid_token"` }
  return new Problem('invalid_token', 'it is expired, revoked or for another audience', { headers })
}

export function requireScope(op: Op, caller: Caller, scope: PortalScope): void {
  if (caller.scopes.has(scope)) return
  const challenge = `Bearer realm="${op.issuer}", error="insufficient_scope", scope="${scope}"`
  throw new Problem('forbidden', `the scope ${scope} is needed`, {
    headers: { 'WWW-Authenticate': challenge },
  })
}
