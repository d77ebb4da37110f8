import { z } from 'zod'
import { AUDIT_FIELDS, findAuditEntry } from '../../store/audit'
import { listed, listQuery, pageSchema } from '../page'
import { notFound } from '../problem'
import { route } from '../route'
import { dateSchema, idSchema, iso, sent } from '../schemas'

const TAG = 'Audit log'

/** Where something stands in the log, as text: it may be longer than a number can be. */
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

type Entry = NonNullable<Awaited<ReturnType<typeof findAuditEntry>>>

function toWire({ seq, at, ...entry }: Entry) {
  return { ...entry, seq: String(seq), at: iso(at) }
}

const exact = {
  event: idSchema.optional(),
  actorId: idSchema.optional(),
  targetId: idSchema.optional(),
  applicationId: idSchema.optional(),
  requestId: idSchema.optional(),
  decisionId: idSchema.optional(),
  result: z.enum(['success', 'failure']).optional(),
}

/** The newest first; there are no words to search for. */
const query = listQuery(['seq'], {
  ...exact,
  from: dateSchema.optional(),
  to: dateSchema.optional(),
})
  .omit({ q: true })
  .extend({ sort: z.enum(['-seq', 'seq']).default('-seq') })

function whereOf(asked: z.infer<typeof query>): object {
  const { event, actorId, targetId, applicationId, requestId, decisionId, result } = asked
  const { from, to } = asked
  return {
    ...sent({ event, actorId, targetId, applicationId, requestId, decisionId, result }),
    at: {
      ...(from !== undefined && { gte: new Date(from) }),
      ...(to !== undefined && { lt: new Date(to) }),
    },
  }
}

export const auditRoutes = [
  route({
    id: 'listAuditEvents',
    method: 'GET',
    path: '/audit-events',
    tag: TAG,
    summary: 'Read the audit log, the newest first',
    scope: 'audit:read',
    query,
    answers: { 200: pageSchema(eventSchema) },
    handle: (op, call) =>
      op.read((db) =>
        listed(
          op,
          call.query,
          {
            name: 'audit-events',
            where: whereOf(call.query),
            sorts: { seq: 'bigint' },
            searched: [],
            find: (args) => db.auditEntry.findMany({ ...args, select: AUDIT_FIELDS }),
            count: (args) => db.auditEntry.count(args),
          },
          toWire,
        ),
      ),
  }),
  route({
    id: 'getAuditEvent',
    method: 'GET',
    path: '/audit-events/{id}',
    tag: TAG,
    summary: 'Read one entry of the audit log',
    scope: 'audit:read',
    answers: { 200: eventSchema },
    async handle(op, { params }) {
      const entry = await op.read((db) => findAuditEntry(db, params.id))
      if (!entry) throw notFound()
      return { status: 200, body: toWire(entry) }
    },
  }),
]
