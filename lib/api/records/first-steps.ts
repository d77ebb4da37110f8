import { z } from 'zod'
import type { Op } from '../../context/op'
import { sendsMail } from '../../delivery/mail/mode'
import { isPublicPlace } from '../../settings/config'
import { DEFAULT_BRANDING, FIRST_STEPS } from '../../settings/model'
import type { ActivityDay } from '../../store/audit/activity'
import { operation, tagged } from '../http/operation'

/** From an empty portal to one that others use: what is done is seen from the portal itself. */

export const STEPS = [
  'api',
  'app',
  'token',
  'signIn',
  'invite',
  'mail',
  'branding',
  'backup',
  'production',
] as const
export type Step = (typeof STEPS)[number]

const stepsSchema = z.object({
  key: z
    .string()
    .describe('Put it into the setting `putAway`, and the overview no longer shows them'),
  putAway: z.boolean(),
  data: z.array(
    z.object({
      step: z.enum(STEPS),
      done: z.boolean().nullable().describe('Null: the portal does not know'),
    }),
  ),
})

/** Only a portal without tokens is asked for more days: there is little to count. */
const WINDOWS = [30, 90]

async function findUse(op: Op): Promise<{ tokens: boolean; signIns: boolean }> {
  const use = { tokens: false, signIns: false }
  for (const days of WINDOWS) {
    for (const day of await op.activity(days)) {
      use.tokens ||= day.tokens > 0
      use.signIns ||= signsUsersIn(day)
    }
    if (use.tokens) break
  }
  return use
}

function signsUsersIn({ tokensByGrant }: ActivityDay): boolean {
  return (tokensByGrant.authorization_code ?? 0) > 0
}

async function stepsDone(op: Op): Promise<Record<Step, boolean | null>> {
  const { users, hasApi, hasMachine } = await op.totals()
  const { tokens, signIns } = await findUse(op)
  const { branding } = op.settings.known()
  return {
    api: hasApi,
    app: hasMachine,
    token: tokens,
    signIn: signIns,
    invite: users.count > 1,
    mail: sendsMail(op),
    branding: branding.name !== DEFAULT_BRANDING.name || branding.accent !== null,
    // Copies are made by a command, or by whoever looks after the disk.
    backup: null,
    production: isPublicPlace(op.config),
  }
}

export const firstSteps = operation({
  id: 'firstSteps',
  method: 'GET',
  path: '/reports/first-steps',
  summary: 'Which of the first steps of a new portal are done',
  scope: 'settings:read',
  answers: { 200: stepsSchema },
  async handle(op) {
    const putAway = op.settings.known().putAway.includes(FIRST_STEPS)
    const done = await stepsDone(op)
    const data = STEPS.map((step) => ({ step, done: done[step] }))
    return { status: 200, body: { key: FIRST_STEPS, putAway, data } }
  },
})

export const firstStepsRoutes = tagged('Reports', [firstSteps])
