import { z } from 'zod'
import { DAY_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../../crypto/keys'
import { errorMessage } from '../../i18n/error-message'
import { ROTATE_AFTER_MS, removalOf, STAGE_MS, scheduleOf } from '../../keys/key-ring'
import { applicationsSignedWith } from '../../store/applications/applications'
import { countTokensSince } from '../../store/audit/activity'
import { type KeyMover, type KeyRecord, keyIn } from '../../store/tokens/signing-keys'
import { authorize } from '../authority/authorize'
import { type Call, operation, tagged } from '../http/operation'
import { notFound, Problem } from '../http/problem'
import { iso } from '../http/schemas'
import { wireOf } from '../http/wire'

/** Signing keys: list, stage, rotate and, in an emergency, revoke. */

const MAX_APPLICATIONS = 100

const algSchema = z.enum(SIGNING_ALGORITHMS)

const keySchema = z.object({
  kid: z.string(),
  alg: algSchema,
  state: z.enum(['staged', 'active', 'retiring', 'removed', 'revoked']),
  createdAt: z.string(),
  activatesAt: z.string().describe('When it began or will begin to sign'),
  retiredAt: z.string().nullable().describe('When it stopped signing'),
  removedAt: z.string().nullable().describe('When it stopped or will stop being published'),
  ageDays: z.number().describe('For how many days it has signed'),
})

export type SigningKeyWire = z.infer<typeof keySchema>

const scheduleSchema = z.object({
  alg: algSchema,
  active: z.string().nullable(),
  staged: z.string().nullable(),
  stagesAt: z
    .string()
    .nullable()
    .describe('When the next key will be published; null if it is already'),
  activatesAt: z.string().nullable().describe('When the next key begins to sign'),
})

export type KeyScheduleWire = z.infer<typeof scheduleSchema>

const listSchema = z.object({
  data: z.array(keySchema),
  schedule: z.array(scheduleSchema),
  rotateAfterDays: z.number(),
  publishedForMinutes: z.number().describe('How long a key is published before it signs'),
})

const CONSEQUENCES = [
  'tokens_disbelieved',
  'apps_get_errors',
  'people_stay_signed_in',
  'refresh_goes_on',
  'new_key_at_once',
  'staged_key_takes_over',
  'key_not_seen_yet',
  'nothing_alive',
] as const

const consequencesSchema = z.object({
  key: keySchema,
  /** The key signs now, and verifiers have not known its successor for long, or not at all. */
  warns: z.boolean(),
  consequences: z.array(z.enum(CONSEQUENCES)),
  tokens: z.object({
    count: z.number().describe('The largest possible number of access tokens that are still valid'),
    capped: z.boolean(),
  }),
  applications: z.array(z.object({ id: z.string(), name: z.string() })),
})

export type RevocationWire = z.infer<typeof consequencesSchema>

function toWire(op: Op, key: KeyRecord) {
  const until = key.retiredAt ?? op.now()
  const signedMs = Math.max(0, until.getTime() - key.activatesAt.getTime())
  return wireOf(keySchema, key, {
    state: key.state !== 'revoked' && key.removedAt ? 'removed' : key.state,
    removedAt: iso(removalOf(key)),
    ageDays: Math.floor(signedMs / DAY_MS),
  })
}

function moverOf({ caller, incoming }: Call): KeyMover {
  const { ip, requestId } = incoming
  return { actorKind: caller.kind, actorId: caller.id, ip, requestId }
}

async function requireKey(op: Op, kid: string): Promise<KeyRecord> {
  const key = (await op.keys.history()).find((one) => one.kid === kid)
  if (!key) throw notFound('no_key', kid)
  return key
}

async function current(op: Op, alg: SigningAlgorithm, state: 'staged' | 'active') {
  const key = keyIn(await op.keys.list(), alg, state)
  if (!key) throw new Error(`there is no ${state} ${alg} key`)
  return toWire(op, key)
}

// ---------------------------------------------------------------- a revocation

/** A staged key has not signed yet; a removed key stopped long ago. */
function hasLiveTokens({ state, removedAt }: KeyRecord): boolean {
  return state !== 'staged' && removedAt === null
}

function consequencesOf(key: KeyRecord, staged: KeyRecord | undefined, now: Date) {
  if (!hasLiveTokens(key)) return ['nothing_alive'] as const
  const signs = key.state === 'active'
  const successor = staged ? 'staged_key_takes_over' : 'new_key_at_once'
  const unseen = signs && (!staged || staged.activatesAt > now)
  return [
    ...(['tokens_disbelieved', 'apps_get_errors'] as const),
    ...(['people_stay_signed_in', 'refresh_goes_on'] as const),
    ...(signs ? ([successor] as const) : []),
    ...(unseen ? (['key_not_seen_yet'] as const) : []),
  ]
}

async function foresee(op: Op, key: KeyRecord) {
  const staged = keyIn(await op.keys.list(), key.alg, 'staged')
  const live = hasLiveTokens(key)
  // No token lives longer than a day.
  const since = new Date(Math.max(key.activatesAt.getTime(), op.now().getTime() - DAY_MS))
  const tokens = live
    ? await op.read((db) => countTokensSince(db, since))
    : { count: 0, capped: false }
  const applications = live
    ? await op.read((db) => applicationsSignedWith(db, key.alg, MAX_APPLICATIONS))
    : []
  return {
    key: toWire(op, key),
    warns: key.state === 'active',
    consequences: [...consequencesOf(key, staged, op.now())],
    tokens,
    applications,
  }
}

// ---------------------------------------------------------------- the routes

export const listSigningKeys = operation({
  id: 'listSigningKeys',
  method: 'GET',
  path: '/signing-keys',
  summary: 'List the signing keys, the newest first, and their schedule',
  scope: 'signing-keys:read',
  answers: { 200: listSchema },
  async handle(op) {
    const live = await op.keys.list()
    const schedule = SIGNING_ALGORITHMS.map((alg) => scheduleOf(live, alg))
    const body = {
      data: (await op.keys.history()).map((key) => toWire(op, key)),
      schedule: schedule.map(({ stagesAt, activatesAt, ...rest }) => ({
        ...rest,
        stagesAt: iso(stagesAt),
        activatesAt: iso(activatesAt),
      })),
      rotateAfterDays: ROTATE_AFTER_MS / DAY_MS,
      publishedForMinutes: STAGE_MS / 60_000,
    }
    return { status: 200, body }
  },
})

export const stageSigningKey = operation({
  id: 'stageSigningKey',
  method: 'POST',
  path: '/signing-keys',
  summary:
    'Create and publish the next key of an algorithm; it signs after it has been published for long enough',
  scope: 'signing-keys:write',
  body: z.strictObject({ alg: algSchema }),
  example: { alg: 'ES256' },
  answers: { 201: keySchema },
  async handle(op, call) {
    const { alg } = call.body
    await authorize(op, call, [])
    await op.keys.list()
    if (!(await op.keys.stage(alg, moverOf(call)))) {
      throw new Problem('conflict', errorMessage('key_staged', { alg }))
    }
    return { status: 201, body: await current(op, alg, 'staged') }
  },
})

export const rotateSigningKey = operation({
  id: 'rotateSigningKey',
  method: 'POST',
  path: '/signing-keys:rotate',
  summary:
    'Rotate: the staged key signs; the previous key stays published until its tokens have expired',
  scope: 'signing-keys:write',
  body: z.strictObject({
    alg: algSchema,
    atOnce: z
      .boolean()
      .default(false)
      .describe('True: rotate even if the staged key was not published for long enough'),
  }),
  example: { alg: 'ES256' },
  answers: { 200: keySchema },
  async handle(op, call) {
    const { alg, atOnce } = call.body
    await authorize(op, call, [])
    if (!(await op.keys.rotate(alg, atOnce, moverOf(call)))) throw await notYet(op, alg)
    return { status: 200, body: await current(op, alg, 'active') }
  },
})

export const foreseeSigningKeyRevocation = operation({
  id: 'foreseeSigningKeyRevocation',
  method: 'GET',
  path: '/signing-keys/{kid}/revoke',
  summary: 'Preview the consequences of revoking a key; nothing is changed',
  scope: 'signing-keys:read',
  answers: { 200: consequencesSchema },
  async handle(op, { params }) {
    return { status: 200, body: await foresee(op, await requireKey(op, params.kid)) }
  },
})

export const revokeSigningKey = operation({
  id: 'revokeSigningKey',
  method: 'POST',
  path: '/signing-keys/{kid}/revoke',
  summary: 'Revoke a key in an emergency: every token that it signed becomes invalid at once',
  scope: 'signing-keys:write',
  answers: { 200: consequencesSchema },
  async handle(op, call) {
    const key = await requireKey(op, call.params.kid)
    await authorize(op, call, [])
    const foreseen = await foresee(op, key)
    if (!(await op.keys.revoke(key.kid, moverOf(call)))) {
      throw new Problem('conflict', errorMessage('key_revoked'))
    }
    // Reading creates or activates the next key, so that a key can sign when this answers.
    await op.signingKey(key.alg)
    const revoked = toWire(op, await requireKey(op, key.kid))
    return { status: 200, body: { ...foreseen, key: revoked } }
  },
})

export const signingKeyRoutes = tagged('Signing keys', [
  listSigningKeys,
  stageSigningKey,
  rotateSigningKey,
  foreseeSigningKeyRevocation,
  revokeSigningKey,
])

async function notYet(op: Op, alg: SigningAlgorithm): Promise<Problem> {
  const staged = keyIn(await op.keys.list(), alg, 'staged')
  if (!staged) return new Problem('conflict', errorMessage('key_not_staged', { alg }))
  const when = iso(staged.activatesAt)
  return new Problem('conflict', errorMessage('key_waits', { when }), {
    members: { activatesAt: when },
  })
}
