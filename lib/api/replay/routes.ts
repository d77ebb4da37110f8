import { z } from 'zod'
import type { Remedy } from '../../access/settle'
import type { Op } from '../../context/op'
import { sha256 } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import { namesOf } from '../../store/database/names'
import { type Caller, requireScopes } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { invalidField } from '../http/problem'
import { countingWith, newCount } from './count'
import { type DraftedBy, draftOf, draftShape } from './draft'
import { oneOfFew, passOverDecisions } from './pass'
import { type GroupedRefusals, Groups, groupingInto, newlyAllowedBy } from './refusals'
import { type FlipLine, MAX_FLIPS, type SettlingLine } from './sum'

/** Stored decisions of the last days under a draft of the policy, and what their refusals need. */

const bodyShape = {
  days: z.int().min(1).max(365).default(30),
  after: z.string().max(1_000).optional().describe('`next` of the part before'),
}

const partShape = {
  since: z.string(),
  decisions: z.number().describe('Token requests that this part looked at'),
  next: z.string().nullable().describe('Send it as `after` to go on; null at the end'),
  progress: z.number().describe('How much was looked at, from 0 to 1'),
  policyChanged: z
    .boolean()
    .describe('The policy was changed since the first part: the numbers mix two policies'),
}

const named = z.object({ id: z.string(), name: z.string().nullable() })

const flipSchema = z.object({
  to: z.enum(['allowed', 'refused']),
  scope: z.string(),
  code: z.string().nullable().describe('Why it is refused, before or with the draft'),
  subject: named.extend({ type: z.enum(['user', 'client']) }),
  application: named,
  times: z.number(),
  lastAt: z.string(),
})

const replaySchema = z.object({
  ...partShape,
  scopes: z.number().describe('Outcomes that could be told: one for each scope of a request'),
  same: z.number(),
  toAllowed: z.number(),
  toRefused: z.number(),
  changedSince: z
    .number()
    .describe('Outcomes that differ from then already today, without the draft'),
  tokensGained: z.number().describe('Requests that would get a token only with the draft'),
  tokensLost: z.number().describe('Requests that would no longer get a token'),
  untold: z.array(z.object({ reason: z.string(), times: z.number() })),
  flips: z.array(flipSchema).describe('The most frequent first'),
  unlisted: z.number().describe('Flips that are counted and not listed'),
})
export type ReplayWire = z.infer<typeof replaySchema>

const replayBody = z.strictObject({ ...draftShape, ...bodyShape })
type ReplayBody = z.infer<typeof replayBody>
export type ReplayInput = z.input<typeof replayBody>

export const replayDecisions = operation({
  id: 'replayDecisions',
  method: 'POST',
  path: '/replay',
  summary:
    'Replay the token decisions of the last days under a draft: what would come out otherwise',
  scope: 'permissions:explain',
  also: ['audit:read'],
  mayBeMissing: true,
  body: replayBody,
  example: {
    space: 'shop',
    changes: [{ kind: 'adjust_role', role: 'clerk', add: [{ pattern: 'orders:refund' }] }],
    days: 30,
  },
  answers: { 200: replaySchema },
  async handle(op, { body, caller, incoming }) {
    return { status: 200, body: await replayPart(op, body, { caller, incoming, env: null }) }
  },
})

/** One part; `npm run apply -- --replay` asks for one after the other too. */
export async function replayPart(op: Op, body: ReplayBody, by: DraftedBy): Promise<ReplayWire> {
  const { days: _days, after: _after, ...input } = body
  if (input.changes.length === 0 && input.file === undefined)
    throw invalidField('/changes', errorMessage('replay_draft_empty'))
  // A condition of one's own asks questions about users, one after the other.
  if (hasCondition(input)) requireScopes(op, by.caller, ['users:read'])
  return oneOfFew(() => replayed(op, body, by))
}

/** Anywhere in a draft. */
function hasCondition(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, one]) => (name === 'condition' && one !== null) || hasCondition(one),
  )
}

async function replayed(op: Op, body: ReplayBody, by: DraftedBy): Promise<ReplayWire> {
  const { days, after, ...input } = body
  const draft = await draftOf(op, input, by)
  const counted = newCount()
  const bound = `replay ${days} ${sha256(JSON.stringify(input))}`
  const look = countingWith(draft, counted)
  const part = await passOverDecisions(op, { days, after, bound }, look)
  const { flips, untold, ...counts } = counted
  if (part.notStored) untold.set('not_stored', part.notStored)
  const ordered = [...flips.values()].sort((a, b) => b.times - a.times)
  const rest = ordered.slice(MAX_FLIPS).reduce((sum, { times }) => sum + times, 0)
  return {
    ...counts,
    since: part.since.toISOString(),
    decisions: part.decisions,
    next: part.next,
    progress: part.progress,
    policyChanged: part.policyChanged,
    untold: [...untold].map(([reason, times]) => ({ reason, times })),
    flips: await withNames(op, by.caller, ordered.slice(0, MAX_FLIPS)),
    unlisted: counts.unlisted + rest,
  }
}

/** Names only for those who may read them. */
async function withNames(op: Op, caller: Caller, flips: readonly FlipLine[]): Promise<FlipLine[]> {
  const [people, programs] = [
    caller.scopes.has('users:read'),
    caller.scopes.has('applications:read'),
  ]
  const clients = flips.flatMap(({ subject }) => (subject.type === 'client' ? [subject.id] : []))
  const names = await op.read((db) =>
    namesOf(db, {
      users: people
        ? flips.flatMap(({ subject: { type, id } }) => (type === 'user' ? [id] : []))
        : [],
      applications: programs ? [...clients, ...flips.map(({ application }) => application.id)] : [],
      accessKeys: programs ? clients : [],
    }),
  )
  const nameOf = (id: string) => names.get(id) ?? null
  return flips.map((flip) => ({
    ...flip,
    subject: { ...flip.subject, name: nameOf(flip.subject.id) },
    application: { ...flip.application, name: nameOf(flip.application.id) },
  }))
}

