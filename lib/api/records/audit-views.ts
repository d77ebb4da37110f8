import { z } from 'zod'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import {
  type AuditView,
  auditViewsOf,
  countAuditViews,
  insertAuditView,
  removeAuditView,
} from '../../store/audit/views'
import { isUniqueViolation } from '../../store/database/unique'
import type { Caller } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { fieldProblem, invalidField, notFound, Problem } from '../http/problem'
import { iso, nameSchema } from '../http/schemas'
import { auditFilters } from './audit'

/** Saved filters of the audit log. A view belongs to one user; no decision depends on it. */

const MAX_VIEWS = 50

const viewSchema = z.object({
  id: z.string(),
  name: z.string(),
  query: z.string().describe('The query string of the list'),
  createdAt: z.string(),
})

export type AuditViewWire = z.infer<typeof viewSchema>

function toWire({ createdAt, ...view }: AuditView) {
  return { ...view, createdAt: iso(createdAt) }
}

function requirePerson({ kind, id }: Caller): string {
  if (kind === 'user') return id
  throw new Problem('forbidden', errorMessage('view_person'))
}

const filterSchema = z.strictObject(auditFilters)

/** Only filters that the list accepts are saved. */
function canonicalQuery(text: string): string {
  const given = new URLSearchParams(text)
  const parsed = filterSchema.safeParse(Object.fromEntries(given))
  if (!parsed.success) throw invalidField('/query', errorMessage('view_filters'))
  const kept = Object.entries(parsed.data).filter(([, value]) => value !== undefined)
  return new URLSearchParams(kept as [string, string][]).toString()
}

async function save(op: Op, userId: string, view: AuditView): Promise<void> {
  try {
    await op.write(async (tx) => {
      if ((await countAuditViews(tx, userId)) >= MAX_VIEWS) {
        throw new Problem('conflict', errorMessage('views_most', { maximum: String(MAX_VIEWS) }))
      }
      await insertAuditView(tx, userId, view)
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const reason = errorMessage('taken_view', { name: view.name })
    throw new Problem('conflict', reason, { errors: [fieldProblem('/name', reason)], cause: error })
  }
}

export const listAuditViews = operation({
  id: 'listAuditViews',
  method: 'GET',
  path: '/audit-views',
  summary: 'List the caller’s saved views of the audit log',
  scope: 'audit:read',
  answers: { 200: z.object({ data: z.array(viewSchema) }) },
  async handle(op, { caller }) {
    const views = await op.read((db) => auditViewsOf(db, requirePerson(caller)))
    return { status: 200, body: { data: views.map(toWire) } }
  },
})

export const createAuditView = operation({
  id: 'createAuditView',
  method: 'POST',
  path: '/audit-views',
  summary: 'Save filters of the audit log as a view',
  scope: 'audit:read',
  body: z.strictObject({ name: nameSchema, query: z.string().max(2_000) }),
  example: { name: 'Failed sign-ins', query: 'event=login.failed' },
  answers: { 201: viewSchema },
  async handle(op, { caller, body }) {
    const userId = requirePerson(caller)
    const query = canonicalQuery(body.query)
    const view = { id: newId('avw'), name: body.name, query, createdAt: op.now() }
    await save(op, userId, view)
    return { status: 201, body: toWire(view) }
  },
})

export const deleteAuditView = operation({
  id: 'deleteAuditView',
  method: 'DELETE',
  path: '/audit-views/{id}',
  summary: 'Delete a saved view',
  scope: 'audit:read',
  versioned: false,
  answers: { 204: null },
  async handle(op, { caller, params }) {
    const userId = requirePerson(caller)
    if (!(await op.write((tx) => removeAuditView(tx, userId, params.id))))
      throw notFound('no_view', params.id)
    return { status: 204 }
  },
})

export const auditViewRoutes = tagged('Audit log', [
  listAuditViews,
  createAuditView,
  deleteAuditView,
])
