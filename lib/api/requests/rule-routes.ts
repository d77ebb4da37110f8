import { z } from 'zod'
import { compileCondition, readsBesideUser } from '../../access/condition'
import { patternCovers } from '../../access/pattern'
import type { Approver, RequestStage } from '../../access/policy'
import { PORTAL_SCOPE_NAMES } from '../../access/portal-api'
import { DAY_SECONDS } from '../../base/time'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import { type ApiRow, findApiById } from '../../store/permissions/apis'
import { subjectExists } from '../../store/permissions/assignments'
import {
  countRules,
  findRule,
  insertRule,
  listRulePage,
  type RuleFields,
  type RuleRow,
  removeRule,
  updateRule,
} from '../../store/requests/rules'
import { apisOwnedBy } from '../authority/authorize'
import { type ChangeEntry, change, changeSeen } from '../authority/change'
import { type Call, operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import {
  type FieldProblem,
  fieldProblem,
  invalidField,
  notFound,
  Problem,
  requireNone,
} from '../http/problem'
import {
  conditionSchema,
  idSchema,
  iso,
  nameSchema,
  patternSchema,
  stampsWire,
} from '../http/schemas'
import { requireSeen } from '../http/version'
import { approverSchema, approverWire } from './approver-schema'
import { hiddenAttributes } from './approvers'
import { findUnsound } from './check-rule'
import {
  emergencySchema,
  emergencyWire,
  namedApprovers,
  requireNotOwn,
  toEmergencyWire,
} from './emergency-rule'

/** What users may ask for, and who decides about it. */

const MAX_RULES = 200

export const stageSchema = z.strictObject({
  approvers: z.array(approverSchema).min(1).max(20),
  needed: z.int().min(1).max(10).default(1).describe('How many of them must approve'),
  deadlineSeconds: z
    .int()
    .min(1)
    .max(90 * DAY_SECONDS)
    .default(3 * DAY_SECONDS),
  escalateTo: z
    .array(approverSchema)
    .max(20)
    .default([])
    .describe('Who may decide as well once the deadline has passed'),
})

const ruleShape = {
  name: nameSchema,
  patterns: z.array(patternSchema).min(1).max(100).describe('Permissions of the API'),
  askers: conditionSchema
    .nullable()
    .describe('A condition on `user` and `request.time`; null: everybody'),
  reasonRequired: z.boolean(),
  maxSeconds: z
    .int()
    .min(1)
    .max(366 * DAY_SECONDS)
    .describe('The longest time that can be asked for'),
  stages: z.array(stageSchema).min(1).max(5),
  autoApprove: conditionSchema.nullable().describe('Approved at once if it holds'),
  autoRefuse: conditionSchema.nullable().describe('Refused at once if it holds; it wins'),
  emergency: emergencySchema.nullable().describe('Who may open it alone; null: nobody'),
  enabled: z.boolean(),
}

const createSchema = z.strictObject({
  api: idSchema.describe('ID or prefix of the API'),
  ...ruleShape,
  askers: ruleShape.askers.default(null),
  reasonRequired: ruleShape.reasonRequired.default(true),
  maxSeconds: ruleShape.maxSeconds.default(DAY_SECONDS),
  autoApprove: ruleShape.autoApprove.default(null),
  autoRefuse: ruleShape.autoRefuse.default(null),
  emergency: ruleShape.emergency.default(null),
  enabled: ruleShape.enabled.default(true),
})

const stageWire = z.object({
  approvers: z.array(approverWire),
  needed: z.number(),
  deadlineSeconds: z.number(),
  escalateTo: z.array(approverWire),
})
const ruleSchema = z.object({
  id: z.string(),
  api: z.string(),
  name: z.string(),
  patterns: z.array(z.string()),
  askers: z.string().nullable(),
  reasonRequired: z.boolean(),
  maxSeconds: z.number(),
  stages: z.array(stageWire),
  autoApprove: z.string().nullable(),
  autoRefuse: z.string().nullable(),
  emergency: emergencyWire.nullable(),
  enabled: z.boolean(),
  ...stampsWire,
})
export type RequestRuleWire = z.infer<typeof ruleSchema>

function toWire({ apiId, version: _, createdAt, updatedAt, stages, emergency, ...rule }: RuleRow) {
  return {
    ...rule,
    api: apiId,
    stages: stages.map((stage) => ({
      ...stage,
      approvers: [...stage.approvers],
      escalateTo: [...stage.escalateTo],
    })),
    emergency: toEmergencyWire(emergency),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  } satisfies RequestRuleWire
}

/** An app manager sees only the rules of APIs that they own. */
async function governedApis(op: Op, { caller, snapshot }: Call): Promise<Set<string> | null> {
  return caller.ownOnly ? apisOwnedBy(op, snapshot.policy, caller.id) : null
}

async function requireApi(op: Op, call: Call, id: string): Promise<ApiRow> {
  const api = await op.read((db) => findApiById(db, id))
  const governed = await governedApis(op, call)
  if (!api || governed?.has(api.id) === false) throw notFound('no_api', id)
  return api
}

async function requireRule(op: Op, call: Call, id: string): Promise<RuleRow> {
  const rule = await op.read((db) => findRule(db, id))
  const governed = await governedApis(op, call)
  if (!rule || governed?.has(rule.apiId) === false) throw notFound('no_rule', id)
  return rule
}

// ---------------------------------------------------------------- what a rule may say

/** Refused with an example if somebody's request could have nobody who decides. */
async function requireSound(op: Op, api: ApiRow, rule: RuleFields): Promise<void> {
  const { policy } = await op.latestSnapshot()
  const known = (pattern: string) =>
    pattern === `${api.prefix}:*` ||
    (patternCovers(`${api.prefix}:*`, pattern) && pattern.endsWith(':*')) ||
    policy.items.get(pattern)?.api.id === api.id
  const patterns = rule.patterns.flatMap((pattern, at) => {
    const pointer = `/patterns/${at}`
    if (PORTAL_SCOPE_NAMES.some((scope) => patternCovers(pattern, scope)))
      return [fieldProblem(pointer, errorMessage('request_portal'))]
    return known(pattern)
      ? []
      : [fieldProblem(pointer, errorMessage('request_pattern', { prefix: api.prefix }))]
  })
  requireNone([...patterns, ...askersProblems(rule), ...(await approverProblems(op, rule))])
  if (!rule.enabled) return
  const askers = rule.askers === null ? null : compileCondition(rule.askers)
  const unsound = await findUnsound(op, policy, api.id, { ...rule, askers })
  if (unsound) throw invalidField(unsound.pointer, unsound.reason)
}

/** The same people may ask wherever it was refused. */
function askersProblems({ askers }: Pick<RuleFields, 'askers'>): FieldProblem[] {
  const other = askers === null ? null : readsBesideUser(askers)
  return other ? [fieldProblem('/askers', errorMessage('askers_user', { variable: other }))] : []
}

async function approverProblems(
  op: Op,
  { stages, emergency }: Pick<RuleFields, 'stages' | 'emergency'>,
): Promise<FieldProblem[]> {
  const hidden = hiddenAttributes(op)
  const problems: FieldProblem[] = []
  for (const [pointer, approver] of [...approversOf(stages), ...namedApprovers(emergency)]) {
    if (approver.type === 'manager' && hidden.has(approver.attribute)) {
      const reason = errorMessage('manager_hidden', { key: approver.attribute })
      problems.push(fieldProblem(`${pointer}/attribute`, reason))
    } else if (!(await exists(op, approver))) {
      problems.push(fieldProblem(`${pointer}/id`, errorMessage('approver_unknown')))
    }
  }
  return problems
}

/** With where each stands. */
function approversOf(stages: readonly RequestStage[]): [pointer: string, Approver][] {
  return stages.flatMap((stage, at) =>
    (['approvers', 'escalateTo'] as const).flatMap((member) =>
      stage[member].map((one, index): [string, Approver] => [
        `/stages/${at}/${member}/${index}`,
        one,
      ]),
    ),
  )
}

async function exists(op: Op, approver: Approver): Promise<boolean> {
  if (!('id' in approver)) return true
  const { type, id } = approver
  if (type === 'role') return (await op.latestSnapshot()).policy.roles.has(id)
  return op.read((db) => subjectExists(db, type, id))
}

/** Whoever decides what can be asked for governs the API. */
function entryOf(
  event: 'request_rule.created' | 'request_rule.changed' | 'request_rule.deleted',
  api: ApiRow,
  id: string,
  detail: Record<string, unknown>,
): ChangeEntry {
  return {
    event,
    kind: 'request_rule',
    id,
    detail,
    gives: [{ gives: 'apis', apis: [api] }],
    touches: [{ kind: 'model', api: api.id }],
  }
}

// ---------------------------------------------------------------- operations

export const listRequestRules = operation({
  id: 'listRequestRules',
  method: 'GET',
  path: '/request-rules',
  summary: 'List the rules by which users may ask for access',
  scope: 'resources:read',
  query: listQuery(['name', 'createdAt'], { api: idSchema.optional() }),
  mayBeMissing: true,
  answers: { 200: pageSchema(ruleSchema) },
  async handle(op, call) {
    const { api } = call.query
    const one = api === undefined ? null : await requireApi(op, call, api)
    const apiIds = one ? [one.id] : [...((await governedApis(op, call)) ?? [])]
    const filters = one || call.caller.ownOnly ? { apiIds } : {}
    return listed(op, call.query, { name: 'request rules', filters, list: listRulePage }, toWire)
  },
})

export const createRequestRule = operation({
  id: 'createRequestRule',
  method: 'POST',
  path: '/request-rules',
  summary: 'Let users ask for permissions of an API; for API owners and admins',
  scope: 'applications:write',
  mayBeMissing: true,
  body: createSchema,
  example: {
    api: 'orders',
    name: 'Refunds',
    patterns: ['orders:refund'],
    maxSeconds: 28800,
    stages: [{ approvers: [{ type: 'api_owners' }], needed: 2 }],
  },
  answers: { 201: ruleSchema },
  async handle(op, call) {
    const { api: named, ...fields } = call.body
    const api = await requireApi(op, call, named)
    await requireSound(op, api, fields)
    await requireNotOwn(op, call.caller, api.id, null, fields)
    const id = newId('rqr')
    const entry = entryOf('request_rule.created', api, id, { after: call.body })
    const rule = await change(op, call, entry, async (tx) => {
      if ((await countRules(tx, api.id, MAX_RULES)) >= MAX_RULES)
        throw new Problem('conflict', errorMessage('too_many', { maximum: String(MAX_RULES) }))
      return insertRule(tx, { id, apiId: api.id, ...fields }, op.now())
    })
    return { status: 201, body: toWire(rule), version: rule.version }
  },
})

export const getRequestRule = operation({
  id: 'getRequestRule',
  method: 'GET',
  path: '/request-rules/{rule}',
  summary: 'Read a request rule',
  scope: 'resources:read',
  answers: { 200: ruleSchema },
  async handle(op, call) {
    const rule = await requireRule(op, call, call.params.rule)
    return { status: 200, body: toWire(rule), version: rule.version }
  },
})

export const changeRequestRule = operation({
  id: 'changeRequestRule',
  method: 'PATCH',
  path: '/request-rules/{rule}',
  summary: 'Change a request rule; requests that are open keep the terms they were made under',
  scope: 'applications:write',
  body: z.strictObject(ruleShape).partial(),
  example: { maxSeconds: 3600 },
  answers: { 200: ruleSchema },
  async handle(op, call) {
    const before = await requireRule(op, call, call.params.rule)
    requireSeen(call.ifMatch, before, toWire(before))
    const api = await requireApi(op, call, before.apiId)
    const fields = merged(before, call.body)
    await requireSound(op, api, fields)
    await requireNotOwn(op, call.caller, api.id, before, fields)
    const now = op.now()
    const entry = entryOf('request_rule.changed', api, before.id, {
      before: toWire(before),
      after: call.body,
    })
    await changeSeen(op, call, entry, (tx) => updateRule(tx, before, fields, now))
    const after = { ...before, ...fields, updatedAt: now, version: before.version + 1 }
    return { status: 200, body: toWire(after), version: after.version }
  },
})

type Changed = { [Name in keyof RuleFields]?: RuleFields[Name] | undefined }

function merged(before: RuleRow, body: Changed): RuleFields {
  const pick = <Name extends keyof RuleFields>(name: Name): RuleFields[Name] => {
    const given = body[name]
    return given === undefined ? before[name] : (given as RuleFields[Name])
  }
  return {
    name: pick('name'),
    patterns: pick('patterns'),
    askers: pick('askers'),
    reasonRequired: pick('reasonRequired'),
    maxSeconds: pick('maxSeconds'),
    stages: pick('stages'),
    autoApprove: pick('autoApprove'),
    autoRefuse: pick('autoRefuse'),
    emergency: pick('emergency'),
    enabled: pick('enabled'),
  }
}

export const deleteRequestRule = operation({
  id: 'deleteRequestRule',
  method: 'DELETE',
  path: '/request-rules/{rule}',
  summary: 'Delete a request rule; requests that are open are still decided',
  scope: 'applications:write',
  answers: { 204: null },
  async handle(op, call) {
    const before = await requireRule(op, call, call.params.rule)
    requireSeen(call.ifMatch, before, toWire(before))
    const api = await requireApi(op, call, before.apiId)
    await requireNotOwn(op, call.caller, api.id, before, null)
    const entry = entryOf('request_rule.deleted', api, before.id, { before: toWire(before) })
    await changeSeen(op, call, entry, (tx) => removeRule(tx, before))
    return { status: 204 }
  },
})

export const requestRuleRoutes = tagged('Access requests', [
  listRequestRules,
  createRequestRule,
  getRequestRule,
  changeRequestRule,
  deleteRequestRule,
])
