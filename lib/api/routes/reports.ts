import { z } from 'zod'
import { itemsIn, itemsNamed } from '../../access/effective'
import { patternCovers } from '../../access/pattern'
import { NO_GRANTS, type Policy } from '../../access/policy'
import { eachInTurn } from '../../access/turns'
import type { Credential } from '../../oidc/client'
import { readUsage, type Usage } from '../../store/usage'
import { operation } from '../operation'

/**
 * Least privilege: what is granted and never asked for, and what is asked for and always refused.
 */

const DAY_MS = 24 * 60 * 60 * 1000

export const daysSchema = z.coerce.number().int().min(1).max(365).default(30)

export function windowStart(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

const lineSchema = z.object({
  client: z.string(),
  application: z.string(),
  name: z.string().describe('Name of the application'),
  granted: z.number(),
  /** Can be removed without any effect so far. */
  neverAsked: z.array(z.string()),
  /** A missing grant, or a mistake of the client. */
  alwaysRefused: z.array(z.object({ scope: z.string(), times: z.number() })),
})

const reportSchema = z.object({
  since: z.string(),
  complete: z.boolean(),
  data: z.array(lineSchema),
})

export type LeastPrivilegeLine = z.infer<typeof lineSchema>

export const leastPrivilege = operation({
  id: 'leastPrivilege',
  method: 'GET',
  path: '/reports/least-privilege',
  tag: 'Decisions',
  summary:
    'Report scopes that are granted and never asked for, or asked for and always refused, for each application and access key',
  scope: 'permissions:explain',
  query: z.strictObject({ days: daysSchema }),
  answers: { 200: reportSchema },
  async handle(op, { query, snapshot }) {
    const since = windowStart(op.now(), query.days)
    const { byClient, complete } = await op.read((db) => readUsage(db, since))
    const data = await eachInTurn(snapshot.credentials.values(), (credential) =>
      lineOf(snapshot.policy, credential, byClient.get(credential.clientId)),
    )
    return { status: 200, body: { since: since.toISOString(), complete, data } }
  },
})

export const reportRoutes = [leastPrivilege]

function lineOf(policy: Policy, credential: Credential, usage: Usage | undefined) {
  const granted = [...heldBy(policy, credential)].sort()
  const asked = usage?.asked ?? new Map<string, number>()
  const refused = [...(usage?.refused ?? new Map<string, number>())]
  return {
    client: credential.clientId,
    application: credential.application.id,
    name: credential.application.name,
    granted: granted.length,
    neverAsked: granted.filter((scope) => !asked.has(scope)),
    alwaysRefused: refused
      .filter(([scope, times]) => asked.get(scope) === times)
      .map(([scope, times]) => ({ scope, times })),
  }
}

/** An access key holds the grants of its application, within its own scopes. */
export function heldBy(policy: Policy, { application, accessKey }: Credential): Set<string> {
  const holder = policy.applications.get(application.id)
  const held = holder ? itemsNamed(policy, holder) : new Set<string>()
  if (!accessKey || accessKey.scopes === null) return held
  const own = new Set(itemsIn(policy, policy.accessKeyGrants.get(accessKey.id) ?? NO_GRANTS))
  const listed = accessKey.scopes
  return new Set(
    [...held].filter(
      (scope) => own.has(scope) || listed.some((pattern) => patternCovers(pattern, scope)),
    ),
  )
}
