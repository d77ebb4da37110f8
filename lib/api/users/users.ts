import { z } from 'zod'
import type { Privilege } from '../../access/authority'
import type { EventName } from '../../base/events'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import {
  ADMIN_ROLES,
  insertUser,
  listUserPage,
  type UserFields,
  type UserFilters,
  type UserRecord,
} from '../../store/accounts/users'
import { type ChangeEntry, change, entryOf } from '../authority/change'
import {
  privilegesOfAttributes,
  privilegesOfNames,
  privilegesOfNewcomers,
} from '../authority/deciders'
import { requireNeverUsed } from '../authority/never-reused'
import {
  privilegesOfAccount,
  privilegesOfActingAsUsers,
  privilegesOfAdminRole,
  privilegesOfOwning,
} from '../authority/privileges'
import { insertWithin } from '../authority/room'
import {
  disables,
  eraseUser,
  refuseSelf,
  requireBelow,
  requireToActAs,
  requireUser,
  saveUser,
} from '../authority/user-rules'
import {
  attributesSchema,
  emailSchema,
  localeSchema,
  profileSchema,
  usernameSchema,
} from '../decision/person'
import { type Call, operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema, searchedWordSchema } from '../http/page'
import { invalidField } from '../http/problem'
import {
  chosenUserId,
  idSchema,
  iso,
  isYes,
  nameSchema,
  stampsWire,
  yesOrNo,
} from '../http/schemas'
import { requireSeen } from '../http/version'
import { requireTyped } from '../settings/user-attributes'
import {
  invitationSchema,
  invitedSchema,
  requireInvitable,
  requireInvitableSoon,
  sendInvitation,
} from './invitations'
import { assignmentsFor, privilegesOfRoles } from './user-roles'

const MAX_ROLES = 50

/** The API neither takes nor returns passwords: users choose one after an invitation. */
export const userShape = {
  name: nameSchema.nullable(),
  email: emailSchema.nullable(),
  emailVerified: z.boolean(),
  username: usernameSchema.nullable(),
  attributes: attributesSchema.describe('Attributes that conditions read as user.*; at most 8 KiB'),
  profile: profileSchema,
  locale: localeSchema.nullable(),
  enabled: z.boolean(),
  adminRole: z.enum(ADMIN_ROLES).nullable(),
}
const changeSchema = z.strictObject(userShape).partial()

export const userSchema = z.object({
  id: z.string(),
  ...userShape,
  ...stampsWire,
})

const createSchema = changeSchema.extend({
  id: chosenUserId.optional(),
  roles: z
    .array(idSchema)
    .max(MAX_ROLES)
    .optional()
    .describe('The IDs of roles that the user gets, without terms; needs assignments:write'),
  invite: invitationSchema.optional().describe('Invites the user at once'),
})

const createdSchema = userSchema.extend({ invitation: invitedSchema.optional() })

export type UserWire = z.infer<typeof userSchema>
type Changes = z.infer<typeof changeSchema>

