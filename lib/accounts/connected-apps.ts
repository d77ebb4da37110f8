import { OPENID_SCOPES } from '../access/decide-scopes'
import type { Op } from '../context/op'
import {
  type ConsentedApplication,
  changeConsents,
  listConsentsOf,
  removeConsents,
} from '../store/consents'
import type { Session } from '../store/sessions'
import { endOfflineAccess, lastTokensOf, revokeGrantsOf } from '../store/token-grants'
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
  decidedAt: Date
  /** When it last got a token; null if all its tokens are long gone. */
  lastUsedAt: Date | null
  /** The scopes of signing in itself; all others are separate choices. */
  signIn: AppScope[]
  others: AppScope[]
}

export async function listConnectedApps(op: Op, { user }: Session): Promise<ConnectedApp[]> {
  const apps = await op.read((db) => listConsentsOf(db, user.id))
  const used = await op.read((db) => lastTokensOf(db, user.id))
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
      decidedAt: new Date(Math.max(...app.consents.map(({ decidedAt }) => decidedAt.getTime()))),
      lastUsedAt: used.get(app.id) ?? null,
      signIn: scopes.filter(({ scope }) => OPENID_SCOPES.has(scope)),
      others: scopes.filter(({ scope }) => !OPENID_SCOPES.has(scope)),
    }
  })
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