// ---------------------------------------------------------------- refusals

const settlingSchema = z.object({
  do: z.enum(['add_to_role', 'grant_application', 'widen_key']),
  id: z.string(),
  name: z.string().nullable(),
  space: z.string().nullable().describe('The space of the role'),
  times: z.number().describe('How many of the refusals it settles'),
  newlyAllows: z
    .number()
    .nullable()
    .describe('How many people would get the permission by it; null if not counted'),
  atLeast: z.boolean().describe('There are so many holders that only the first were counted'),
  change: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The same for `changes` of a replay or an impact preview'),
})

const refusalsSchema = z.object({
  ...partShape,
  data: z.array(
    z.object({ scope: z.string(), times: z.number(), settlings: z.array(settlingSchema) }),
  ),
  unlisted: z.number().describe('Refusals of further scopes, which are not listed'),
})
export type RefusalsWire = z.infer<typeof refusalsSchema>

const SCOPES_LISTED = 100
/** More than are shown: parts are added up, and what is second here may be first in the end. */
const SETTLINGS_LISTED = 20
/** Each of these costs a look at the holders of a role; together they have a limited time. */
const SCOPES_COUNTED = 10
const SETTLINGS_COUNTED = 3
const COUNTING_MS = 2_000

export const groupRefusals = operation({
  id: 'groupRefusals',
  method: 'POST',
  path: '/replay/refusals',
  summary:
    'Group the refusals of the last days, each with the change that would settle most of them',
  scope: 'permissions:explain',
  also: ['audit:read'],
  body: z.strictObject(bodyShape),
  example: { days: 30 },
  answers: { 200: refusalsSchema },
  async handle(op, { body, caller }) {
    return { status: 200, body: await oneOfFew(() => refusalsPart(op, body, caller)) }
  },
})

type RefusalsBody = { days: number; after?: string | undefined }

async function refusalsPart(op: Op, { days, after }: RefusalsBody, caller: Caller) {
  const groups = new Groups()
  const asked = { days, after, bound: `refusals ${days}` }
  const part = await passOverDecisions(op, asked, groupingInto(groups))
  const ordered = [...groups].sort(([, a], [, b]) => b.times - a.times)
  const rest = ordered.slice(SCOPES_LISTED).reduce((sum, [, { times }]) => sum + times, 0)
  const deadline = performance.now() + COUNTING_MS
  const data = []
  for (const [at, [scope, group]] of ordered.slice(0, SCOPES_LISTED).entries()) {
    const until = at < SCOPES_COUNTED ? deadline : null
    data.push({
      scope,
      times: group.times,
      settlings: await settlingsIn(op, caller, scope, group, until),
    })
  }
  const { since, notStored: _count, ...shown } = part
  return { ...shown, since: since.toISOString(), data, unlisted: groups.unlisted + rest }
}

async function settlingsIn(
  op: Op,
  caller: Caller,
  scope: string,
  { settlings, by }: GroupedRefusals,
  deadline: number | null,
) {
  const best = [...settlings].sort(([, a], [, b]) => b - a).slice(0, SETTLINGS_LISTED)
  const lines = best.flatMap(([key, times]) => {
    const settling = by.get(key)
    return settling ? [{ settling, times }] : []
  })
  const nameOf = await namesIn(
    op,
    caller,
    lines.map(({ settling }) => settling),
  )
  const { policy } = await op.snapshot()
  return Promise.all(
    lines.map(
      async (
        { settling, times },
        at,
      ): Promise<SettlingLine & { change: Record<string, unknown> | null }> => {
        const isRole = settling.do === 'add_to_role'
        const isCounted = isRole && deadline !== null && at < SETTLINGS_COUNTED
        const newly = isCounted ? await newlyAllowedBy(op, settling.id, scope, deadline) : null
        return {
          ...settling,
          name: nameOf(settling.id),
          space: isRole ? (policy.roles.get(settling.id)?.spaceId ?? null) : null,
          times,
          newlyAllows: newly?.newlyAllows ?? null,
          atLeast: newly?.atLeast ?? false,
          change: changeOf(settling, scope),
        }
      },
    ),
  )
}

function changeOf({ do: what, id }: Remedy, scope: string) {
  const add = [{ pattern: scope }]
  switch (what) {
    case 'add_to_role':
      return { kind: 'adjust_role', role: id, add }
    case 'grant_application':
      return { kind: 'adjust_application', application: id, add }
    case 'widen_key':
      return null
  }
}

async function namesIn(op: Op, { scopes }: Caller, settlings: readonly Remedy[]) {
  const ids = (what: Remedy['do']) => settlings.flatMap((one) => (one.do === what ? [one.id] : []))
  const programs = scopes.has('applications:read')
  const names = await op.read((db) =>
    namesOf(db, {
      roles: scopes.has('roles:read') ? ids('add_to_role') : [],
      applications: programs ? ids('grant_application') : [],
      accessKeys: programs ? ids('widen_key') : [],
    }),
  )
  return (id: string) => names.get(id) ?? null
}

export const replayRoutes = tagged('Decisions', [replayDecisions, groupRefusals])
