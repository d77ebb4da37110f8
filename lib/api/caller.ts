import { lacksAdminFactor } from '../accounts/admin-factor'
import type { Incoming } from '../http'
import { readBearer } from '../oidc/bearer'
import { isOAuthError } from '../oidc/errors'
import { isActive } from '../oidc/live'
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
  if (!(await isActive(op, claims))) throw invalidToken(op)
  return claims.grant_id === undefined ? ofClient(claims) : ofUser(op, claims)
}

function ofClient({ client_id, scope }: VerifiedClaims): Caller {
  const scopes = scopesIn(scope)
  return { kind: 'client', id: String(client_id), scopes, adminRole: 'admin', ownOnly: false }
}

/** An application acts for a user: both must be allowed. */
async function ofUser(op: Op, { sub, scope }: VerifiedClaims): Promise<Caller> {
  const role = await op.users.adminRoleOf(String(sub))
  await requireFactor(op, { id: String(sub), adminRole: role })
  const theirs = scopesOf(role)
  const scopes = new Set([...scopesIn(scope)].filter((one) => theirs.has(one)))
  return userCaller(String(sub), role, scopes)
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
  await requireFactor(op, session.user)
  return signedInCaller(session)
}

/** Whoever uses the portal's own pages: as much as their admin role allows. */
export function signedInCaller({ user: { id, adminRole } }: Pick<Session, 'user'>): Caller {
  return userCaller(id, adminRole, scopesOf(adminRole))
}

async function requireFactor(op: Op, admin: Admin): Promise<void> {
  if (!(await lacksAdminFactor(op, admin))) return
  const where = `${op.origin}/account/security`
  throw new Problem('second_factor_needed', `admins need one here: set it up at ${where}`)
}

type Admin = { id: string; adminRole: AdminRole | null }

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
