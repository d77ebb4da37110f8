import { z } from 'zod'
import { type Basis, basisIn } from '../../access/basis'
import type { DecisionToReplay, ReplayedClient, ReplayState } from '../../access/replay'
import { atOnce, inTurns, takingTurns } from '../../access/turns'
import { DAY_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { type Credential, isUsable } from '../../oidc/client'
import { askedBy, attributesDigest } from '../../oidc/scopes'
import {
  countIssued,
  listPastDecisions,
  type PastDecision,
  rangeOf,
  type Window,
} from '../../store/audit/stored-decisions'
import { openCursor, sealCursor } from '../http/page'
import { Problem } from '../http/problem'
import type { DraftSnapshot } from './draft'

/**
 * A pass over stored decisions, in parts as in pass.ts: each part takes about a second and says
 * where the next one begins, so memory has a limit and the caller can stop at any time.
 */

const PART_MS = 1_500
const BATCH = 500
const MAX_AT_ONCE = 2
const RETRY_SECONDS = 3

/** What is known about a stored decision; null if it cannot be read. */
export type PastDecisionToReplay = {
  row: PastDecision
  clientId: string
  past: DecisionToReplay | null
}

/** `seen`: a policy with everybody whom the decisions concern. A promise only if there is much to do. */
export type LookAt = (one: PastDecisionToReplay, seen: DraftSnapshot) => void | Promise<void>

const MANY_SCOPES = 100

/** Work that marks where it can be interrupted: for many scopes, others get their turn in between. */
export function lookAt<T>(
  { scopes }: DecisionToReplay,
  work: Iterator<unknown, T>,
  done: (result: T) => void,
): ReturnType<LookAt> {
  if (scopes.length <= MANY_SCOPES) return done(atOnce(work))
  return inTurns(work).then(done)
}

const positionSchema = z.strictObject({
  until: z.number(),
  first: z.string(),
  last: z.string(),
  /** Tokens that were looked at so far. */
  issued: z.number(),
  /** Of the policy at the first decision. */
  version: z.number().nullable(),
})
type Position = Omit<z.infer<typeof positionSchema>, 'first' | 'last'> & {
  first: bigint
  last: bigint
  after: bigint
}

type Part = {
  since: Date
  decisions: number
  /**
   * Known at the end: tokens of the window of which it is not stored what they were decided on. Null
   * if there are too many to count.
   */
  notStored: number | null
  /** The policy is another one than at the first decision. */
  policyChanged: boolean
  next: string | null
  progress: number
}

let running = 0

/** Everything that a part needs, with its draft and its names, is one of the few at once. */
export async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_AT_ONCE) throw busy()
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
  }
}

function busy(): Problem {
  const headers = { 'Retry-After': String(RETRY_SECONDS) }
  return new Problem('slow_down', 'other replays are running: try again in a few seconds', {
    headers,
  })
}

/** `bound`: what is replayed; a position belongs to it. */
export async function passOverDecisions(
  op: Op,
  { days, after, bound }: { days: number; after: string | undefined; bound: string },
  look: LookAt,
): Promise<Part> {
  const start = await startAt(op, days, after, bound)
  const window = windowOf(start, days)
  const deadline = performance.now() + PART_MS
  let [at, decisions, policyChanged] = [start, 0, false]
  for (;;) {
    const rows = await op.readReplica((db) =>
      listPastDecisions(db, op.databaseKind, window, at.after, BATCH),
    )
    const { looked, version } = await lookAtAll(op, rows, look, deadline)
    decisions += looked.length
    const issued = looked.filter(({ event }) => event === 'token.issued').length
    at = {
      ...at,
      issued: at.issued + issued,
      after: looked.at(-1)?.seq ?? at.after,
      version: at.version ?? version,
    }
    policyChanged ||= at.version !== version
    const isLast = rows.length < BATCH && looked.length === rows.length
    if (isLast || performance.now() > deadline) {
      const end = await endOf(op, window, at, isLast, bound)
      return { since: window.since, decisions, policyChanged, ...end }
    }
  }
}

async function endOf(op: Op, window: Window, at: Position, isLast: boolean, bound: string) {
  if (isLast) {
    return { notStored: await notStored(op, window, at), next: null, progress: 1 }
  }
  const { after, first, last, ...rest } = at
  const value = JSON.stringify({ ...rest, first: String(first), last: String(last) })
  const next = sealCursor(op, bound, { value, id: String(after) })
  const progress = Number(after - first) / Math.max(1, Number(last - first))
  return { notStored: 0, next, progress: Math.min(0.99, Math.max(0, progress)) }
}

async function notStored(op: Op, window: Window, { issued }: Position): Promise<number | null> {
  try {
    return Math.max(0, (await op.readReplica((db) => countIssued(db, window))) - issued)
  } catch (error) {
    if (!op.isUnavailable(error)) throw error
    return null
  }
}

