import { z } from 'zod'
import { decidePermission } from '../../access/check'
import { takingTurns } from '../../access/turns'
import { newId } from '../../crypto/secrets'
import { updateSpace } from '../../store/permissions/spaces'
import {
  type AssertionKept,
  type AssertionRow,
  assertionsOf,
  saveAssertions,
  saveResults,
} from '../../store/policy/assertions'
import { type ChangeEntry, change } from '../authority/change'
import { subjectOf, wantedFor } from '../decision/decision'
import { operation, tagged } from '../http/operation'
import { requireSeen, requireWritten } from '../http/version'
import { wireOf } from '../http/wire'
import { storedQuestionSchema, testQuestionSchema, toCheck } from './decisions'
import { requireSpace } from './spaces'

/** Policy tests: questions with their expected answers. */

const given = z.strictObject({ question: testQuestionSchema, expected: z.boolean() })
type Given = z.infer<typeof given>
const assertionSchema = z.object({
  id: z.string(),
  question: storedQuestionSchema,
  expected: z.boolean(),
  lastRunAt: z.string().nullable(),
  lastResult: z.boolean().nullable(),
})

export type AssertionWire = z.infer<typeof assertionSchema>

function toWire(row: AssertionRow) {
  const question = storedQuestionSchema.parse(row.question)
  return wireOf(assertionSchema, row, { question })
}

/** A question that did not change keeps its ID and the result of its last run. */
function keptAmong(before: readonly AssertionRow[]) {
  const known = new Map(before.toReversed().map((row) => [textOf(toWire(row)), row]))
  return (asked: Given) => known.get(textOf(asked))
}

function textOf({ question, expected }: Given): string {
  return JSON.stringify([expected, question])
}

function newAssertion({ question, expected }: Given): AssertionKept {
  return {
    id: newId('pas'),
    question: JSON.parse(JSON.stringify(question)),
    expected,
    lastRunAt: null,
    lastResult: null,
  }
}

export const listAssertions = operation({
  id: 'listAssertions',
  method: 'GET',
  path: '/spaces/{space}/assertions',
  summary: 'List the policy tests of a space',
  scope: 'spaces:read',
  answers: { 200: z.object({ assertions: z.array(assertionSchema) }) },
  async handle(op, { params }) {
    const space = await requireSpace(op, params.space)
    const rows = await op.read((db) => assertionsOf(db, space.id))
    return { status: 200, body: { assertions: rows.map(toWire) }, version: space.version }
  },
})

export const replaceAssertions = operation({
  id: 'replaceAssertions',
  method: 'PUT',
  path: '/spaces/{space}/assertions',
  summary: 'Replace the policy tests of a space',
  scope: 'spaces:write',
  body: z.strictObject({ assertions: z.array(given).max(1_000) }),
  example: {
    assertions: [{ question: { user: 'usr_...', permission: 'orders:refund' }, expected: false }],
  },
  answers: { 200: z.object({ assertions: z.array(assertionSchema) }) },
  async handle(op, call) {
    const space = await requireSpace(op, call.params.space)
    const before = await op.read((db) => assertionsOf(db, space.id))
    requireSeen(call.ifMatch, space, { assertions: before.map(toWire) })
    const { assertions } = call.body
    const kept = keptAmong(before)
    const rows = assertions.map((one) => kept(one) ?? newAssertion(one))
    const entry: ChangeEntry = {
      event: 'assertions.replaced',
      gives: [],
      kind: 'space',
      id: space.id,
      detail: { before: before.length, after: rows.length },
    }
    await change(op, call, entry, async (tx) => {
      requireWritten(await updateSpace(tx, space, {}, op.now()))
      await saveAssertions(tx, space.id, rows, op.now())
    })
    const after = await op.read((db) => assertionsOf(db, space.id))
    const body = { assertions: after.map(toWire) }
    return { status: 200, body, version: space.version + 1 }
  },
})

export const runAssertions = operation({
  id: 'runAssertions',
  method: 'POST',
  path: '/spaces/{space}/assertions:run',
  summary: 'Run the policy tests of a space',
  scope: 'spaces:read',
  answers: {
    200: z.object({
      passed: z.number(),
      failed: z.number(),
      results: z.array(z.object({ id: z.string(), expected: z.boolean(), allowed: z.boolean() })),
    }),
  },
  async handle(op, { params }) {
    const space = await requireSpace(op, params.space)
    const rows = await op.read((db) => assertionsOf(db, space.id))
    const results: { id: string; expected: boolean; allowed: boolean }[] = []
    const turn = takingTurns()
    for (const { id, question, expected } of rows) {
      const asked = storedQuestionSchema.parse(question)
      const subject = await subjectOf(op, asked)
      const { policy } = await op.snapshot(wantedFor(subject))
      const check = toCheck(op, policy, subject, asked)
      results.push({ id, expected, allowed: decidePermission(policy, check).allowed })
      await turn()
    }
    await op.write((tx) => saveResults(tx, results, op.now()))
    const passed = results.filter(({ expected, allowed }) => expected === allowed).length
    return { status: 200, body: { passed, failed: results.length - passed, results } }
  },
})

export const assertionRoutes = tagged('Spaces', [listAssertions, replaceAssertions, runAssertions])
