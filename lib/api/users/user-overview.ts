import { z } from 'zod'
import type { Op } from '../../context/op'
import { listSessionsOf } from '../../store/accounts/sessions'
import {
  findUserFacts,
  listApplicationsOf,
  listApprovedOf,
  type UserFacts,
} from '../../store/accounts/user-overview'
import type { UserRecord } from '../../store/accounts/users'
import { listGroupsOf } from '../../store/permissions/groups'
import { listRolesOf } from '../../store/permissions/roles'
import { requireUser } from '../authority/user-rules'
import { operation, tagged } from '../http/operation'
import { iso } from '../http/schemas'
import { sessionSchema, sessionWire } from './user-access'
import { groupSchema, roleSchema, roleWire } from './user-memberships'
import { userSchema, userWire } from './users'

/** What matters first about one user: whether they can sign in, how, and what they hold. */

const USER_STATES = ['enabled', 'invited', 'no_way_in', 'leaving', 'disabled'] as const

const overviewSchema = z.object({
  user: userSchema,
  state: z
    .enum(USER_STATES)
    .describe('`invited`: cannot sign in yet, and has a link. `no_way_in`: has none'),
  invitedUntil: z.string().nullable().describe('Until when the link of the invitation works'),
  deleteAfter: z.string().nullable().describe('When an account is deleted whose user wants that'),
  lastSignInAt: z.string().nullable(),
  password: z.boolean(),
  passkeys: z.number(),
  authenticators: z.number(),
  identities: z.number(),
  sessions: z.array(sessionSchema).describe('The latest 5'),
  applications: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .describe('That the user consented to, by name; at most 20'),
  access: z
    .object({
      groups: z.array(groupSchema),
      roles: z.array(roleSchema),
      approved: z
        .array(
          z.object({
            grant: z.string(),
            permission: z.string(),
            request: z.string(),
            until: z.string().nullable(),
          }),
        )
        .describe('What access requests gave; at most 20'),
    })
    .nullable()
    .describe('Null without assignments:read'),
})

export type UserOverview = z.infer<typeof overviewSchema>

const MOST_SESSIONS = 5
const MOST_NAMED = 20

function stateOf({ disabledAt }: UserRecord, facts: UserFacts): (typeof USER_STATES)[number] {
  const { deleteAfter, password, passkeys, identities, isInvited } = facts
  if (disabledAt !== null) return 'disabled'
  if (deleteAfter !== null) return 'leaving'
  if (password || passkeys + identities > 0) return 'enabled'
  return isInvited ? 'invited' : 'no_way_in'
}

async function accessOf(op: Op, id: string) {
  const groups = await op.read((db) => listGroupsOf(db, id))
  const groupIds = groups.map((group) => group.id)
  const roles = await op.read((db) => listRolesOf(db, id, groupIds))
  const approved = await op.read((db) => listApprovedOf(db, id, op.now(), MOST_NAMED))
  return {
    groups,
    roles: roles.map(roleWire),
    approved: approved.map(({ id: grant, pattern, requestId, validUntil }) => ({
      ...{ grant, permission: pattern, request: requestId ?? '', until: iso(validUntil) },
    })),
  }
}

export const getUserOverview = operation({
  id: 'getUserOverview',
  method: 'GET',
  path: '/users/{user}/overview',
  summary: 'Read what matters first about a user: state, last sign-in, roles, sessions',
  scope: 'users:read',
  answers: { 200: overviewSchema },
  async handle(op, { caller, params }) {
    const user = await requireUser(op, params.user)
    const now = op.now()
    const facts = await op.read((db) => findUserFacts(db, op.databaseKind, user.id, now))
    const sessions = await op.read((db) => listSessionsOf(db, user.id, now))
    const applications = await op.read((db) =>
      listApplicationsOf(db, op.databaseKind, user.id, MOST_NAMED),
    )
    const { deleteAfter, invitedUntil, lastSignInAt, isInvited: _, ...methods } = facts
    const body = {
      user: userWire(user),
      state: stateOf(user, facts),
      invitedUntil: iso(invitedUntil),
      deleteAfter: iso(deleteAfter),
      lastSignInAt: iso(lastSignInAt),
      ...methods,
      sessions: sessions.slice(0, MOST_SESSIONS).map((one) => sessionWire(op, one)),
      applications,
      access: caller.scopes.has('assignments:read') ? await accessOf(op, user.id) : null,
    }
    return { status: 200, body, version: user.version }
  },
})

export const userOverviewRoutes = tagged('Users', [getUserOverview])
