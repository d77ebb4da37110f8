import { z } from 'zod'
import { signOutEverywhere } from '../../accounts/sign-out-everywhere'
import type { EventName } from '../../base/events'
import type { Op, Transaction } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import type { UserRecord } from '../../store/accounts/users'
import { addMember, findGroup, removeMember } from '../../store/permissions/groups'
import { authorize } from '../authority/authorize'
import { type ChangeEntry, changeInParts } from '../authority/change'
import { privilegesOfJoining } from '../authority/privileges'
import {
  eraseUser,
  refuseSelf,
  requireBelow,
  requireToActAs,
  requireUser,
  saveUser,
} from '../authority/user-rules'
import { type Call, operation, tagged } from '../http/operation'
import { invalidField } from '../http/problem'
import { idSchema } from '../http/schemas'
import { userWire } from './users'

/** One change for several users: if it is refused for one of them, it is made for none. */

const MAX = 200

export const BATCH_ACTIONS = [
  'enable',
  'disable',
  'sign_out',
  'add_to_group',
  'remove_from_group',
  'delete',
] as const
type BatchAction = (typeof BATCH_ACTIONS)[number]

const bodySchema = z.strictObject({
  do: z.enum(BATCH_ACTIONS),
  users: z.array(idSchema).min(1).max(MAX),
  group: idSchema.optional().describe('The group that they join or leave'),
})
type Body = z.infer<typeof bodySchema>

const EVENTS: Record<BatchAction, EventName> = {
  enable: 'user.changed',
  disable: 'user.changed',
  sign_out: 'user.signed_out',
  add_to_group: 'group.member_added',
  remove_from_group: 'group.member_removed',
  delete: 'user.deleted',
}

/** If it is refused for one user, it is refused for all before anything is changed. */
async function requireTargets(
  op: Op,
  call: Call<unknown, unknown, Body>,
  group: string,
): Promise<UserRecord[]> {
  const { caller, body } = call
  // The same user may be named by ID and by user name.
  const found = new Map<string, UserRecord>()
  for (const name of new Set(body.users)) {
    const user = await requireUser(op, name)
    found.set(user.id, user)
  }
  const users = [...found.values()]
  const below = isAboutGroups(body) ? [] : await requireRight(op, call, body, users)
  const ids = users.map(({ id }) => id)
  const joins = group === '' ? [] : await privilegesOfJoining(op, caller, group, ids)
  await authorize(op, call, [...below, ...joins])
  if (body.do === 'disable' || body.do === 'delete') {
    for (const user of users) refuseSelf(caller, user)
  }
  return users
}

/** To disable or delete somebody lets nobody act as them. */
function requireRight(op: Op, call: Call, body: Body, users: readonly UserRecord[]) {
  const closes = body.do === 'disable' || body.do === 'delete'
  return (closes ? requireBelow : requireToActAs)(op, call, ...users)
}

function isAboutGroups({ do: what }: Body): boolean {
  return what === 'add_to_group' || what === 'remove_from_group'
}

async function requireGroupOf(op: Op, body: Body): Promise<string> {
  if (!isAboutGroups(body)) return ''
  const { group } = body
  const found = group === undefined ? null : await op.read((db) => findGroup(db, group))
  if (!found) throw invalidField('/group', errorMessage('unknown_group'))
  return found.id
}

async function perform(
  op: Op,
  tx: Transaction,
  { do: what }: Body,
  group: string,
  user: UserRecord,
): Promise<void> {
  switch (what) {
    case 'enable':
      return saveUser(op, tx, user, { disabledAt: null })
    case 'disable':
      return saveUser(op, tx, user, { disabledAt: user.disabledAt ?? op.now() })
    case 'sign_out':
      return signOutEverywhere(op, tx, user.id, 'signed_out_by_admin')
    case 'add_to_group':
      return addMember(tx, group, user.id, op.now())
    case 'remove_from_group':
      await removeMember(tx, group, user.id)
      return
    case 'delete':
      return eraseUser(op, tx, user)
  }
}

function entryOf(user: UserRecord, { do: what }: Body, group: string): ChangeEntry {
  const touches = [{ kind: 'user', id: user.id } as const]
  const about: Pick<ChangeEntry, 'kind' | 'id'> =
    group === '' ? { kind: 'user', id: user.id } : { kind: 'group', id: group }
  const change = what === 'enable' || what === 'disable'
  const detail = {
    ...(change && {
      before: { enabled: user.disabledAt === null },
      after: { enabled: what === 'enable' },
    }),
    ...(what === 'delete' && { before: userWire(user) }),
    ...(group !== '' && { user: user.id }),
    batch: true,
  }
  return { event: EVENTS[what], gives: [], ...about, touches, detail }
}

export const changeUsers = operation({
  id: 'changeUsers',
  method: 'POST',
  path: '/users:batch',
  summary: `Make one change to up to ${MAX} users; if it is refused for one, it is made for none`,
  scope: 'users:write',
  mayBeMissing: true,
  body: bodySchema,
  example: { do: 'disable', users: ['usr_...', 'usr_...'] },
  answers: { 200: z.object({ count: z.number() }) },
  async handle(op, call) {
    const group = await requireGroupOf(op, call.body)
    const users = await requireTargets(op, call, group)
    const entry = (user: UserRecord) => entryOf(user, call.body, group)
    await changeInParts(op, call, users, entry, (tx, user) =>
      perform(op, tx, call.body, group, user),
    )
    return { status: 200, body: { count: users.length } }
  },
})

export const userBatchRoutes = tagged('Users', [changeUsers])
