import { OPENID_SCOPES } from '../access/decide-scopes'
import type { Op } from '../context/op'
import type { Session } from '../store/accounts/sessions'
import {
  type ConsentedApplication,
  changeConsents,
  listConsentsOf,
  pauseConsents,
  removeConsents,
} from '../store/tokens/consents'
import { listTokenActs, type TokenAct } from '../store/tokens/token-acts'
import { endOfflineAccess, lastTokensOf, revokeGrantsOf } from '../store/tokens/token-grants'
import { type AgentAct, actsOf, type PassedToken, passedOn } from './agent-acts'
import { type Origin, ownEvent } from './audit-event'

/** The scopes that a user consented to for each application, and withdrawing them. */

export type AppScope = {
  scope: string
  apiName: string
  sentences: Record<string, string>
  granted: boolean
  required: boolean
}

export type ConnectedApp = {
  id: string
  name: string
  /** It belongs to whoever runs the portal, so the user may never have been asked. */
  firstParty: boolean
  /** Null for an application that an admin made. */
  agent: Agent | null
  /** Where its sign-in starts; null if it does not say, or could not sign anybody in now. */
  opensAt: string | null
  pausedAt: Date | null
  decidedAt: Date
  /** When it last got a token; null if all its tokens are long gone. */
  lastUsedAt: Date | null
  /** The scopes of signing in itself; all others are separate choices. */
  signIn: AppScope[]
  others: AppScope[]
}

/**
 * A client that no admin made: it registered itself, or a document at another site describes it. In
 * practice these are agents. Who it is rests on what it says, so its host is shown.
 */
export type Agent = {
  by: 'dynamic' | 'metadata_document'
  /** Where its metadata come from, or where it receives users if it registered itself. */
  host: string | null
  verified: boolean
  since: Date
  lastActs: AgentAct[]
  passedTo: PassedToken[]
}

export async function listConnectedApps(op: Op, { user }: Session): Promise<ConnectedApp[]> {
  const apps = await op.read((db) => listConsentsOf(db, user.id))
  const used = await op.read((db) => lastTokensOf(db, user.id))
  const acts = apps.some(isAgent) ? await op.read((db) => listTokenActs(db, user.id)) : []
  const described = await op.consents.describe(
    apps.flatMap(({ consents }) => consents.map(({ scope }) => scope)),
  )
  return apps.map((app) => {
    const scopes = app.consents.map(({ scope, granted }) => ({
      scope,
      granted,
      apiName: described.get(scope)?.apiName ?? '',
      sentences: described.get(scope)?.sentences ?? {},
      required: isFixed(app, scope),
    }))
    return {
      id: app.id,
      name: app.name,
      firstParty: app.firstParty,
      agent: isAgent(app) ? agentOf(app, acts) : null,
      opensAt: opensAt(op, app),
      pausedAt: app.pausedAt,
      decidedAt: new Date(Math.max(...app.consents.map(({ decidedAt }) => decidedAt.getTime()))),
      lastUsedAt: used.get(app.id) ?? null,
      signIn: scopes.filter(({ scope }) => OPENID_SCOPES.has(scope)),
      others: scopes.filter(({ scope }) => !OPENID_SCOPES.has(scope)),
    }
  })
}

/**
 * The application then sends the user here, as from its own page (OpenID Connect Core §4). `iss`
 * says where; who the user is, it learns only by that.
 */
function opensAt(op: Pick<Op, 'issuer'>, app: ConsentedApplication): string | null {
  const { initiateLoginUri, disabledAt, pausedAt } = app
  if (initiateLoginUri === null || disabledAt !== null || pausedAt !== null) return null
  return withIssuer(op, initiateLoginUri)
}

export function withIssuer({ issuer }: Pick<Op, 'issuer'>, initiateLoginUri: string): string {
  const url = new URL(initiateLoginUri)
  url.searchParams.set('iss', issuer)
  return url.href
}

function isAgent({ registration }: ConsentedApplication): boolean {
  return registration !== 'admin'
}

