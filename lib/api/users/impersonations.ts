import { z } from 'zod'
import {
  IMPERSONATION_KINDS,
  type ImpersonationFacts,
  obstacleTo,
} from '../../access/impersonation'
import { endImpersonation as recordEnd } from '../../accounts/impersonation'
import { MINUTE_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { newId, newSecret } from '../../crypto/secrets'
import { orderNotice } from '../../delivery/mail/notices'
import { errorMessage } from '../../i18n/error-message'
import { localeOf } from '../../settings/model'
import { sessionTimes } from '../../settings/session-times'
import { isLeaving } from '../../store/accounts/deletion'
import {
  type ImpersonatedSession,
  insertImpersonation,
  listImpersonations as listOpen,
  type OpenImpersonation,
} from '../../store/accounts/impersonations'
import { findUser, type UserRecord } from '../../store/accounts/users'
import { bumpPolicyVersion } from '../../store/policy/policy-version'
import { isOpenNow } from '../../store/requests/emergencies'
import { authorize, missingOf } from '../authority/authorize'
import { type ChangeEntry, change } from '../authority/change'
import { privilegesOfActingAsUsers } from '../authority/privileges'
import { requireUser } from '../authority/user-rules'
import { actorOf, type Caller, userCaller } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { invalidField, Problem, requireFound } from '../http/problem'
import { idSchema, iso } from '../http/schemas'
import { requireFresh } from '../requests/decide'

/**
 * An admin sees the portal as a user does. It begins on the page of the user and nowhere else:
 * an answer of the API with what opens an account would be a credential of that user.
 */

/** Long enough to look, and too short to forget. */
const IMPERSONATION_MINUTES = 30
const MAX_REASON = 500

const personSchema = z.object({ id: z.string(), name: z.string() })

const impersonationSchema = z.object({
  id: z.string(),
  user: personSchema,
  admin: personSchema,
  mode: z.enum(IMPERSONATION_KINDS),
  reason: z.string(),
  startedAt: z.string(),
  expiresAt: z.string(),
})

type Person = OpenImpersonation['user']

function nameOf({ name, email, id }: Person): string {
  return name ?? email ?? id
}

function personOf(person: Person) {
  return { id: person.id, name: nameOf(person) }
}

function wireOf({ user, admin, startedAt, expiresAt, ...rest }: OpenImpersonation) {
  const times = { startedAt: iso(startedAt), expiresAt: iso(expiresAt) }
  return { ...rest, ...times, user: personOf(user), admin: personOf(admin) }
}

// ---------------------------------------------------------------- the rule

type Known = Omit<ImpersonationFacts, 'mayActAs'>

async function factsOf(
  op: Op,
  { admin, mode, user }: Pick<Known, 'admin' | 'mode'> & { user: UserRecord },
): Promise<Known> {
  const { id, adminRole, disabledAt } = user
  return {
    settings: (await op.settings.current()).security,
    mode,
    admin,
    user: {
      id,
      adminRole,
      disabled: disabledAt !== null,
      leaving: await op.read((db) => isLeaving(db, id)),
    },
    inEmergency: await op.read((db) => isOpenNow(db, { userId: id }, op.now())),
  }
}

const REFUSED = new Set(['impersonation_off', 'impersonation_not_yours', 'impersonation_owner'])

/** What the admin lacks to act as the user is said by the rule of authority itself. */
function requireNoObstacle(known: Known): void {
  const obstacle = obstacleTo({ ...known, mayActAs: true })
  if (obstacle === null) return
  if (obstacle === 'impersonation_mode') throw invalidField('/mode', errorMessage(obstacle))
  throw new Problem(REFUSED.has(obstacle) ? 'forbidden' : 'conflict', errorMessage(obstacle))
}

/** Why this admin may not be in the account of this user; null if nothing is against it. */
export async function obstacleFor(op: Op, caller: Caller, userId: string, mode: string) {
  const user = await requireUser(op, userId)
  const known = await factsOf(op, { admin: caller, mode, user })
  const gives = await privilegesOfActingAsUsers(op, [user])
  return obstacleTo({ ...known, mayActAs: (await missingOf(op, caller, gives)).length === 0 })
}

/** Asked for each page: it ends when the admin or the user is no longer what they were. */
export async function mayGoOn(op: Op, session: ImpersonatedSession): Promise<boolean> {
  const { admin, mode } = session.impersonation
  const caller = userCaller(admin.id, admin.adminRole)
  return (await obstacleFor(op, caller, session.user.id, mode)) === null
}

// ---------------------------------------------------------------- operations

/** Not in the table of the API: only the page of the user performs it, and keeps the secret. */
export const startImpersonation = operation({
  id: 'startImpersonation',
  method: 'POST',
  path: '/users/{user}/impersonations',
  summary: 'See the portal as a user',
  scope: 'users:read',
  body: z.strictObject({
    reason: z.string().trim().min(1).max(MAX_REASON),
    mode: z.enum(IMPERSONATION_KINDS),
  }),
  answers: { 201: z.object({ secret: z.string(), expiresAt: z.string() }) },
  async handle(op, call) {
    await requireFresh(op, call.caller)
    const { reason, mode } = call.body
    const user = await requireUser(op, call.params.user)
    requireNoObstacle(await factsOf(op, { admin: call.caller, mode, user }))
    const gives = await privilegesOfActingAsUsers(op, [user])
    const [id, secret, startedAt] = [newId('imp'), newSecret('ghim'), op.now()]
    const expiresAt = new Date(startedAt.getTime() + IMPERSONATION_MINUTES * MINUTE_MS)
    const row = {
      ...{ id, userId: user.id, mode, reason, startedAt, expiresAt },
      secretHash: op.hashSecret(secret),
      sessionId: call.caller.session?.id ?? '',
    }
    const detail = { impersonation: id, mode, reason, expiresAt: iso(expiresAt) }
    const event = 'impersonation.started'
    const entry: ChangeEntry = { event, gives, kind: 'user', id: user.id, detail }
    await change(op, call, entry, async (tx, audit) => {
      // Takes the lock that every change takes: an admin is in one account at a time.
      await bumpPolicyVersion(tx, [])
      await recordEnd(op, tx, audit, { adminId: call.caller.id }, actorOf(call))
      await insertImpersonation(tx, row)
      const locale = localeOf(user.locale, op.settings.known().languages)
      const by = requireFound(await findUser(tx, call.caller.id), 'no_user', call.caller.id)
      const look = { by: nameOf(by), reason }
      await orderNotice(op, tx, user.id, { notice: 'impersonated', look }, { ip: null, locale })
    })
    return { status: 201, body: { secret, expiresAt: iso(expiresAt) } }
  },
})

export const listImpersonations = operation({
  id: 'listImpersonations',
  method: 'GET',
  path: '/impersonations',
  summary: 'List the admins who are in the account of a user now',
  scope: 'users:impersonate',
  query: z.strictObject({ user: idSchema.optional().describe('Only of this user, by ID') }),
  answers: { 200: z.object({ data: z.array(impersonationSchema) }) },
  async handle(op, { query }) {
    const times = sessionTimes(await op.settings.current())
    const open = await op.read((db) => listOpen(db, query.user, op.now(), times))
    return { status: 200, body: { data: open.map(wireOf) } }
  },
})

export const endImpersonation = operation({
  id: 'endImpersonation',
  method: 'DELETE',
  path: '/impersonations/{impersonation}',
  summary: 'Make an admin leave the account of a user',
  scope: 'users:impersonate',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const { impersonation: id } = call.params
    await authorize(op, call, []) // it gives nobody anything
    await op.write(async (tx, audit) => {
      const ended = await recordEnd(op, tx, audit, { id }, actorOf(call))
      requireFound(ended[0], 'no_impersonation', id)
    })
    return { status: 204 }
  },
})

export const impersonationRoutes = tagged('Users', [listImpersonations, endImpersonation])
