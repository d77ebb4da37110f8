import { z } from 'zod'
import { rule } from '../../i18n/error-message'
import {
  type AuditEntryRow,
  type AuditFilters,
  findAuditEntry,
  listAuditPage,
} from '../../store/audit/audit'
import { verifyChain } from '../../store/audit/chain'
import { membersOf } from '../../store/database/json'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { notFound } from '../http/problem'
import { dateSchema, idSchema, iso } from '../http/schemas'
import { includeSchema, namesIn, namesSchema } from '../http/visible-names'

export const ACTOR_KINDS = ['user', 'client', 'system'] as const
export const AUDIT_RESULTS = ['success', 'failure'] as const
const MAX_VERIFIED = 20_000

/** A position in the log, as text: it may exceed the safe integers. */
const seqSchema = z.string().regex(/^\d{1,15}$/, rule('number_needed'))

const eventSchema = z.object({
  id: z.string(),
  seq: z.string(),
  at: z.string(),
  event: z.string(),
  result: z.string(),
  actorKind: z.string(),
  actorId: z.string().nullable(),
  targetKind: z.string().nullable(),
  targetId: z.string().nullable(),
  applicationId: z.string().nullable(),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  decisionId: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
})

export type AuditEventWire = z.infer<typeof eventSchema>

export function toWire({ seq, at, detail, ...entry }: AuditEntryRow) {
  return { ...entry, seq: String(seq), at: iso(at), detail: membersOf(detail) }
}

const verifiedSchema = z.object({
  state: z.enum(['whole', 'broken', 'unfinished']),
  checked: z.number(),
  upTo: z.string().describe('The last entry that was verified'),
  broken: z
    .object({ seq: z.string(), why: z.enum(['changed', 'unlinked', 'missing', 'cut']) })
    .nullable(),
})
export type VerifiedWire = z.infer<typeof verifiedSchema>

/** The filters of entries, for the list, saved views and the download. */
export const auditFilters = {
  event: idSchema
    .optional()
    .describe('One event, such as user.created, or all events of one kind: user.*'),
  actorKind: z.enum(ACTOR_KINDS).optional(),
  actorId: idSchema.optional(),
  targetKind: idSchema.optional(),
  targetId: idSchema.optional(),
  applicationId: idSchema.optional(),
  ip: idSchema.optional(),
  requestId: idSchema.optional(),
  decisionId: idSchema.optional(),
  result: z.enum(AUDIT_RESULTS).optional(),
  from: dateSchema.optional(),
  to: dateSchema.optional(),
}
const filterSchema = z.strictObject(auditFilters)
export type AuditQuery = z.infer<typeof filterSchema>

/** The newest first; there is no text search. */
const query = listQuery(['seq'], {
  ...auditFilters,
  include: includeSchema,
  after: seqSchema.optional().describe('Only entries after this `seq`, to follow the log'),
})
  .omit({ q: true })
  .extend({ sort: z.enum(['-seq', 'seq']).default('-seq') })

export function filtersOf({ from, to, ...exact }: AuditQuery): AuditFilters {
  return { ...exact, from: dateIn(from), to: dateIn(to) }
}

function dateIn(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}

export const listAuditEvents = operation({
  id: 'listAuditEvents',
  method: 'GET',
  path: '/audit-events',
  summary: 'List the entries of the audit log, the newest first',
  scope: 'audit:read',
  query,
  answers: { 200: pageSchema(eventSchema).extend({ names: namesSchema.optional() }) },
  async handle(op, call) {
    const { limit, cursor, sort, count, after, include, ...filters } = call.query
    const result = await listed(
      op,
      { limit, cursor, sort, count },
      {
        name: 'audit-events',
        filters: {
          ...filtersOf(filters),
          afterSeq: after === undefined ? undefined : Number(after),
        },
        list: listAuditPage,
      },
      toWire,
    )
    if (include !== 'names') return result
    const names = await namesIn(op, call.caller, result.body.data)
    return { ...result, body: { ...result.body, names } }
  },
})

export const getAuditEvent = operation({
  id: 'getAuditEvent',
  method: 'GET',
  path: '/audit-events/{id}',
  summary: 'Read one entry of the audit log',
  scope: 'audit:read',
  query: z.strictObject({ include: includeSchema }),
  answers: { 200: eventSchema.extend({ names: namesSchema.optional() }) },
  async handle(op, { caller, params, query: { include } }) {
    const entry = await op.readReplica((db) => findAuditEntry(db, params.id))
    if (!entry) throw notFound('no_entry', params.id)
    const names = include && { names: await namesIn(op, caller, [entry]) }
    return { status: 200, body: { ...toWire(entry), ...names } }
  },
})

export const verifyAuditEvents = operation({
  id: 'verifyAuditEvents',
  method: 'GET',
  path: '/audit-events:verify',
  summary: `Verify the hash chain of the audit log, ${MAX_VERIFIED} entries per call`,
  scope: 'audit:read',
  query: z.strictObject({
    after: seqSchema.default('0').describe('`upTo` of the previous call, to continue there'),
  }),
  answers: { 200: verifiedSchema },
  async handle(op, { query: { after } }) {
    const done = await op.readReplica((db) => verifyChain(db, BigInt(after), MAX_VERIFIED))
    const { broken, more, checked, upTo } = done
    const unbroken = more ? 'unfinished' : 'whole'
    const body = {
      state: broken ? 'broken' : unbroken,
      checked,
      upTo: String(upTo),
      broken: broken && { seq: String(broken.seq), why: broken.why },
    }
    return { status: 200, body }
  },
})

export const auditRoutes = tagged('Audit log', [listAuditEvents, getAuditEvent, verifyAuditEvents])
