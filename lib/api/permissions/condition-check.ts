import { z } from 'zod'
import { ConditionError, type ConditionFault, requireMeetable } from '../../access/condition'
import { sentenceOf } from '../../i18n/error-message'
import { operation, tagged } from '../http/operation'
import { conditionMistake } from '../http/schemas'

/** Checks a condition while it is typed. It is compiled and never run (attack N8). */

const MAX_TYPED_LENGTH = 10_000

type FaultCode = `condition_${ConditionFault['code']}`

const answer = z.object({
  valid: z.boolean(),
  mistake: z
    .object({
      detail: z.string(),
      // Documents call it a text: more may come.
      code: z.string() as unknown as z.ZodType<FaultCode>,
      values: z.record(z.string(), z.string()),
      /** Characters from the start; null for the whole text. */
      position: z.object({ start: z.number(), end: z.number() }).nullable(),
    })
    .nullable(),
})

export type ConditionAnswer = z.infer<typeof answer>

const checkCondition = operation({
  id: 'checkCondition',
  method: 'POST',
  path: '/conditions/check',
  summary: 'Check whether a text is a valid condition, and where its mistake is',
  scope: 'permissions:read',
  body: z.strictObject({ condition: z.string().max(MAX_TYPED_LENGTH) }),
  example: { condition: 'inNetwork(request.ip, "10.0.0.0/8")' },
  answers: { 200: answer },
  async handle(_op, { body }) {
    return { status: 200, body: checked(body.condition) }
  },
})

export const conditionRoutes = tagged('Decisions', [checkCondition])

function checked(source: string): ConditionAnswer {
  try {
    requireMeetable(source)
    return { valid: true, mistake: null }
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    const reason = conditionMistake(error)
    const { position } = error
    return { valid: false, mistake: { detail: sentenceOf(reason), position, ...reason } }
  }
}
