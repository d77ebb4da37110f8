import type { Op } from '../context/op'
import { isStillAdmitted } from '../oidc/still-granted'
import type { Session } from '../store/accounts/sessions'
import { type Launchable, listLaunchable } from '../store/applications/launcher'
import { countOpenRequests } from '../store/requests/access-requests'
import { listConsentsOf } from '../store/tokens/consents'
import { withIssuer } from './connected-apps'

/** What a user finds when they come: their applications, and what they asked for. */

export type Tile = Pick<Launchable, 'id' | 'name' | 'logoUri' | 'logos'> & { href: string }

/**
 * Those that the user agreed to and did not pause, and those of whoever runs the portal that the
 * user may use. Only what says where its sign-in starts can be opened from here.
 */
export async function tilesOf(op: Op, { user }: Session): Promise<Tile[]> {
  const apps = await op.read((db) => listConsentsOf(db, user.id))
  const paused = new Set(apps.filter(({ pausedAt }) => pausedAt).map(({ id }) => id))
  const ids = apps.map(({ id }) => id)
  const found = await op.read((db) => listLaunchable(db, ids))
  const open: Tile[] = []
  for (const { initiateLoginUri, firstParty: _, ...app } of found) {
    if (paused.has(app.id) || !(await mayUse(op, user.id, app.id))) continue
    open.push({ ...app, href: withIssuer(op, initiateLoginUri) })
  }
  return open
}

/** By the required scopes of the application, whatever the user said about other scopes. */
function mayUse(op: Op, userId: string, clientId: string): Promise<boolean> {
  return isStillAdmitted(op, { clientId, userId }, new Map())
}

/** Up to a hundred. */
export function openRequestsOf(op: Op, { user }: Session): Promise<number> {
  return op.read((db) => countOpenRequests(db, user.id))
}
