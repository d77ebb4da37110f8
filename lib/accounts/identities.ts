import type { Op } from '../context/op'
import { newId } from '../crypto/secrets'
import { orderNotice } from '../delivery/mail/notices'
import { listProviders, type UpstreamProvider } from '../settings/providers'
import {
  findIdentityUser,
  hasIdentity,
  type Identity,
  insertIdentity,
  listIdentitiesOf,
  removeIdentity,
} from '../store/accounts/identities'
import type { Session } from '../store/accounts/sessions'
import { isUniqueViolation } from '../store/database/unique'
import type { UpstreamPerson } from '../upstream/person'
import { type Origin, ownEvent } from './audit-event'
import type { StartedSession } from './new-session'
import { rotateSession } from './rotate-session'

/** A user's identities at providers: connect and disconnect. */

export type LinkedIdentity = Identity & {
  /** Null if the provider was removed, so that nobody can sign in with it. */
  provider: UpstreamProvider | null
}

export async function listIdentities(op: Op, { user }: Session): Promise<LinkedIdentity[]> {
  const rows = await op.read((db) => listIdentitiesOf(db, user.id))
  const providers = await listProviders(op)
  return rows.map((row) => ({
    ...row,
    provider: providers.find(({ issuer }) => issuer === row.issuer) ?? null,
  }))
}

type LinkResult = { ok: true; started: StartedSession } | { ok: false; problem: 'identity_taken' }

/** For a signed-in user who has just confirmed their identity; the session gets a new secret. */
export async function linkIdentity(
  op: Op,
  session: Session,
  person: UpstreamPerson,
  origin: Origin,
): Promise<LinkResult> {
  try {
    return await link(op, session, person, origin)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return link(op, session, person, origin) // another request was first: now the identity can be found
  }
}

function link(
  op: Op,
  session: Session,
  person: UpstreamPerson,
  origin: Origin,
): Promise<LinkResult> {
  const userId = session.user.id
  return op.write(async (tx, audit) => {
    const holder = await findIdentityUser(tx, person)
    if (holder && holder.userId !== userId) return { ok: false, problem: 'identity_taken' }
    if (!holder) {
      const row = { id: newId('idn'), userId, now: op.now(), lastUsedAt: null }
      await insertIdentity(tx, person, row, person)
      const detail = { issuer: person.issuer }
      audit(ownEvent('identity.linked', session, origin, { detail }))
      await orderNotice(op, tx, userId, { notice: 'factor_added', factor: 'identity' }, origin)
    }
    return { ok: true, started: await rotateSession(op, tx, session) }
  })
}

type UnlinkResult =
  | { ok: true; started: StartedSession }
  | { ok: false; problem: 'gone' | 'last_way_in' }

export async function unlinkIdentity(
  op: Op,
  session: Session,
  id: string,
  origin: Origin,
): Promise<UnlinkResult> {
  const own = { id, userId: session.user.id }
  const issuers = (await listProviders(op)).map(({ issuer }) => issuer)
  return op.write(async (tx, audit) => {
    if (!(await removeIdentity(tx, own, issuers))) {
      return { ok: false, problem: (await hasIdentity(tx, own)) ? 'last_way_in' : 'gone' }
    }
    audit(ownEvent('identity.unlinked', session, origin))
    await orderNotice(op, tx, own.userId, { notice: 'factor_removed', factor: 'identity' }, origin)
    return { ok: true, started: await rotateSession(op, tx, session) }
  })
}
