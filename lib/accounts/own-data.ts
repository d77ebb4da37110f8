import { basisIn, namedBasis } from '../access/basis'
import type { Op } from '../context/op'
import {
  findOwnData,
  listOwnDecisions,
  listOwnEvents,
  listOwnReviews,
} from '../store/accounts/own-data'
import type { Session } from '../store/accounts/sessions'
import { type Origin, ownEvent } from './audit-event'

/** Everything that is stored about a user, for download by the user. */

const ACTIVITY_MS = 90 * 24 * 60 * 60 * 1000

export async function ownData(op: Op, session: Session, origin: Origin): Promise<object> {
  const userId = session.user.id
  const since = new Date(op.now().getTime() - ACTIVITY_MS)
  const found = await op.read((db) => findOwnData(db, userId))
  if (!found) throw new Error('the user of a session does not exist any more')
  const activity = await op.readReplica((db) => listOwnEvents(db, userId, since))
  const decisions = await op.readReplica((db) => listOwnDecisions(db, userId))
  const accessReviews = await op.readReplica((db) => listOwnReviews(db, userId))
  await op.write(async (_tx, audit) => audit(ownEvent('data.downloaded', session, origin)))
  const { avatar, password, totps, passkeys, recoveryCodes, trustedDevices, ...rest } = found
  const { identities, sessions, consents, tokenGrants, groups, assignments, ...profile } = rest
  return {
    portal: op.origin,
    exportedAt: op.now(),
    profile: { ...profile, picture: avatar && `${op.origin}/avatar/${avatar.id}` },
    factors: { password, authenticatorApps: totps, passkeys, recoveryCodes, trustedDevices },
    identities,
    sessions,
    consents,
    connectedApps: tokenGrants,
    groups,
    assignments,
    accessReviews,
    activity,
    decisions: decisions.map(({ basis, ...entry }) => ({
      ...entry,
      ...namedBasis(basisIn(basis)),
    })),
  }
}
