import { z } from 'zod'
import type { Privilege } from '../../access/authority'
import type { Audit, Op, Transaction } from '../../context/op'
import { orderNotice } from '../../delivery/mail/notices'
import { errorMessage } from '../../i18n/error-message'
import { localeOf } from '../../settings/model'
import { findMergeFacts, type MergeFacts, moveHoldings } from '../../store/accounts/merging'
import { findUser, type UserFields, type UserRecord } from '../../store/accounts/users'
import { countAssignments } from '../../store/permissions/assignments'
import { deleteApprovedGrants } from '../../store/permissions/grants'
import { bumpPolicyVersion } from '../../store/policy/policy-version'
import { countHeld } from '../../store/requests/approved-access'
import { type Entangled, reopenReviews } from '../../store/requests/merging'
import { finishRequest } from '../../store/requests/steps'
import { authorize } from '../authority/authorize'
import { type ChangeEntry, change, entryOf } from '../authority/change'
import { privilegesOfJoining, privilegesOfOwning } from '../authority/privileges'
import { MAX_ASSIGNMENTS, MAX_GRANTS } from '../authority/room'
import {
  eraseUser,
  refuseSelf,
  requireToActAs,
  requireUser,
  saveUser,
} from '../authority/user-rules'
import { actorOf } from '../http/caller'
import { type Call, operation, tagged } from '../http/operation'
import { fieldProblem, invalidField, Problem, requireNone } from '../http/problem'
import { idSchema } from '../http/schemas'
import { requestEvent, tellByMail, tellEnd } from '../requests/news'
import {
  DOUBTS,
  doubtsAbout,
  ENDS,
  endsOf,
  fieldsToChoose,
  MOVES,
  movesOf,
  movingOf,
  previewOf,
  reasonOf,
  taken,
} from './merge-plan'
import { changing, userSchema, userWire } from './users'

/**
 * Two accounts of one person become one. The other one is deleted: its ID is never used again, and
 * nobody signs in with its password or its factors any more.
 */

const from = idSchema.describe('The account that is merged into this one, and then deleted')
const countedSchema = <What extends string>(what: readonly [What, ...What[]]) =>
  z.array(z.object({ what: z.enum(what), count: z.number(), names: z.array(z.string()) }))

const previewSchema = z.object({
  preview: z.string().describe('Names what is shown here. The merge is of this and nothing else'),
  kept: userSchema,
  removed: userSchema,
  moves: countedSchema(MOVES).describe('What the account that stays gets; at most 20 names each'),
  ends: countedSchema(ENDS).describe('What ends, besides the sessions of the removed account'),
  fields: z
    .array(z.object({ name: z.string(), kept: z.unknown(), removed: z.unknown() }))
    .describe('Values of the removed account that can be taken'),
  confirm: z.array(z.enum(DOUBTS)).describe('What the merge has to confirm'),
})

export type MergePreview = z.infer<typeof previewSchema>

const mergeSchema = z.strictObject({
  from,
  preview: z.string().max(100).describe('From the preview; 409 if something of it has changed'),
  take: z
    .array(z.string().max(255))
    .max(200)
    .default([])
    .describe('The names of fields whose value comes from the removed account'),
  confirm: z
    .array(z.enum(DOUBTS))
    .max(DOUBTS.length)
    .default([])
    .describe('What nothing proves, and the caller knows'),
})

// ---------------------------------------------------------------- rules

type Merging = { facts: MergeFacts; gives: Privilege[] }

