import { z } from 'zod'
import type { Privilege } from '../../access/authority'
import { invite } from '../../accounts/invitation'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { mailMode } from '../../delivery/mail/mode'
import { errorMessage } from '../../i18n/error-message'
import { locales } from '../../i18n/locales'
import { localeOf } from '../../settings/model'
import type { LinkBearer } from '../../store/accounts/links'
import { hasWayIn } from '../../store/accounts/sign-in-methods'
import {
  ADMIN_ROLES,
  insertUser,
  listUserPage,
  type UserFields,
  type UserFilters,
  type UserRecord,
} from '../../store/accounts/users'
import { type ChangeEntry, change } from '../authority/change'
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
import { invalidField, Problem } from '../http/problem'
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
const createSchema = changeSchema.extend({ id: chosenUserId.optional() })

const userSchema = z.object({
  id: z.string(),
  ...userShape,
  ...stampsWire,
})

const invitationSchema = z.strictObject({
  locale: z
    .enum(locales)
    .optional()
    .describe('The language of the mail; by default the language of the user'),
  returnLink: z
    .boolean()
    .default(false)
    .describe(
      'True: the answer contains the link, once. Whoever has the link can take over the account',
    ),
})

const invitedSchema = z.object({
  to: z.string(),
  mailed: z.boolean().describe('False if no mail server is set'),
  expiresAt: z.string(),
  link: z.string().nullable(),
})

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

/** An invitation must not open an account that somebody uses already. */
async function requireInvitable(
  op: Op,
  { id, email, disabledAt }: UserRecord,
): Promise<LinkBearer> {
  if (email === null) throw new Problem('conflict', errorMessage('email_missing'))
  if (disabledAt !== null) throw new Problem('conflict', errorMessage('user_disabled'))
  if (await op.read((db) => hasWayIn(db, id))) {
    throw new Problem('conflict', errorMessage('user_has_way_in'))
  }
  return { userId: id, email }
}

function requireReadable(op: Op, returnLink: boolean): void {
  if (returnLink || mailMode(op) !== 'off') return
  throw new Problem('conflict', errorMessage('mail_off_for_invitation'))
}

/** Conditions read attributes, so nobody may change their own. */
async function changing(
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
  summary: 'Create a user without a password',
  scope: 'users:write',
  body: createSchema,
  example: { name: 'Cleo Clerk', email: 'cleo@example.com', attributes: { branch: 'Bern' } },
  answers: { 201: userSchema },
  async handle(op, call) {
    const { id = newId('usr'), ...fields } = call.body
    const user = { ...NOTHING_YET, ...fieldsOf(op, fields, NOTHING_YET) }
    requireName(user)
    const gives = [
      ...privilegesOfAdminRole(user.adminRole),
      ...(await privilegesOfNewcomers(op, [{ ...user, id }])),
    ]
    const entry: ChangeEntry = {
      event: 'user.created',
      gives,
      kind: 'user',
      id,
      detail: { after: call.body },
    }
    const created = await change(op, call, entry, async (tx) => {
      await requireNeverUsed(tx, '/id', call.body.id)
      return insertUser(tx, id, user, op.now())
    })
    return { status: 201, body: userWire(created), version: created.version }
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
    const bearer = await requireInvitable(op, user)
    const { returnLink } = call.body
    requireReadable(op, returnLink)
    const locale = call.body.locale ?? localeOf(user.locale, op.settings.known().languages)
    const invitedBy = call.caller.kind === 'user' ? call.caller.id : null
    const detail = { returnLink }
    const entry: ChangeEntry = { event: 'user.invited', gives, kind: 'user', id: user.id, detail }
    const invitation = await change(op, call, entry, (tx) =>
      invite(op, tx, { bearer: { ...bearer, invitedBy }, locale, returnLink }),
    )
    const expiresAt = iso(invitation.expiresAt)
    return { status: 201, body: { ...invitation, expiresAt, to: bearer.email } }
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
