import { z } from 'zod'
import type { Op } from '../../context/op'
import { type Messages, messagesFor } from '../../i18n'
import { fillUnchecked } from '../../i18n/fill'
import { isLoopback } from '../../settings/config'
import { operation, tagged } from '../http/operation'
import { checkUp, type Finding } from './check-up'
import { EXPECTED, FINDINGS, type FindingCode, keyOf } from './findings'

const codes = Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]]
const checks = [...new Set(Object.values(FINDINGS).map(([check]) => check))]

const findingSchema = z.object({
  check: z.enum(checks),
  state: z.enum(['ok', 'warn', 'fail']),
  code: z.enum(codes),
  values: z.record(z.string(), z.string()).describe('Values that are filled into the texts'),
  key: z.string().describe('To put a warning away; see the setting `putAway`'),
  putAway: z.boolean().describe('The overview does not show it'),
  expected: z.boolean().describe('Normal as long as the portal serves only its own machine'),
  detail: z.string(),
  mend: z.string().nullable().describe('What to do about it; null if nothing is wrong'),
})

const healthSchema = z.object({
  state: z.enum(['ok', 'warn', 'fail']),
  data: z.array(findingSchema),
})
export type HealthWire = z.infer<typeof healthSchema>
export type FindingWire = z.infer<typeof findingSchema>

function toWire(op: Op, { code, values }: Finding, words: Messages['admin']['health']) {
  const [check, state] = FINDINGS[code]
  const key = keyOf({ code, values })
  const text: { detail: string; fix?: string } = words[code]
  return {
    check,
    state,
    code,
    values,
    key,
    putAway: state === 'warn' && op.settings.known().putAway.includes(key),
    expected: EXPECTED.has(code) && isLoopback(new URL(op.origin)),
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
    const data = (await checkUp(op, incoming)).map((one) => toWire(op, one, words))
    const worst = (['fail', 'warn'] as const).find((one) => data.some(({ state }) => state === one))
    return { status: 200, body: { state: worst ?? 'ok', data } }
  },
})

export const healthRoutes = tagged('Reports', [health])
