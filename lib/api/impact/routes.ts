import { z } from 'zod'
import type { Subject } from '../../access/check'
import { type Difference, type Impact, impactOf } from '../../access/impact'
import { patternCovers } from '../../access/pattern'
import type { Policy } from '../../access/policy'
import { inTurns } from '../../access/turns'
import type { Op } from '../../context/op'
import { type KeyScopes, keyScopesOf } from '../../store/applications/access-keys'
import { namesOf } from '../../store/database/names'
import { countLiveTokens } from '../../store/tokens/token-grants'
import { contextOf, contextSchema, type SentContext } from '../decision/decision'
import { type Position, passOver, progressOf, START } from '../decision/pass'
import type { Caller } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { openCursor, sealCursor } from '../http/page'
import { requireSpace } from '../permissions/spaces'
import { changeSchema, type Preview, previewOf } from './change'

/** Preview of a change: who would gain or lose what, and how many live tokens carry it. */

const MAX_LISTED = 200

const impactSchema = z.object({
  affected: z.array(
    z.object({
      subject: z.object({
        type: z.enum(['user', 'client', 'key']),
        id: z.string(),
        /** Null if the caller may not see users or applications. */
        name: z.string().nullable(),
      }),
      gains: z.array(z.string()),
      loses: z.array(z.string()),
      /** Not gained in the given context, but in one that meets a condition. */
      mayGain: z.array(z.string()),
      mayLose: z.array(z.string()),
    }),
  ),
  total: z.number().describe('How many of those that this part looked at'),
  /** Number of live token grants that carry something which would be lost. */
  liveTokens: z.number(),
  next: z
    .string()
    .nullable()
    .describe('Send it as `after` to go on; null if everybody was looked at'),
  progress: z.number().describe('How much was looked at, from 0 to 1'),
})
export type ImpactWire = z.infer<typeof impactSchema>

export const previewImpact = operation({
  id: 'previewImpact',
  method: 'POST',
  path: '/spaces/{space}/impact',
  summary: 'Preview who would gain or lose what by a change of a role, a grant or an assignment',
  scope: 'permissions:explain',
  body: z.strictObject({
    change: changeSchema,
    context: contextSchema.optional(),
    after: z.string().max(1_000).optional().describe('`next` of the part before'),
  }),
  example: {
    change: {
      kind: 'role_permissions',
      role: 'clerk',
      permissions: [{ pattern: 'orders:read' }],
    },
  },
  answers: { 200: impactSchema },
  async handle(op, { params, body, caller }) {
    const { id: spaceId } = await requireSpace(op, params.space)
    const preview = await previewOf(op, spaceId, body.change)
    const bound = `impact ${spaceId} ${JSON.stringify(body.change)}`
    const from = body.after === undefined ? START : positionIn(op, bound, body.after)
    const { affected, total, next } = await partOf(op, preview, body.context, from)
    const losers = affected.filter(({ loses, mayLose }) => loses.length + mayLose.length > 0)
    const liveTokens = await op.read((db) => countLiveTokens(db, losers.map(toLoss), op.now()))
    const listed = await withNames(op, caller, await withKeys(op, affected))
    const cursor = next && sealCursor(op, bound, { value: String(next.source), id: next.after })
    const progress = progressOf(preview.sources, next)
    return { status: 200, body: { affected: listed, total, liveTokens, next: cursor, progress } }
  },
})

export const impactRoutes = tagged('Decisions', [previewImpact])

function positionIn(op: Op, bound: string, after: string): Position {
  const { value, id } = openCursor(op, bound, after, '/after')
  return { source: Number(value), after: id }
}

/** One part of the pass over all whom the change can concern. */
async function partOf(
  op: Op,
  preview: Preview,
  given: SentContext | undefined,
  from: Position,
): Promise<{ affected: Impact[]; total: number; next: Position | null }> {
  const affected: Impact[] = []
  let total = 0
  const look = async (before: Policy, subjects: readonly Subject[]) => {
    // Conditions are evaluated in the given context, not for one user or client.
    const context = contextOf(op, before, null, { given })
    const decisionContext = { context, instance: preview.instance }
    const after = preview.after(before)
    const found = await inTurns(impactOf(before, after, subjects, decisionContext))
    total += found.length
    affected.push(...found.slice(0, MAX_LISTED - affected.length))
    return false
  }
  const next = await passOver(op, preview.sources, from, look)
  return { affected, total, next }
}

type Listed = Difference & { subject: { type: string; id: string } }

function toWire({ subject: { kind, id }, ...difference }: Impact): Listed {
  return { subject: { type: kind, id }, ...difference }
}

async function withNames(op: Op, { scopes }: Caller, listed: readonly Listed[]) {
  const ids = (type: string) =>
    listed.flatMap(({ subject: one }) => (one.type === type ? [one.id] : []))
  const [people, programs] = [scopes.has('users:read'), scopes.has('applications:read')]
  const names = await op.read((db) =>
    namesOf(db, {
      users: people ? ids('user') : [],
      applications: programs ? ids('client') : [],
      accessKeys: programs ? ids('key') : [],
    }),
  )
  return listed.map((one) => ({
    ...one,
    subject: { ...one.subject, name: names.get(one.subject.id) ?? null },
  }))
}

/** The access keys of an application gain and lose with it, within their own scopes. */
async function withKeys(op: Op, affected: readonly Impact[]): Promise<Listed[]> {
  const clients = affected.filter(({ subject: { kind } }) => kind === 'client')
  const keys = await op.read((db) =>
    keyScopesOf(
      db,
      clients.map(({ subject: { id } }) => id),
    ),
  )
  return affected.flatMap((impact) => [
    toWire(impact),
    ...keys.filter(({ applicationId }) => isAbout(impact, applicationId)).flatMap(ofKey(impact)),
  ])
}

function isAbout({ subject: { kind, id } }: Impact, applicationId: string): boolean {
  return kind === 'client' && id === applicationId
}

function ofKey(impact: Impact) {
  return ({ id, scopes }: KeyScopes): Listed[] => {
    const within = (item: string) => scopes?.some((pattern) => patternCovers(pattern, item)) ?? true
    const difference = {
      gains: impact.gains.filter(within),
      loses: impact.loses.filter(within),
      mayGain: impact.mayGain.filter(within),
      mayLose: impact.mayLose.filter(within),
    }
    if (Object.values(difference).every((list) => list.length === 0)) return []
    return [{ subject: { type: 'key', id }, ...difference }]
  }
}

function toLoss({ subject: { kind, id }, loses, mayLose }: Impact) {
  return { [kind === 'user' ? 'userId' : 'applicationId']: id, scopes: [...loses, ...mayLose] }
}
