import { z } from 'zod'
import type { Op } from '../../context/op'
import { sendsMail } from '../../delivery/mail/mode'
import { isPublicPlace } from '../../settings/config'
import { DEFAULT_BRANDING, FIRST_STEPS } from '../../settings/model'
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

async function stepsDone(op: Op): Promise<Record<Step, boolean | null>> {
  const { users, there } = await op.totals()
  const { branding } = op.settings.known()
  return {
    api: there.api,
    app: there.machine,
    token: there.token,
    // Somebody agreed to an application, or an admin did it for all.
    signIn: there.consent,
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
