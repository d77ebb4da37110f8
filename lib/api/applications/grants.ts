import { z } from 'zod'
import type { Reader } from '../../context/op'
import { type ErrorMessage, errorMessage } from '../../i18n/error-message'
import { updateApplication } from '../../store/applications/applications'
import {
  type GrantRow,
  listGrants,
  replaceGrants,
  unregistered,
} from '../../store/permissions/grants'
import { type ChangeEntry, change } from '../authority/change'
import { withGrantors } from '../authority/grantor'
import { pastEnds, periodProblems } from '../authority/past-ends'
import { privilegesOfGrants, writtenRow } from '../authority/privileges'
import { operation, tagged } from '../http/operation'
import { type FieldProblem, fieldProblem, requireNone } from '../http/problem'
import { dateOf } from '../http/schemas'
import { requireSeen, requireWritten } from '../http/version'
import { requireExchangeable } from '../permissions/exchange-grants'
import {
  applicationGrantSchema,
  applicationGrantWire,
  toApplicationGrant,
} from '../permissions/grants'
import { requireApplication } from './applications'

const bodySchema = z.strictObject({ grants: z.array(applicationGrantSchema).max(1_000) })
const grantsSchema = z.object({ grants: z.array(applicationGrantWire) })

export type GrantsWire = z.infer<typeof grantsSchema>

type Asked = z.infer<typeof bodySchema>['grants']

function toWire(rows: readonly GrantRow[]) {
  return { grants: rows.map(toApplicationGrant.back) }
}

function toTerms({ validFrom, validUntil, ...grant }: Asked[number]) {
  return { ...grant, validFrom: dateOf(validFrom), validUntil: dateOf(validUntil) }
}

export const getApplicationGrants = operation({
  id: 'getApplicationGrants',
  method: 'GET',
  path: '/applications/{id}/grants',
  summary: 'List the grants of an application',
  scope: 'applications:read',
  answers: { 200: grantsSchema },
  async handle(op, { caller, params }) {
    const { id, version } = await requireApplication(op, caller, params.id)
    return { status: 200, body: toWire(await op.read((db) => listGrants(db, id))), version }
  },
})

export const replaceApplicationGrants = operation({
  id: 'replaceApplicationGrants',
  method: 'PUT',
  path: '/applications/{id}/grants',
  summary: 'Replace the grants of an application',
  scope: 'applications:write',
  body: bodySchema,
  example: {
    grants: [{ pattern: 'orders:read' }, { pattern: 'stock:read', exchangeFrom: 'app_...' }],
  },
  answers: { 200: grantsSchema },
  async handle(op, call) {
    const application = await requireApplication(op, call.caller, call.params.id)
    const { id, version } = application
    const before = await op.read((db) => listGrants(db, id))
    requireSeen(call.ifMatch, application, toWire(before))
    const asked = call.body.grants
    requireNone(periodProblems(asked, (at) => `/grants/${at}`))
    await requireExchangeable(op, id, asked)
    const rows = withGrantors(call.caller, before, asked.map(toTerms))
    requireNone(pastEnds(before, rows, op.now(), '/grants'))
    const { policy } = await op.latestSnapshot()
    const entry: ChangeEntry = {
      event: 'application.grants_replaced',
      gives: privilegesOfGrants(
        policy,
        before.map(writtenRow),
        rows.map((row, at) => ({ ...writtenRow(row), at: `/grants/${at}/pattern` })),
      ),
      kind: 'application',
      id,
      applicationId: id,
      detail: { before: toWire(before), after: call.body },
    }
    await op.read((db) => requireRegistered(db, asked))
    const after = await change(op, call, entry, async (tx) => {
      await requireRegistered(tx, asked)
      requireWritten(await updateApplication(tx, application, {}, op.now()))
      return replaceGrants(tx, id, rows, op.now())
    })
    return { status: 200, body: toWire(after), version: version + 1 }
  },
})

export const applicationGrantRoutes = tagged('Applications', [
  getApplicationGrants,
  replaceApplicationGrants,
])

async function requireRegistered(db: Reader, asked: Asked): Promise<void> {
  const unknown = await unregistered(
    db,
    asked.map(({ pattern }) => pattern),
  )
  requireNone(
    problemsOf(
      asked,
      ({ pattern }) => unknown.has(pattern),
      'pattern',
      errorMessage('unknown_permission_or_api'),
    ),
  )
}

function problemsOf(
  asked: Asked,
  isWrong: (grant: Asked[number]) => boolean,
  field: string,
  reason: ErrorMessage,
): FieldProblem[] {
  return asked.flatMap((grant, at) =>
    isWrong(grant) ? [fieldProblem(`/grants/${at}/${field}`, reason)] : [],
  )
}