async function startAt(
  op: Op,
  days: number,
  cursor: string | undefined,
  bound: string,
): Promise<Position> {
  if (cursor !== undefined) {
    const { value, id } = openCursor(op, bound, cursor, '/after')
    const { first, last, ...rest } = positionSchema.parse(JSON.parse(value ?? ''))
    return { ...rest, first: BigInt(first), last: BigInt(last), after: BigInt(id) }
  }
  const until = op.now().getTime()
  const window = windowOf({ until }, days)
  const { first = 0n, last = 0n } = (await op.readReplica((db) => rangeOf(db, window))) ?? {}
  return { until, first, last, issued: 0, version: null, after: first - 1n }
}

function windowOf({ until }: Pick<Position, 'until'>, days: number): Window {
  return { since: new Date(until - days * DAY_MS), until: new Date(until) }
}

// ---------------------------------------------------------------- one page

/** Those that were looked at before the deadline, at least one; and the version of the policy. */
async function lookAtAll(
  op: Op,
  rows: readonly PastDecision[],
  look: LookAt,
  deadline: number,
): Promise<{ looked: readonly PastDecision[]; version: number }> {
  const all = rows.map((row) => toRemembered(op, row))
  const seen = await op.snapshot({
    clients: [...new Set(all.map(({ clientId }) => clientId))],
    users: [...new Set(rows.flatMap(({ userId }) => userId ?? []))],
  })
  const { version } = seen
  const turn = takingTurns()
  for (const [at, one] of all.entries()) {
    const pause = look(one, seen) ?? turn()
    if (pause) await pause
    if (performance.now() > deadline) return { looked: rows.slice(0, at + 1), version }
  }
  return { looked: rows, version }
}

function toRemembered(op: Op, row: PastDecision): PastDecisionToReplay {
  const basis = basisIn(row.basis)
  const detail = detailSchema.safeParse(row.detail)
  const { actorKind, actorId, applicationId } = row
  const clientId = basis?.k ?? (actorKind === 'client' ? actorId : applicationId) ?? ''
  if (!basis || !detail.success || applicationId === null) return { row, clientId, past: null }
  const past = toPast(row, applicationId, clientId, basis, detail.data)
  const { userId } = row
  if (userId === null) return { row, clientId, past }
  const hadAttributes = (attributes: object) =>
    attributesDigest(op, { ...attributes, id: userId }) === (basis.d ?? null)
  return { row, clientId, past: { ...past, hadAttributes } }
}

const detailSchema = z.object({
  grant_type: z.string().optional(),
  scope: z.array(z.string()).catch([]),
  refused: z.array(z.object({ scope: z.string() })).catch([]),
})

function toPast(
  row: PastDecision,
  applicationId: string,
  clientId: string,
  basis: Basis,
  detail: z.infer<typeof detailSchema>,
): DecisionToReplay {
  const isIssued = row.event === 'token.issued'
  const granted = isIssued ? detail.scope : []
  const scopes = isIssued ? [...granted, ...detail.refused.map(({ scope }) => scope)] : basis.s
  const { userId } = row
  return {
    scopes: scopes ?? [],
    granted: new Set(granted),
    applicationId,
    userId,
    ...(basis.x && { exchangeFrom: basis.x.from }),
    ...(basis.l && { carried: basis.l }),
    withheld: userId === null ? null : new Set(basis.w ?? []),
    ...(basis.n && { withheldRequired: new Set(basis.q ?? []) }),
    audiences: basis.r ?? [],
    context: contextOf(row, applicationId, clientId, basis, basis.g ?? detail.grant_type),
    userAgentCut: basis.uc === 1,
  }
}

function contextOf(
  { at, ip }: PastDecision,
  applicationId: string,
  clientId: string,
  basis: Basis,
  grantType: string | undefined,
): DecisionToReplay['context'] {
  return {
    request: {
      time: new Date(at),
      ...(grantType !== undefined && { grant_type: grantType }),
      ...(ip !== null && { ip }),
      ...(basis.u !== undefined && { user_agent: basis.u }),
      ...(basis.x && { exchange: basis.x }),
    },
    client: {
      id: clientId,
      application_id: applicationId,
      ...(clientId !== applicationId && { access_key: clientId }),
    },
    resource: {},
    user: {},
    auth: {
      ...(basis.c !== undefined && { acr: basis.c }),
      ...(basis.m !== undefined && { amr: basis.m }),
      ...(basis.a !== undefined && { age: basis.a }),
    },
    subject: {},
    action: {},
  }
}

// ---------------------------------------------------------------- who asked

export function worldOf(seen: DraftSnapshot, clientId: string, at: number): ReplayState {
  const { policy, credentials, readsMore = false } = seen
  const credential = credentials.get(clientId)
  return { policy, asker: credential ? askerOf(credential, at) : null, readsMore }
}

/** A key that has expired since was good at the time of the decision. */
function askerOf(credential: Credential, at: number): ReplayedClient {
  const { requiredScopes, strictScopes } = credential.application
  const usable = isUsable(credential, new Date(at))
  return { ...askedBy(credential), requiredScopes, strictScopes, usable }
}
