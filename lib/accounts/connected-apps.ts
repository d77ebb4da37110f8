import { OPENID_SCOPES } from '../access/decide-scopes'
import type { Op } from '../context/op'
import {
  type ConsentedApplication,
  changeConsents,
  listConsentsOf,
  removeConsents,
} from '../store/consents'
import type { Session } from '../store/sessions'
import { endOfflineAccess, revokeGrantsOf } from '../store/token-grants'
import { type Origin, ownEvent } from './audit-event'

/** What a person lets applications do, scope by scope, and taking it back. */

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
  /** Each a choice of its own, but for the one that is signing in itself. */
  signIn: AppScope[]
  others: AppScope[]
}

export async function listConnectedApps(op: Op, { user }: Session): Promise<ConnectedApp[]> {
  const apps = await op.read((db) => listConsentsOf(db, user.id))
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
      signIn: scopes.filter(({ scope }) => OPENID_SCOPES.has(scope)),
      others: scopes.filter(({ scope }) => !OPENID_SCOPES.has(scope)),
    }
  })
}

/** What the app cannot do without; signing in is taken away by removing the app. */
function isFixed({ requiredScopes, consents }: ConsentedApplication, scope: string): boolean {
  const needed = scope === 'openid' || requiredScopes.includes(scope)
  return needed && consents.some((consent) => consent.scope === scope && consent.granted)
}

/** False when nothing of theirs was changed. What was never answered is not answered here. */
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

/** Signs out of one app: what it was given within this session is dead, the session goes on. */
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

/** The app's answers are forgotten and its tokens are dead; false when there was nothing. */
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
