import { z } from 'zod'
import { authorize } from '../authority/authorize'
import { operation, tagged } from '../http/operation'
import { isProblem, Problem } from '../http/problem'
import { applyConfiguration } from './apply'
import { ConfigurationError, configurationSchema } from './schema'

/** A portal as one document: what `npm run apply` reads from a file can be sent, too. */

const appliedSchema = z.object({
  applied: z.boolean().describe('False for a dry run'),
  changes: z
    .array(z.string())
    .describe('One line for each change: + created, ~ changed, - removed; empty if nothing to do'),
})

export const applyDocument = operation({
  id: 'applyDocument',
  method: 'POST',
  path: '/configuration',
  summary:
    'Apply a configuration document; a mistake in it changes nothing; ?dryRun=true only shows what would change',
  scope: 'settings:write',
  query: z.strictObject({ dryRun: z.enum(['true', 'false']).default('false') }),
  body: configurationSchema,
  example: {
    version: 1,
    spaces: [
      {
        key: 'shop',
        name: 'The shop',
        resources: [
          {
            prefix: 'orders',
            audience: 'https://orders.example.com',
            name: 'Orders',
            permissions: [{ key: 'orders:read' }],
          },
        ],
        roles: [],
      },
    ],
  },
  answers: { 200: appliedSchema },
  async handle(op, call) {
    // Each change of the document is an operation of its own, and asks for its own privileges.
    await authorize(op, call, [])
    const dryRun = call.query.dryRun === 'true'
    const changes = await applyConfiguration(op, call.body, {
      env: null,
      dryRun,
      by: { caller: call.caller, incoming: call.incoming },
    }).catch(asProblem)
    return { status: 200, body: { applied: !dryRun, changes } }
  },
})

/** What was refused, under its own code: not allowed is not the same as not valid. */
export function asProblem(error: unknown): never {
  if (!(error instanceof ConfigurationError)) throw error
  const code = isProblem(error.cause) ? error.cause.code : 'invalid'
  throw new Problem(code, error.message, { cause: error })
}

export const configurationRoutes = tagged('Settings', [applyDocument])
