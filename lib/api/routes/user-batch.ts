import { z } from 'zod'
import { signOutEverywhere } from '../../accounts/sign-out-everywhere'
import type { Op, Transaction } from '../../context/op'
import { addMember, findGroup, removeMember } from '../../store/groups'
import type { UserRecord } from '../../store/users'
import { authorize } from '../authorize'
import { changeAll, type Happened } from '../change'
import { joiningGift } from '../gifts'
import { type Call, operation } from '../operation'
import { invalidField } from '../problem'
import { idSchema } from '../schemas'
import { eraseUser, refuseSelf, requireBelow, requireUser, saveUser } from '../user-rules'
import { userWire } from './users'

/** One thing done to several users: to all of them, or to none. */

const MOST = 200

export const BATCH_ACTIONS = [
  'enable',
  'disable',
  'sign_out',
  'add_to_group',
  'remove_from_group',
  'delete',
] as const
export type BatchAction = (typeof BATCH_ACTIONS)[number]

const bodySchema = z.strictObject({
  do: z.enum(BATCH_ACTIONS),
  users: z.array(idSchema).min(1).max(MOST),
  group: idSchema.optional().describe('Whose members they become, or no longer are'),
})
type Body = z.infer<typeof bodySchema>

const EVENTS: Record<BatchAction, string> = {
  enable: 'user.changed',
  disable: 'user.changed',
  sign_out: 'user.signed_out',
  add_to_group: 'group.member_added',
  remove_from_group: 'group.member_removed',
  delete: 'user.deleted',
}

/** What is refused to one is refused to all, before anything happens. */
async function requireTargets(
  op: Op,
  call: Call<unknown, unknown, Body>,
  group: string,
): Promise<UserRecord[]> {
  const { caller, body } = call
  const users: UserRecord[] = []
  for (const id of new Set(body.users)) users.push(await requireUser(op, id))
  const below = isAboutGroups(body) ? [] : await requireBelow(op, call, ...users)
  const ids = users.map(({ id }) => id)
  const joins = group === '' ? [] : await joiningGift(op, caller, group, ids)
  await authorize(op, call, [...below, ...joins])
  if (body.do === 'disable' || body.do === 'delete') {
    for (const user of users) refuseSelf(caller, user)
  }
  return users
}

function isAboutGroups({ do: what }: Body): boolean {
  return what === 'add_to_group' || what === 'remove_from_group'
}

async function requireGroupOf(op: Op, body: Body): Promise<string> {
  if (!isAboutGroups(body)) return ''
  const { group } = body
  const found = group === undefined ? null : await op.read((db) => findGroup(db, group))
  if (!found) throw invalidField('/group', 'there is no such group')
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

function happenedTo(user: UserRecord, { do: what }: Body, group: string): Happened {
  const touches = [{ kind: 'user', id: user.id } as const]
  const about = group === '' ? { kind: 'user', id: user.id } : { kind: 'group', id: group }
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
  tag: 'Users',
  summary: `Do one thing to up to ${MOST} users: to all of them, or to none`,
  scope: 'users:write',
  mayMiss: true,
  body: bodySchema,
  example: { do: 'disable', users: ['usr_...', 'usr_...'] },
  answers: { 200: z.object({ count: z.number() }) },
  async handle(op, call) {
    const group = await requireGroupOf(op, call.body)
    const users = await requireTargets(op, call, group)
    const happenings = users.map((user) => happenedTo(user, call.body, group))
    await changeAll(op, call, happenings, async (tx) => {
      for (const user of users) await perform(op, tx, call.body, group, user)
    })
    return { status: 200, body: { count: users.length } }
  },
})

export const userBatchRoutes = [changeUsers]
