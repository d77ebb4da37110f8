import { reach } from '../access/standing'
import type { Op } from '../op'
import type { SubjectType } from '../store/assignments'
import { isMember } from '../store/groups'
import type { Caller } from './caller'
import { Problem } from './problem'
import type { Call } from './route'

/**
 * Nobody below an owner changes a role that they hold, or gives one to themselves: what they may do
 * is for somebody else to say (N5). An owner has nobody above them, and nothing to gain.
 */

type Anything = Call<unknown, unknown, unknown>

export function requireNotOwnRole(
  { caller, snapshot: { policy } }: Anything,
  roleId: string,
): void {
  if (isFree(caller)) return
  const held = policy.users.get(caller.id)?.assignments ?? []
  const ways = held.flatMap((one) => {
    const role = policy.roles.get(one.roleId)
    return role ? reach(policy, role).flat() : []
  })
  if (ways.some(({ id }) => id === roleId)) throw refusal('this is a role of your own')
}

export function requireNotSelf({ caller }: Anything, userId: string): void {
  if (!isFree(caller) && caller.id === userId) throw refusal('this would be a role of your own')
}

/** Plainly, or through a group that they are in. */
export async function requireNotOwnSubject(
  op: Op,
  call: Anything,
  { type, id }: { type: SubjectType; id: string },
): Promise<void> {
  if (type === 'user') requireNotSelf(call, id)
  if (type !== 'group' || isFree(call.caller)) return
  if (await op.read((db) => isMember(db, id, call.caller.id))) requireNotSelf(call, call.caller.id)
}

function isFree({ kind, adminRole }: Caller): boolean {
  return kind !== 'user' || adminRole === 'owner'
}

function refusal(why: string): Problem {
  return new Problem('forbidden', `${why}: another admin has to do it`)
}