export function userWire({ disabledAt, version, createdAt, updatedAt, ...user }: UserRecord) {
  return {
    ...user,
    enabled: disabledAt === null,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

export const userFilters = {
  enabled: yesOrNo.optional(),
  adminRole: z.enum(ADMIN_ROLES).optional(),
  group: idSchema.optional().describe('Only members of this group, by its ID'),
}

type Filters = { [K in keyof typeof userFilters]?: z.infer<(typeof userFilters)[K]> }

export function userFiltersOf({ enabled, adminRole, group }: Filters): UserFilters {
  return { enabled: isYes(enabled), adminRole, groupId: group }
}

// ---------------------------------------------------------------- rules

export function requireName({ email, username }: Pick<UserFields, 'email' | 'username'>): void {
  if (email === null && username === null) {
    throw invalidField('/email', errorMessage('name_to_sign_in'))
  }
}

/** A new address is not verified, unless the caller says that it is. */
export function fieldsOf(op: Op, changes: Changes, before: UserFields): Partial<UserFields> {
  const { enabled, ...rest } = changes
  requireTyped(op.settings.known().userAttributes, changes.attributes ?? {})
  const fields: Partial<UserFields> = {
    ...withoutUndefined(rest),
    ...(enabled !== undefined && { disabledAt: enabled ? null : (before.disabledAt ?? op.now()) }),
  }
  const email = fields.email === undefined ? before.email : fields.email
  if (email === null && changes.emailVerified === true) {
    throw invalidField('/emailVerified', errorMessage('email_missing'))
  }
  const same = email !== null && email === before.email
  const emailVerified = changes.emailVerified ?? (same && before.emailVerified)
  return { ...fields, emailVerified: email !== null && emailVerified }
}

/** Conditions read attributes, so nobody may change their own. */
export async function changing(
  op: Op,
  { caller }: Call,
  before: UserRecord,
  after: UserRecord,
): Promise<Privilege[]> {
  const canonical = ({ attributes }: UserRecord) => JSON.stringify(attributes)
  return [
    ...(await accountChange(op, before, after)),
    ...(after.adminRole === before.adminRole ? [] : roleChange(before, after)),
    ...(canonical(after) === canonical(before) ? [] : privilegesOfOwning(caller, before.id)),
    ...(await privilegesOfAttributes(op, before.id, before.attributes, after.attributes)),
  ]
}

/** By another address or user name somebody else can sign in, or is named by an attribute. */
async function accountChange(op: Op, before: UserRecord, after: UserRecord): Promise<Privilege[]> {
  const isRenamed = (['email', 'emailVerified', 'username'] as const).some(
    (name) => after[name] !== before[name],
  )
  const isOpened = before.disabledAt !== null && after.disabledAt === null
  if (!isRenamed && !isOpened)
    return privilegesOfAccount(op, (await op.latestSnapshot()).policy, before)
  return [
    ...(await privilegesOfActingAsUsers(op, [before])),
    ...(isRenamed ? await privilegesOfNames(op, [after]) : []),
  ]
}

function roleChange(before: UserRecord, after: UserRecord): Privilege[] {
  return [...privilegesOfAdminRole(before.adminRole), ...privilegesOfAdminRole(after.adminRole)]
}

export const NOTHING_YET: UserFields = {
  name: null,
  email: null,
  emailVerified: false,
  username: null,
  attributes: {},
  profile: {},
  locale: null,
  disabledAt: null,
  adminRole: null,
}

// ---------------------------------------------------------------- routes

export const listUsers = operation({
  id: 'listUsers',
  method: 'GET',
  path: '/users',
  summary: 'List users',
  scope: 'users:read',
  query: listQuery(['createdAt', 'name', 'email', 'username', 'updatedAt'], {
    ...userFilters,
    q: searchedWordSchema,
  }),
  answers: { 200: pageSchema(userSchema) },
  handle: (op, { query }) =>
    listed(
      op,
      query,
      { name: 'users', filters: userFiltersOf(query), list: listUserPage },
      userWire,
    ),
})

export const createUser = operation({
  id: 'createUser',
  method: 'POST',
  path: '/users',
  summary: 'Create a user without a password, with roles and an invitation if wanted',
  scope: 'users:write',
  body: createSchema,
  example: {
    name: 'Cleo Clerk',
    email: 'cleo@example.com',
    attributes: { branch: 'Bern' },
    roles: ['rol_...'],
    invite: { locale: 'en' },
  },
  answers: { 201: createdSchema },
  async handle(op, call) {
    const { id = newId('usr'), roles = [], invite: asked, ...fields } = call.body
    const user = { ...NOTHING_YET, ...fieldsOf(op, fields, NOTHING_YET) }
    requireName(user)
    const given = await assignmentsFor(op, call, id, roles)
    const gives = [
      ...privilegesOfAdminRole(user.adminRole),
      ...(await privilegesOfNewcomers(op, [{ ...user, id }])),
      ...(await privilegesOfRoles(op, call, given)),
    ]
    if (asked) requireInvitableSoon(op, user, asked.returnLink)
    const entry: ChangeEntry = {
      event: 'user.created',
      gives,
      kind: 'user',
      id,
      detail: { after: call.body },
    }
    const { created, invitation } = await change(op, call, entry, async (tx, audit) => {
      await requireNeverUsed(tx, '/id', call.body.id)
      const created = await insertUser(tx, id, user, op.now())
      const log = (event: EventName, detail: Record<string, unknown>) =>
        audit(entryOf({ event, kind: 'user', id, detail }, call))
      if (given.length > 0) await insertWithin(tx, given, op.now())
      for (const { roleId } of given) log('assignment.created', { role: roleId })
      const { email } = user
      if (!asked || email === null) return { created }
      log('user.invited', { returnLink: asked.returnLink })
      const bearer = { ...created, email }
      return { created, invitation: await sendInvitation(op, tx, call, bearer, asked) }
    })
    const body = { ...userWire(created), ...(invitation && { invitation }) }
    return { status: 201, body, version: created.version }
  },
})

export const getUser = operation({
  id: 'getUser',
  method: 'GET',
  path: '/users/{user}',
  summary: 'Read a user',
  scope: 'users:read',
  answers: { 200: userSchema },
  async handle(op, { params }) {
    const user = await requireUser(op, params.user)
    return { status: 200, body: userWire(user), version: user.version }
  },
})

export const changeUser = operation({
  id: 'changeUser',
  method: 'PATCH',
  path: '/users/{user}',
  summary: 'Change a user; a disabled user is signed out everywhere',
  scope: 'users:write',
  body: changeSchema,
  example: { enabled: false },
  answers: { 200: userSchema },
  async handle(op, call) {
    const before = await requireUser(op, call.params.user)
    requireSeen(call.ifMatch, before, userWire(before))
    const fields = fieldsOf(op, call.body, before)
    const now = op.now()
    const after = { ...before, ...fields, updatedAt: now, version: before.version + 1 }
    requireName(after)
    const gives = await changing(op, call, before, after)
    if (disables(before, fields)) refuseSelf(call.caller, before)
    const entry: ChangeEntry = {
      event: 'user.changed',
      gives,
      kind: 'user',
      id: before.id,
      detail: { before: userWire(before), after: call.body },
    }
    await change(op, call, entry, (tx) => saveUser(op, tx, before, fields, now))
    return { status: 200, body: userWire(after), version: after.version }
  },
})

export const inviteUser = operation({
  id: 'inviteUser',
  method: 'POST',
  path: '/users/{user}/invitation',
  summary:
    'Invite a user who cannot sign in yet: sends a link by mail that works once, for seven days',
  scope: 'users:write',
  body: invitationSchema,
  example: { locale: 'en', returnLink: false },
  answers: { 201: invitedSchema },
  async handle(op, call) {
    const user = await requireUser(op, call.params.user)
    const gives = await requireToActAs(op, call, user)
    const { returnLink } = call.body
    const bearer = await requireInvitable(op, user, returnLink)
    const detail = { returnLink }
    const entry: ChangeEntry = { event: 'user.invited', gives, kind: 'user', id: user.id, detail }
    const body = await change(op, call, entry, (tx) =>
      sendInvitation(op, tx, call, bearer, call.body),
    )
    return { status: 201, body }
  },
})

export const deleteUser = operation({
  id: 'deleteUser',
  method: 'DELETE',
  path: '/users/{user}',
  summary: 'Delete a user with their sessions, tokens and roles',
  scope: 'users:write',
  answers: { 204: null },
  async handle(op, call) {
    const before = await requireUser(op, call.params.user)
    requireSeen(call.ifMatch, before, userWire(before))
    const gives = await requireBelow(op, call, before)
    refuseSelf(call.caller, before)
    const entry: ChangeEntry = {
      event: 'user.deleted',
      gives,
      kind: 'user',
      id: before.id,
      detail: { before: userWire(before) },
    }
    await change(op, call, entry, (tx) => eraseUser(op, tx, before))
    return { status: 204 }
  },
})

export const userRoutes = tagged('Users', [
  listUsers,
  createUser,
  getUser,
  changeUser,
  inviteUser,
  deleteUser,
])