/** Whoever merges could sign in as both: what either holds or decides about, the caller must hold. */
async function requireMergeable(
  op: Op,
  call: Call<{ user: string }>,
  other: string,
): Promise<Merging> {
  const kept = await requireUser(op, call.params.user)
  const gone = await op.read((db) => findUser(db, other))
  if (!gone) throw invalidField('/from', errorMessage('no_user', { id: other }))
  const acting = await requireToActAs(op, call, kept, gone)
  if (kept.id === gone.id) throw invalidField('/from', errorMessage('merge_same'))
  refuseSelf(call.caller, gone)
  const pair = { kept: kept.id, gone: gone.id }
  const facts = await op.read((db) => findMergeFacts(db, pair, op.now()))
  if (!facts) throw changed()
  requireSettled(facts)
  const own = privilegesOfOwning(call.caller, kept.id)
  const gives = [...acting, ...own, ...(await joining(op, call, facts))]
  await authorize(op, call, gives)
  return { facts, gives }
}

async function joining(op: Op, { caller }: Call, facts: MergeFacts): Promise<Privilege[]> {
  const gives: Privilege[] = []
  for (const { id } of movingOf(facts).groups)
    gives.push(...(await privilegesOfJoining(op, caller, id, [facts.kept.user.id])))
  return gives
}

function requireSettled({ kept, gone, openEmergency }: MergeFacts): void {
  if (kept.user.disabledAt !== null) throw new Problem('conflict', errorMessage('user_disabled'))
  if ([kept, gone].some(({ holds }) => holds.deleteAfter !== null))
    throw new Problem('conflict', errorMessage('merge_leaving'))
  if (openEmergency) throw new Problem('conflict', errorMessage('merge_emergency'))
}

function changed(): Problem {
  return new Problem('conflict', errorMessage('merge_changed'))
}

function requireChoices(
  { kept, gone }: MergeFacts,
  { take, confirm }: z.infer<typeof mergeSchema>,
): void {
  const known = new Set(fieldsToChoose(kept.user, gone.user).map(({ name }) => name))
  const unknown = take.flatMap((name, at) =>
    known.has(name) ? [] : [fieldProblem(`/take/${at}`, errorMessage('merge_field'))],
  )
  const open = doubtsAbout({ kept, gone }).filter((doubt) => !confirm.includes(doubt))
  requireNone([...unknown, ...open.map((doubt) => fieldProblem('/confirm', reasonOf(doubt)))])
}

// ---------------------------------------------------------------- the merge

async function merge(
  op: Op,
  tx: Transaction,
  audit: Audit,
  call: Call,
  asked: { before: MergeFacts; preview: string; fields: Partial<UserFields> },
): Promise<void> {
  const { before, preview, fields } = asked
  const pair = { kept: before.kept.user.id, gone: before.gone.user.id }
  // The lock that every change takes: what is read now stays so until the end.
  await bumpPolicyVersion(tx, [{ kind: 'all' }])
  const now = op.now()
  const facts = await findMergeFacts(tx, pair, now)
  if (!facts || previewOf(facts) !== preview) throw changed()
  requireSettled(facts)
  const [kept, gone] = [facts.kept.user, facts.gone.user]
  await untangle(op, tx, audit, call, facts.entangled)
  await moveHoldings(tx, pair, movingOf(facts), now)
  await requireRoom(tx, kept.id)
  await eraseUser(op, tx, gone)
  await saveUser(op, tx, kept, fields, now)
  await tellBoth(op, tx, call, kept, gone, fields)
  const detail = { before: userWire(gone), merged_into: kept.id }
  audit(entryOf({ event: 'user.deleted', kind: 'user', id: gone.id, detail }, call))
}

/** Nobody has decided about what is now their own. */
async function untangle(
  op: Op,
  tx: Transaction,
  audit: Audit,
  call: Call,
  { waiting, approved, reviewed }: Entangled,
): Promise<void> {
  const [actor, now, detail] = [actorOf(call), op.now(), { by: 'accounts_merged' }]
  for (const request of waiting) {
    if (!(await finishRequest(tx, request, 'failed', now))) throw changed()
    audit(requestEvent('access_request.failed', request, actor, detail))
    await tellEnd(op, tx, request, 'failed')
  }
  for (const request of approved) {
    const grants = await deleteApprovedGrants(tx, request, now)
    if (grants === null) continue
    audit(requestEvent('access_request.revoked', request, actor, { ...detail, grants }))
    await tellByMail(op, tx, [request.userId], request, 'revoked')
  }
  await reopenReviews(tx, reviewed, now)
}