function agentOf(app: ConsentedApplication, acts: readonly TokenAct[]): Agent {
  const by = app.registration === 'dynamic' ? 'dynamic' : 'metadata_document'
  const times = app.consents.map(({ decidedAt }) => decidedAt.getTime())
  return {
    by,
    host: hostOf(by === 'dynamic' ? (app.redirectUris[0] ?? '') : app.id),
    verified: app.publisherVerified,
    since: new Date(Math.min(...times)),
    lastActs: actsOf(acts, app.id),
    passedTo: passedOn(acts, app.id),
  }
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).host || null : null
}

/** Scopes that the application requires. Signing in is withdrawn by removing the application. */
function isFixed({ requiredScopes, consents }: ConsentedApplication, scope: string): boolean {
  const needed = scope === 'openid' || requiredScopes.includes(scope)
  return needed && consents.some((consent) => consent.scope === scope && consent.granted)
}

/** False if nothing was changed. Scopes that the user was never asked about cannot be set here. */
export async function chooseScopes(
  op: Op,
  session: Session,
  { applicationId, ticked }: { applicationId: string; ticked: readonly string[] },
  origin: Origin,
): Promise<boolean> {
  const userId = session.user.id
  const apps = await op.read((db) => listConsentsOf(db, userId))
  const app = apps.find(({ id }) => id === applicationId)
  if (!app) return false
  const choices = app.consents.map(({ scope }) => scope)
  const keeps = (scope: string) => ticked.includes(scope) || isFixed(app, scope)
  const granted = choices.filter(keeps)
  const refused = choices.filter((scope) => !keeps(scope))
  return op.write(async (tx, audit) => {
    const about = { applicationId, now: op.now() }
    const given = await changeConsents(tx, userId, { ...about, scopes: granted, granted: true })
    const taken = await changeConsents(tx, userId, { ...about, scopes: refused, granted: false })
    if (given + taken === 0) return false
    if (refused.includes('offline_access')) await endOfflineAccess(tx, userId, applicationId)
    audit(
      ownEvent('consent.changed', session, origin, { applicationId, detail: { granted, refused } }),
    )
    return true
  })
}

/** Signs out of one application: its tokens from this session are revoked, the session stays. */
export async function leaveApp(
  op: Op,
  session: Session,
  applicationId: string,
  origin: Origin,
): Promise<void> {
  const which = { applicationId, sessionId: session.id }
  await op.write(async (tx, audit) => {
    await revokeGrantsOf(tx, session.user.id, 'app_left', op.now(), which)
    audit(ownEvent('app.left', session, origin, { applicationId }))
  })
}

/**
 * Until it is resumed, its tokens for this user count for nothing and it gets no others: as if the
 * user had never been asked. False if nothing was changed.
 */
export function pauseApp(
  op: Op,
  session: Session,
  applicationId: string,
  origin: Origin,
): Promise<boolean> {
  return setPaused(op, session, applicationId, origin, op.now())
}

export function resumeApp(
  op: Op,
  session: Session,
  applicationId: string,
  origin: Origin,
): Promise<boolean> {
  return setPaused(op, session, applicationId, origin, null)
}

function setPaused(
  op: Op,
  session: Session,
  applicationId: string,
  origin: Origin,
  pausedAt: Date | null,
): Promise<boolean> {
  const event = pausedAt === null ? 'consent.resumed' : 'consent.paused'
  return op.write(async (tx, audit) => {
    const changed = await pauseConsents(tx, session.user.id, applicationId, pausedAt)
    if (changed === 0) return false
    audit(ownEvent(event, session, origin, { applicationId }))
    return true
  })
}

/** Deletes the consent and revokes the tokens of the application; false if there was nothing. */
export async function removeApp(
  op: Op,
  session: Session,
  applicationId: string,
  origin: Origin,
): Promise<boolean> {
  const userId = session.user.id
  return op.write(async (tx, audit) => {
    if ((await removeConsents(tx, userId, applicationId)) === 0) return false
    await revokeGrantsOf(tx, userId, 'app_removed', op.now(), { applicationId })
    audit(ownEvent('consent.removed', session, origin, { applicationId }))
    return true
  })
}
