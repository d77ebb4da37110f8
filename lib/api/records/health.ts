import { z } from 'zod'
import { type Messages, messagesFor } from '../../i18n'
import { fillUnchecked } from '../../i18n/fill'
import { operation, tagged } from '../http/operation'
import { checkUp, type Finding } from './check-up'
import { FINDINGS, type FindingCode } from './findings'

const codes = Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]]
const checks = [...new Set(Object.values(FINDINGS).map(([check]) => check))]

const findingSchema = z.object({
  check: z.enum(checks),
  state: z.enum(['ok', 'warn', 'fail']),
  code: z.enum(codes),
  values: z.record(z.string(), z.string()).describe('Values that are filled into the texts'),
  detail: z.string(),
  mend: z.string().nullable().describe('What to do about it; null if nothing is wrong'),
})

const healthSchema = z.object({
  state: z.enum(['ok', 'warn', 'fail']),
  data: z.array(findingSchema),
})
export type HealthWire = z.infer<typeof healthSchema>
export type FindingWire = z.infer<typeof findingSchema>

function toWire({ code, values }: Finding, words: Messages['admin']['health']) {
  const [check, state] = FINDINGS[code]
  const text: { detail: string; fix?: string } = words[code]
  return {
    check,
    state,
    code,
    values,
    detail: fillUnchecked(text.detail, values),
    mend: text.fix === undefined ? null : fillUnchecked(text.fix, values),
  }
}

export const health = operation({
  id: 'health',
  method: 'GET',
  path: '/health',
  summary: 'Run the health checks: the state of each, and how to fix it',
  scope: 'settings:read',
  answers: { 200: healthSchema },
  async handle(op, { incoming }) {
    const { health: words } = (await messagesFor('en')).admin
    const data = (await checkUp(op, incoming)).map((one) => toWire(one, words))
    const worst = (['fail', 'warn'] as const).find((one) => data.some(({ state }) => state === one))
    return { status: 200, body: { state: worst ?? 'ok', data } }
  },
})

export const healthRoutes = tagged('Reports', [health])
