import { z } from 'zod'
import { DAY_MS } from '../../base/time'
import type { Op } from '../../context/op'
import type { ActivityDay } from '../../store/audit/activity'
import { applicationNames } from '../../store/audit/audit'
import { operation, tagged } from '../http/operation'

/** How much the portal is used, from its own audit log. */

const MAX_APPLICATIONS = 10

const counts = z.record(z.string(), z.number())

const daySchema = z.object({
  day: z.string().describe('In UTC'),
  signIns: z.number(),
  failedSignIns: z.number(),
  secondFactorSignIns: z.number().describe('Sign-ins with a second factor or a passkey'),
  tokens: z.number(),
  refusedRequests: z.number().describe('Token requests that got no token'),
  activeUsers: z
    .number()
    .nullable()
    .describe('Users who signed in; null for a day that was counted before they were'),
  newUsers: z.number().nullable().describe('Users who came on this day, up to 10 000'),
  tokensByGrant: counts,
  refusedScopes: counts.describe('Number of refused scopes for each reason code'),
  sampled: z
    .boolean()
    .describe(
      'True if only a part of the entries was read for the breakdown; the totals are exact',
    ),
})

const totalSchema = z.object({
  count: z.number(),
  exact: z.boolean().describe('False: about as many, from 10 000 on'),
})

const activitySchema = z.object({
  since: z.string(),
  users: totalSchema,
  applications: totalSchema,
  days: z.array(daySchema),
  topApplications: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable().describe('Null if the application was deleted'),
      tokens: z.number(),
    }),
  ),
})
export type ActivityWire = z.infer<typeof activitySchema>
export type ActivityDayWire = z.infer<typeof daySchema>

function toWire({ tokensByApplication: _, activeUsers, newUsers, ...day }: ActivityDay) {
  return { ...day, activeUsers: activeUsers ?? null, newUsers: newUsers ?? null }
}

async function topApplications(op: Op, days: readonly ActivityDay[]) {
  const total = new Map<string, number>()
  for (const { tokensByApplication } of days) {
    for (const [id, tokens] of Object.entries(tokensByApplication)) {
      total.set(id, (total.get(id) ?? 0) + tokens)
    }
  }
  const top = [...total].sort(([, a], [, b]) => b - a).slice(0, MAX_APPLICATIONS)
  const names = await op.readReplica((db) =>
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
  summary:
    'Read how many users and applications there are, and the activity of each day: sign-ins, tokens by grant type, refused scopes by reason, busiest applications',
  scope: 'audit:read',
  query: z.strictObject({ days: z.coerce.number().int().min(1).max(90).default(30) }),
  answers: { 200: activitySchema },
  async handle(op, { query }) {
    const days = await op.activity(query.days)
    const midnight = Math.floor(op.now().getTime() / DAY_MS) * DAY_MS
    const { users, applications } = await op.totals()
    const body = {
      since: new Date(midnight - (query.days - 1) * DAY_MS).toISOString(),
      users,
      applications,
      days: days.map(toWire),
      topApplications: await topApplications(op, days),
    }
    return { status: 200, body }
  },
})

export const activityRoutes = tagged('Reports', [activity])
