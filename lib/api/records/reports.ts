import { z } from 'zod'
import { itemsIn, itemsNamed } from '../../access/effective'
import { patternCovers } from '../../access/pattern'
import { NO_GRANTS, type Policy } from '../../access/policy'
import { eachInTurn } from '../../access/turns'
import { DAY_MS } from '../../base/time'
import type { Op } from '../../context/op'
import type { Credential } from '../../oidc/client'
import { keyIdsAfter } from '../../store/applications/access-keys'
import { applicationIdsAfter } from '../../store/applications/applications'
import { readUsage, type Usage } from '../../store/permissions/usage'
import { shareOf } from '../decision/pass'
import { operation, tagged } from '../http/operation'

/**
 * Least privilege: what is granted and never asked for, and what is asked for and always refused.
 */

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
  complete: z.boolean().describe('True if all audit entries about these clients were read'),
  data: z.array(lineSchema),
  next: z.string().nullable().describe('Send it as `after` for the next clients; null at the end'),
  progress: z.number().describe('How much of all clients was looked at, from 0 to 1'),
})

export type LeastPrivilegeLine = z.infer<typeof lineSchema>

export const leastPrivilege = operation({
  id: 'leastPrivilege',
  method: 'GET',
  path: '/reports/least-privilege',
  summary:
    'Report scopes that are granted and never asked for, or asked for and always refused, for each application and access key',
  scope: 'permissions:explain',
  query: z.strictObject({
    days: daysSchema,
    after: z.string().max(300).optional().describe('`next` of the part before'),
  }),
  answers: { 200: reportSchema },
  async handle(op, { query }) {
    const since = windowStart(op.now(), query.days)
    const deadline = performance.now() + PART_MS
    const report = { data: [] as LeastPrivilegeLine[], complete: true }
    let at: At | null = query.after === undefined ? FIRST : fromText(query.after)
    while (at !== null && performance.now() < deadline && report.data.length < MAX_LINES) {
      const { ids, next } = await nextClients(op, at)
      const part = await linesOf(op, since, ids)
      report.data.push(...part.lines)
      report.complete &&= part.complete
      at = next
    }
    const next = at === null ? null : toText(at)
    const progress = at === null ? 1 : progressAt(at)
    return { status: 200, body: { since: since.toISOString(), ...report, next, progress } }
  },
})

export const reportRoutes = tagged('Decisions', [leastPrivilege])

// ---------------------------------------------------------------- all clients, in parts

const PART_MS = 1_500
const BATCH = 100
const MAX_LINES = 1_000

/** Applications come first, then access keys, each in the order of the database. */
type At = { kind: 'application' | 'key'; after: string }
const FIRST: At = { kind: 'application', after: '' }

function toText({ kind, after }: At): string {
  return `${kind}:${after}`
}

function fromText(text: string): At {
  const isKey = text.startsWith('key:')
  return { kind: isKey ? 'key' : 'application', after: text.slice(text.indexOf(':') + 1) }
}

async function nextClients(
  op: Op,
  { kind, after }: At,
): Promise<{ ids: string[]; next: At | null }> {
  const list = kind === 'application' ? applicationIdsAfter : keyIdsAfter
  const ids = await op.read((db) => list(db, after, BATCH))
  if (ids.length === BATCH) return { ids, next: { kind, after: ids.at(-1) ?? '' } }
  return { ids, next: kind === 'application' ? { kind: 'key', after: '' } : null }
}

function progressAt({ kind, after }: At): number {
  return ((kind === 'key' ? 1 : 0) + shareOf(after)) / 2
}

async function linesOf(op: Op, since: Date, ids: readonly string[]) {
  const { credentials, policy } = await op.snapshot({ clients: ids })
  const found = ids.flatMap((id) => credentials.get(id) ?? [])
  const applications = [...new Set(found.map(({ application }) => application.id))]
  const { byClient, complete } = await op.read((db) => readUsage(db, since, applications))
  const lines = await eachInTurn(found, (credential) =>
    lineOf(policy, credential, byClient.get(credential.clientId)),
  )
  return { lines, complete }
}

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
