import { DbNull } from '@prisma/client/runtime/client'
import { z } from 'zod'
import type { Emergency, RequestRule, RequestStage } from '../../access/policy'
import { compileStored } from '../../access/stored-condition'
import type { Reader, Transaction } from '../database/connection'
import { prisma, type Queries } from '../database/database'
import { stringList } from '../database/json'
import { type Page, type PageAsk, pageOf } from '../database/page'

/** What users may ask for, and who decides about it. */

const approver = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['role', 'group', 'user']), id: z.string() }),
  z.object({ type: z.literal('api_owners') }),
  z.object({ type: z.literal('manager'), attribute: z.string() }),
])
const stage = z.object({
  approvers: z.array(approver),
  needed: z.number(),
  deadlineSeconds: z.number(),
  escalateTo: z.array(approver),
})
const stages = z.array(stage)

export function stagesIn(value: unknown): RequestStage[] {
  return stages.parse(value)
}

const emergency = z.object({
  people: z.array(approver),
  seconds: z.number(),
  reviewSeconds: z.number(),
  reviewers: z.array(approver),
})

export function emergencyIn(value: unknown): Emergency | null {
  return emergency.nullish().parse(value) ?? null
}

type Row = NonNullable<Awaited<ReturnType<Queries['requestRule']['findFirst']>>>

export type RuleRow = Omit<Row, 'patterns' | 'stages' | 'emergency'> & {
  patterns: string[]
  stages: RequestStage[]
  emergency: Emergency | null
}

export type RuleFields = Pick<
  RuleRow,
  | 'name'
  | 'patterns'
  | 'askers'
  | 'reasonRequired'
  | 'maxSeconds'
  | 'stages'
  | 'autoApprove'
  | 'autoRefuse'
  | 'emergency'
  | 'enabled'
>

function toRow(row: Row): RuleRow {
  return {
    ...row,
    patterns: stringList(row.patterns),
    stages: stagesIn(row.stages),
    emergency: emergencyIn(row.emergency),
  }
}

// ---------------------------------------------------------------- for decisions

const IN_FORCE = {
  id: true,
  name: true,
  patterns: true,
  askers: true,
  reasonRequired: true,
  maxSeconds: true,
  stages: true,
  autoApprove: true,
  autoRefuse: true,
  emergency: true,
} as const

/** What to read together with an API. */
export const RULES_IN_FORCE = {
  where: { enabled: true },
  select: IN_FORCE,
  orderBy: { id: 'asc' },
} as const

export type StoredRule = Pick<Row, keyof typeof IN_FORCE>

export function toRule({ askers, autoApprove, autoRefuse, ...rule }: StoredRule): RequestRule {
  const compiled = (source: string | null) => (source === null ? null : compileStored(source))
  return {
    ...rule,
    patterns: stringList(rule.patterns),
    stages: stagesIn(rule.stages),
    askers: compiled(askers),
    autoApprove: compiled(autoApprove),
    autoRefuse: compiled(autoRefuse),
    emergency: emergencyIn(rule.emergency),
  }
}

// ---------------------------------------------------------------- reading and writing

export async function findRule(db: Reader, id: string): Promise<RuleRow | null> {
  const row = await prisma(db).requestRule.findUnique({ where: { id } })
  return row && toRow(row)
}

type RuleFilters = { apiIds?: readonly string[] | undefined }

export async function listRulePage(
  db: Reader,
  { apiIds }: RuleFilters,
  ask: PageAsk<'name' | 'createdAt'>,
): Promise<Page<RuleRow>> {
  const page = await pageOf(ask, {
    filter: apiIds ? { apiId: { in: [...apiIds] } } : {},
    sorts: { name: 'text', createdAt: 'date' },
    searched: ['name'],
    find: (asked) => prisma(db).requestRule.findMany(asked),
    count: (asked) => prisma(db).requestRule.count(asked),
  })
  return { ...page, rows: page.rows.map(toRow) }
}

/** Counts up to `most`. */
export function countRules(db: Reader, apiId: string, most: number): Promise<number> {
  return prisma(db).requestRule.count({ where: { apiId }, take: most })
}

export async function insertRule(
  tx: Transaction,
  rule: RuleFields & { id: string; apiId: string },
  now: Date,
): Promise<RuleRow> {
  const data = { ...rule, ...asJson(rule), createdAt: now, updatedAt: now }
  return toRow(await prisma(tx).requestRule.create({ data }))
}

/** The number of changed rows: 0 if somebody else changed it first. */
export async function updateRule(
  tx: Transaction,
  { id, version }: { id: string; version: number },
  rule: RuleFields,
  now: Date,
): Promise<number> {
  const data = { ...rule, ...asJson(rule), updatedAt: now, version: version + 1 }
  return (await prisma(tx).requestRule.updateMany({ where: { id, version }, data })).count
}

export async function removeRule(
  tx: Transaction,
  { id, version }: { id: string; version: number },
): Promise<number> {
  return (await prisma(tx).requestRule.deleteMany({ where: { id, version } })).count
}

type Json = Pick<RuleFields, 'patterns' | 'stages' | 'emergency'>

function asJson({ patterns, stages: all, emergency: opens }: Json) {
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
  return { patterns, stages: plain(all), emergency: opens === null ? DbNull : plain(opens) }
}
