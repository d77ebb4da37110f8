import { z } from 'zod'
import { patternCovers } from '../../access/pattern'
import { PORTAL_SCOPE_NAMES, type PortalScope } from '../../portal-api'
import { updateApplication } from '../../store/applications'
import type { Transaction } from '../../store/database'
import { type GrantRow, listGrants, replaceGrants, unregistered } from '../../store/grants'
import type { Caller } from '../caller'
import { change } from '../change'
import { grantSchema, grantWire, toGrantRow } from '../grants'
import { type FieldProblem, Problem } from '../problem'
import { route } from '../route'
import { dateOf } from '../schemas'
import { requireSeen, requireWritten } from '../version'
import { requireApplication } from './applications'

const TAG = 'Applications'

const bodySchema = z.strictObject({ grants: z.array(grantSchema).max(1_000) })
const grantsSchema = z.object({ grants: z.array(grantWire) })

export type GrantsWire = z.infer<typeof grantsSchema>

type Asked = z.infer<typeof bodySchema>['grants']

function toWire(rows: readonly GrantRow[]) {
  return { grants: rows.map(toGrantRow.back) }
}

function toTerms({ validFrom, validUntil, ...grant }: Asked[number]) {
  return { ...grant, validFrom: dateOf(validFrom), validUntil: dateOf(validUntil) }
}

export const applicationGrantRoutes = [
  route({
    id: 'getApplicationGrants',
    method: 'GET',
    path: '/applications/{id}/grants',
    tag: TAG,
    summary: 'Read what an application holds',
    scope: 'applications:read',
    answers: { 200: grantsSchema },
    async handle(op, { caller, params }) {
      const { id, version } = await requireApplication(op, caller, params.id)
      return { status: 200, body: toWire(await op.read((db) => listGrants(db, id))), version }
    },
  }),
  route({
    id: 'replaceApplicationGrants',
    method: 'PUT',
    path: '/applications/{id}/grants',
    tag: TAG,
    summary: 'Replace what an application holds',
    scope: 'applications:write',
    body: bodySchema,
    example: { grants: [{ pattern: 'orders:read' }, { pattern: 'reports:*' }] },
    answers: { 200: grantsSchema },
    async handle(op, call) {
      const application = await requireApplication(op, call.caller, call.params.id)
      const { id, version } = application
      const before = await op.read((db) => listGrants(db, id))
      requireSeen(call.ifMatch, application, toWire(before))
      const asked = call.body.grants
      requirePeriods(asked)
      requireOwnToGive(call.caller, before, asked)
      const happened = {
        event: 'application.grants_replaced',
        kind: 'application',
        id,
        applicationId: id,
        detail: { before: toWire(before), after: call.body },
      }
      const rows = await change(op, call, happened, async (tx) => {
        await requireRegistered(tx, asked)
        requireWritten(await updateApplication(tx, application, {}, op.now()))
        return replaceGrants(tx, id, asked.map(toTerms), op.now())
      })
      return { status: 200, body: toWire(rows), version: version + 1 }
    },
  }),
]

function requirePeriods(asked: Asked): void {
  requireNone(
    problemsOf(
      asked,
      ({ validFrom, validUntil }) =>
        validFrom !== null && validUntil !== null && new Date(validFrom) >= new Date(validUntil),
      'validUntil',
      'it ends before it begins',
    ),
  )
}

/**
 * Nobody gives an application more of the portal than they have themselves, and an app manager
 * nothing of it: as a client of its own it would see what is not theirs (N5). What it holds already
 * may stay.
 */
function requireOwnToGive(caller: Caller, before: readonly GrantRow[], asked: Asked): void {
  const held = new Set(before.map(({ pattern }) => pattern))
  const mayGive = (scope: PortalScope) => !caller.ownOnly && caller.scopes.has(scope)
  const errors = problemsOf(
    asked,
    ({ pattern }) => !held.has(pattern) && !portalScopesIn(pattern).every(mayGive),
    'pattern',
    'the caller cannot give this',
  )
  if (errors[0]) throw new Problem('forbidden', errors[0].detail, { errors })
}

function portalScopesIn(pattern: string): PortalScope[] {
  return PORTAL_SCOPE_NAMES.filter((scope) => patternCovers(pattern, scope))
}

async function requireRegistered(tx: Transaction, asked: Asked): Promise<void> {
  const unknown = await unregistered(
    tx,
    asked.map(({ pattern }) => pattern),
  )
  requireNone(
    problemsOf(asked, ({ pattern }) => unknown.has(pattern), 'pattern', 'no such item or API'),
  )
}

function requireNone(errors: FieldProblem[]): void {
  if (errors[0]) throw new Problem('invalid', errors[0].detail, { errors })
}

function problemsOf(
  asked: Asked,
  isWrong: (grant: Asked[number]) => boolean,
  field: string,
  detail: string,
): FieldProblem[] {
  return asked.flatMap((grant, at) =>
    isWrong(grant) ? [{ pointer: `/grants/${at}/${field}`, code: 'invalid', detail }] : [],
  )
}
