import { childrenIn, familyOf } from '../../access/hierarchy'
import { patternCovers } from '../../access/pattern'
import type { Op, Transaction } from '../../context/op'
import { announceClosedGrant } from '../../delivery/logout'
import { isStillAdmitted } from '../../oidc/still-granted'
import {
  type Affected,
  listOpenGrants,
  listRequiring,
  type OpenGrant,
  type Requiring,
  type TimedTerms,
} from '../../store/periods'
import { revokeGrant } from '../../store/token-grants'

/**
 * An application that requires scopes of its users is told who may no longer use it, when
 * something that a required scope rests on was taken away.
 */

const MOST_AT_ONCE = 200
const APPLICATIONS_AT_ONCE = 500

export async function closeWhatDepended(
  op: Op,
  kind: 'assignment' | 'grant',
  taken: readonly TimedTerms[],
): Promise<void> {
  if (taken.length === 0) return
  // Most applications let everybody in, and cost no further look.
  const requiring = await op.read(listRequiring)
  for (const terms of taken) {
    const ids = requiring
      .filter((application) => kind === 'assignment' || requires(application, terms))
      .map(({ id }) => id)
    for (let at = 0; at < ids.length; at += APPLICATIONS_AT_ONCE) {
      await closeIn(op, await affectedBy(op, terms), ids.slice(at, at + APPLICATIONS_AT_ONCE))
    }
  }
}

function requires({ requiredScopes }: Requiring, { what }: TimedTerms): boolean {
  return requiredScopes.some((scope) => patternCovers(what, scope))
}

/** What a role gives, the roles below it give too. */
async function affectedBy(op: Op, { holder: { kind, id } }: TimedTerms): Promise<Affected> {
  if (kind !== 'role') return { kind, id }
  const { policy } = await op.snapshot()
  return { kind, ids: [...familyOf(childrenIn(policy.roles), [id])] }
}

async function closeIn(op: Op, affected: Affected, applicationIds: string[]): Promise<void> {
  for (let after = '', found = MOST_AT_ONCE; found === MOST_AT_ONCE; ) {
    const page = { after, most: MOST_AT_ONCE }
    const open = await op.read((db) => listOpenGrants(db, affected, applicationIds, op.now(), page))
    for (const grant of open) await closeUnlessAdmitted(op, grant)
    found = open.length
    after = open.at(-1)?.id ?? ''
  }
}

async function closeUnlessAdmitted(op: Op, grant: OpenGrant): Promise<void> {
  const { id, userId, applicationId } = grant
  const clientId = grant.accessKeyId ?? applicationId
  const answered = await op.consents.find(userId, applicationId)
  if (await isStillAdmitted(op, { clientId, userId }, answered)) return
  await op.write(async (tx: Transaction, audit) => {
    if (!(await revokeGrant(tx, id, 'access_ended', op.now()))) return
    await announceClosedGrant(op, tx, grant, applicationId)
    audit({
      ...{ event: 'app.access_ended', result: 'success', actorKind: 'system', actorId: null },
      ...{ applicationId, targetKind: 'user', targetId: userId, ip: null },
      detail: { token_grant: id },
    })
  })
}
