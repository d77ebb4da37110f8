import { z } from 'zod'
import { type Basis, basisIn } from '../access/basis'
import type { Asker, Past, World } from '../access/replay'
import { takingTurns } from '../access/turns'
import type { Op } from '../context/op'
import { type Credential, isUsable } from '../oidc/client'
import { askedBy } from '../oidc/scopes'
import {
  countIssued,
  listPastDecisions,
  type PastDecision,
  rangeOf,
  type Window,
} from '../store/stored-decisions'
import { openCursor, sealCursor } from './page'
import { Problem } from './problem'
import type { Seen } from './replay-draft'

/**
 * A pass over stored decisions, in parts as in pass.ts: each part takes about a second and says
 * where the next one begins, so memory has a limit and the caller can stop at any time.
 */

const DAY_MS = 24 * 60 * 60 * 1000
const PART_MS = 1_500
const BATCH = 500
const MOST_AT_ONCE = 2
const RETRY_SECONDS = 3

/** What is known about a stored decision; null if it cannot be read. */
export type Remembered = { row: PastDecision; clientId: string; past: Past | null }

/** `seen`: a policy with everybody whom the decisions concern. */
export type LookAt = (one: Remembered, seen: Seen) => void

const positionSchema = z.strictObject({
  until: z.number(),
  first: z.string(),
  last: z.string(),
  /** Tokens that were looked at so far. */
  issued: z.number(),
})
type Position = { until: number; first: bigint; last: bigint; issued: number; after: bigint }

export type Part = {
  since: Date
  decisions: number
  /** Known at the end: tokens of the window of which it is not stored what they were decided on. */
  notStored: number
  next: string | null
  progress: number
}

let running = 0

/** `bound`: what is replayed; a position belongs to it. */
export async function passOverDecisions(
  op: Op,
  { days, after, bound }: { days: number; after: string | undefined; bound: string },
  look: LookAt,
): Promise<Part> {
  if (running >= MOST_AT_ONCE) throw busy()
  running += 1
  try {
    return await onePart(op, days, after, bound, look)
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

async function onePart(
  op: Op,
  days: number,
  cursor: string | undefined,
  bound: string,
  look: LookAt,
): Promise<Part> {
  const start = await startAt(op, days, cursor, bound)
  const window = windowOf(start, days)
  const deadline = performance.now() + PART_MS
  let [at, decisions] = [start, 0]
  for (;;) {
    const rows = await op.readReplica((db) =>
      listPastDecisions(db, op.databaseKind, window, at.after, BATCH),
    )
    await lookAtAll(op, rows, look)
    decisions += rows.length
    const issued = rows.filter(({ event }) => event === 'token.issued').length
    at = { ...at, issued: at.issued + issued, after: rows.at(-1)?.seq ?? at.after }
    const isLast = rows.length < BATCH
    if (isLast || performance.now() > deadline) {
      return { since: window.since, decisions, ...(await endOf(op, window, at, isLast, bound)) }
    }
  }
}

async function endOf(op: Op, window: Window, at: Position, isLast: boolean, bound: string) {
  if (isLast) {
    const all = await op.readReplica((db) => countIssued(db, window))
    return { notStored: Math.max(0, all - at.issued), next: null, progress: 1 }
  }
  const { after, until, first, last, issued } = at
  const value = JSON.stringify({ until, first: String(first), last: String(last), issued })
  const next = sealCursor(op, bound, { value, id: String(after) })
  const progress = Number(after - first) / Math.max(1, Number(last - first))
  return { notStored: 0, next, progress: Math.min(0.99, Math.max(0, progress)) }
}

async function startAt(
  op: Op,
  days: number,
  cursor: string | undefined,
  bound: string,
): Promise<Position> {
  if (cursor !== undefined) {
    const { value, id } = openCursor(op, bound, cursor, '/after')
    const { until, first, last, issued } = positionSchema.parse(JSON.parse(value ?? ''))
    return { until, first: BigInt(first), last: BigInt(last), issued, after: BigInt(id) }
  }
  const until = op.now().getTime()
  const window = windowOf({ until }, days)
  const { first = 0n, last = 0n } = (await op.readReplica((db) => rangeOf(db, window))) ?? {}
  return { until, first, last, issued: 0, after: first - 1n }
}

function windowOf({ until }: Pick<Position, 'until'>, days: number): Window {
  return { since: new Date(until - days * DAY_MS), until: new Date(until) }
}

// ---------------------------------------------------------------- one page

async function lookAtAll(op: Op, rows: readonly PastDecision[], look: LookAt): Promise<void> {
  const all = rows.map(toRemembered)
  const seen = await op.snapshot({
    clients: [...new Set(all.map(({ clientId }) => clientId))],
    users: [...new Set(rows.flatMap(({ userId }) => userId ?? []))],
  })
  const turn = takingTurns()
  for (const one of all) {
    look(one, seen)
    const pause = turn()
    if (pause) await pause
  }
}

function toRemembered(row: PastDecision): Remembered {
  const basis = basisIn(row.basis)
  const detail = detailSchema.safeParse(row.detail)
  const { actorKind, actorId, applicationId } = row
  const clientId = basis?.k ?? (actorKind === 'client' ? actorId : applicationId) ?? ''
  if (!basis || !detail.success || applicationId === null) return { row, clientId, past: null }
  return { row, clientId, past: toPast(row, applicationId, clientId, basis, detail.data) }
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
): Past {
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
    withheld: userId === null ? null : new Set(basis.w ?? []),
    audiences: basis.r ?? [],
    context: contextOf(row, applicationId, clientId, basis, detail.grant_type ?? basis.g),
    attributesDigest: basis.d ?? null,
    userAgentCut: basis.uc === 1,
  }
}

function contextOf(
  { at, ip }: PastDecision,
  applicationId: string,
  clientId: string,
  basis: Basis,
  grantType: string | undefined,
): Past['context'] {
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

export function worldOf({ policy, credentials }: Seen, clientId: string, at: number): World {
  const credential = credentials.get(clientId)
  return { policy, asker: credential ? askerOf(credential, at) : null }
}

/** A key that has expired since was good at the time of the decision. */
function askerOf(credential: Credential, at: number): Asker {
  const { requiredScopes, strictScopes } = credential.application
  const usable = isUsable(credential, new Date(at))
  return { ...askedBy(credential), requiredScopes, strictScopes, usable }
}
