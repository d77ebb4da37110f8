import { z } from 'zod'
import type { Op } from '../../context/op'
import { type ActivityDay, DAY_MS } from '../../store/activity'
import { applicationNames } from '../../store/audit'
import { operation } from '../operation'

/** How busy the portal is, out of its own log. */

const MOST_APPLICATIONS = 10

const counts = z.record(z.string(), z.number())

const daySchema = z.object({
  day: z.string().describe('In UTC'),
  signIns: z.number(),
  failedSignIns: z.number(),
  secondFactorSignIns: z.number().describe('Those with a second factor, or a passkey'),
  tokens: z.number(),
  refusedRequests: z.number().describe('Token requests that got nothing'),
  tokensByGrant: counts,
  refusedScopes: counts.describe('By the code of the reason'),
  sampled: z
    .boolean()
    .describe('The totals are exact; on a busy day their parts are counted over a sample'),
})

const activitySchema = z.object({
  since: z.string(),
  days: z.array(daySchema),
  topApplications: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable().describe('Null: it is gone'),
      tokens: z.number(),
    }),
  ),
})
export type ActivityWire = z.infer<typeof activitySchema>
export type ActivityDayWire = z.infer<typeof daySchema>

async function topApplications(op: Op, days: readonly ActivityDay[]) {
  const total = new Map<string, number>()
  for (const { tokensByApplication } of days) {
    for (const [id, tokens] of Object.entries(tokensByApplication)) {
      total.set(id, (total.get(id) ?? 0) + tokens)
    }
  }
  const top = [...total].sort(([, a], [, b]) => b - a).slice(0, MOST_APPLICATIONS)
  const names = await op.read((db) =>
    applicationNames(
      db,
      top.map(([id]) => id),
    ),
  )
  return top.map(([id, tokens]) => ({ id, name: names.get(id) ?? null, tokens }))
}

export const activity = operation({
  id: 'activity',
  method: 'GET',
  path: '/reports/activity',
  tag: 'Reports',
  summary: 'Day by day: sign-ins, tokens by grant, scopes refused by reason; the busiest apps',
  scope: 'audit:read',
  query: z.strictObject({ days: z.coerce.number().int().min(1).max(90).default(30) }),
  answers: { 200: activitySchema },
  async handle(op, { query }) {
    const days = await op.activity(query.days)
    const midnight = Math.floor(op.now().getTime() / DAY_MS) * DAY_MS
    const body = {
      since: new Date(midnight - (query.days - 1) * DAY_MS).toISOString(),
      days: days.map(({ tokensByApplication: _apps, ...day }) => day),
      topApplications: await topApplications(op, days),
    }
    return { status: 200, body }
  },
})

export const activityRoutes = [activity]