async function requireRoom(tx: Transaction, userId: string): Promise<void> {
  const roles = await countAssignments(tx, { type: 'user', id: userId }, MAX_ASSIGNMENTS + 1)
  const most = (code: 'assignments_most' | 'grants_most', maximum: number) =>
    new Problem('conflict', errorMessage(code, { maximum: String(maximum) }))
  if (roles > MAX_ASSIGNMENTS) throw most('assignments_most', MAX_ASSIGNMENTS)
  const grants = await countHeld(tx, { userId }, MAX_GRANTS + 1)
  if (grants > MAX_GRANTS) throw most('grants_most', MAX_GRANTS)
}

/** Each address that one of them had. A link into the account goes only to its own. */
async function tellBoth(
  op: Op,
  tx: Transaction,
  { incoming: { ip } }: Call,
  kept: UserRecord,
  gone: UserRecord,
  fields: Partial<UserFields>,
): Promise<void> {
  const own = fields.email ?? kept.email
  const origin = { ip, locale: localeOf(kept.locale, op.settings.known().languages) }
  if (own !== null) await orderNotice(op, tx, kept.id, { notice: 'account_merged' }, origin)
  const others = new Set([kept.email, gone.email].filter((to) => to !== null && to !== own))
  for (const to of others)
    if (to !== null)
      await orderNotice(op, tx, kept.id, { notice: 'account_merged_away', to }, origin)
}

// ---------------------------------------------------------------- routes

export const previewMerge = operation({
  id: 'previewMerge',
  method: 'POST',
  path: '/users/{user}/merge-preview',
  summary: 'Show what merging another account into this one would do',
  scope: 'users:write',
  body: z.strictObject({ from }),
  example: { from: 'usr_...' },
  answers: { 200: previewSchema },
  async handle(op, call) {
    const { facts } = await requireMergeable(op, call, call.body.from)
    const { kept, gone } = facts
    const body = {
      preview: previewOf(facts),
      kept: userWire(kept.user),
      removed: userWire(gone.user),
      moves: movesOf(facts),
      ends: endsOf(facts),
      fields: fieldsToChoose(kept.user, gone.user),
      confirm: doubtsAbout(facts),
    }
    return { status: 200, body }
  },
})

export const mergeUsers = operation({
  id: 'mergeUsers',
  method: 'POST',
  path: '/users/{user}/merge',
  summary: 'Merge another account into this one, as a preview showed it; the other is deleted',
  scope: 'users:write',
  body: mergeSchema,
  example: {
    from: 'usr_...',
    preview: '...',
    take: ['attributes.branch'],
    confirm: ['no_shared_address'],
  },
  answers: { 200: userSchema },
  async handle(op, call) {
    const { body } = call
    const { facts, gives: both } = await requireMergeable(op, call, body.from)
    if (previewOf(facts) !== body.preview) throw changed()
    requireChoices(facts, body)
    const [kept, gone] = [facts.kept.user, facts.gone.user]
    const fields = taken(kept, gone, body.take)
    const gives = [...both, ...(await changing(op, call, kept, { ...kept, ...fields }))]
    const moved = movesOf(facts).map(({ what, count }) => [what, count])
    const detail = { from: gone.id, took: body.take, moved: Object.fromEntries(moved) }
    const touches = [{ kind: 'all' } as const]
    const about = { event: 'user.merged', kind: 'user', id: kept.id } as const
    const entry: ChangeEntry = { ...about, gives, touches, detail }
    await change(op, call, entry, (tx, audit) =>
      merge(op, tx, audit, call, { before: facts, preview: body.preview, fields }),
    )
    const now = await requireUser(op, kept.id)
    return { status: 200, body: userWire(now), version: now.version }
  },
})

export const userMergeRoutes = tagged('Users', [previewMerge, mergeUsers])
