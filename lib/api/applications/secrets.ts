import { z } from 'zod'
import type { Op, Transaction } from '../../context/op'
import { hintOf, newId, newSecret } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import {
  addSecret,
  countLiveSecrets,
  endSecret,
  findSecret,
  listSecretPage,
  type NewSecret,
  revokeSecret,
  type SecretRow,
} from '../../store/applications/secrets'
import { type ChangeEntry, change } from '../authority/change'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { notFound, Problem } from '../http/problem'
import { chosenSecret, dateOf, dateSchema, iso, nameSchema, requireFuture } from '../http/schemas'
import { wireOf } from '../http/wire'
import { actingAs, requireApplication } from './applications'
import { requireTakesSecrets } from './rules'

const MAX_LIVE = 10
const GRACE_SECONDS = 24 * 3_600
const MAX_GRACE_SECONDS = 30 * 24 * 3_600

const secretSchema = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string().describe('The last four characters of the secret'),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable().describe('Up to one minute old'),
  lastUsedIp: z.string().nullable(),
})

export type SecretWire = z.infer<typeof secretSchema>

function toWire(row: SecretRow) {
  return wireOf(secretSchema, row, {})
}

export const listApplicationSecrets = operation({
  id: 'listApplicationSecrets',
  method: 'GET',
  path: '/applications/{id}/secrets',
  summary: 'List the secrets of an application, without their values',
  scope: 'applications:read',
  query: listQuery(['createdAt', 'name']),
  answers: { 200: pageSchema(secretSchema) },
  async handle(op, { caller, params, query }) {
    const { id } = await requireApplication(op, caller, params.id)
    return listed(
      op,
      query,
      { name: 'secrets', filters: { applicationId: id }, list: listSecretPage },
      toWire,
    )
  },
})

export const createApplicationSecret = operation({
  id: 'createApplicationSecret',
  method: 'POST',
  path: '/applications/{id}/secrets',
  summary: 'Add a secret; the other secrets go on working until they are revoked',
  scope: 'applications:write',
  body: z.strictObject({
    name: nameSchema,
    expiresAt: dateSchema.nullable().default(null),
    secret: chosenSecret.optional(),
  }),
  example: { name: 'autumn', expiresAt: '2027-12-31T00:00:00Z' },
  answers: { 201: secretSchema.extend({ secret: z.string().describe('Shown once') }) },
  async handle(op, call) {
    const application = await requireApplication(op, call.caller, call.params.id)
    requireTakesSecrets(application)
    const { secret: own, ...body } = call.body
    const { secret, row } = secretFor(op, application.id, body, own)
    const entry: ChangeEntry = {
      event: 'application.secret_added',
      gives: await actingAs(op, application),
      kind: 'application_secret',
      id: row.id,
      applicationId: application.id,
      detail: { after: body },
    }
    const added = await change(op, call, entry, async (tx) => {
      await requireRoom(tx, application.id, op.now())
      return addSecret(tx, row)
    })
    return { status: 201, body: { ...toWire(added), secret } }
  },
})

export const rotateApplicationSecret = operation({
  id: 'rotateApplicationSecret',
  method: 'POST',
  path: '/applications/{id}/secrets/{secret}/rotation',
  summary: 'Replace a secret: the new one works at once, the old one ends after a grace period',
  scope: 'applications:write',
  body: z.strictObject({
    name: nameSchema,
    expiresAt: dateSchema.nullable().default(null).describe('When the new secret expires'),
    graceSeconds: z
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(GRACE_SECONDS)
      .describe('How long the old secret still works'),
  }),
  example: { name: 'winter', expiresAt: '2027-12-31T00:00:00Z', graceSeconds: 86_400 },
  answers: { 201: secretSchema.extend({ secret: z.string().describe('Shown once') }) },
  async handle(op, call) {
    const application = await requireApplication(op, call.caller, call.params.id)
    requireTakesSecrets(application)
    const { graceSeconds, ...body } = call.body
    const old = await op.read((db) => findSecret(db, application.id, call.params.secret))
    if (!old) throw notFound('no_secret', call.params.secret)
    requireLive(old, op.now())
    const endsAt = earlier(old.expiresAt, new Date(op.now().getTime() + graceSeconds * 1_000))
    const { secret, row } = secretFor(op, application.id, body)
    const entry: ChangeEntry = {
      event: 'application.secret_rotated',
      gives: await actingAs(op, application),
      kind: 'application_secret',
      id: row.id,
      applicationId: application.id,
      detail: { before: toWire(old), after: { ...body, replaces: old.id, endsAt: iso(endsAt) } },
    }
    const added = await change(op, call, entry, async (tx) => {
      await endSecret(tx, old.id, endsAt)
      await requireRoom(tx, application.id, op.now())
      return addSecret(tx, row)
    })
    return { status: 201, body: { ...toWire(added), secret } }
  },
})

export const revokeApplicationSecret = operation({
  id: 'revokeApplicationSecret',
  method: 'DELETE',
  path: '/applications/{id}/secrets/{secret}',
  summary: 'Revoke a secret',
  scope: 'applications:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const application = await requireApplication(op, call.caller, call.params.id)
    const secret = await op.read((db) => findSecret(db, application.id, call.params.secret))
    if (!secret) throw notFound('no_secret', call.params.secret)
    const entry: ChangeEntry = {
      event: 'application.secret_revoked',
      gives: [],
      kind: 'application_secret',
      id: secret.id,
      applicationId: application.id,
      detail: { before: toWire(secret) },
    }
    await change(op, call, entry, (tx) => revokeSecret(tx, secret.id, op.now()))
    return { status: 204 }
  },
})

export const applicationSecretRoutes = tagged('Applications', [
  listApplicationSecrets,
  createApplicationSecret,
  rotateApplicationSecret,
  revokeApplicationSecret,
])

type Asked = { name: string; expiresAt: string | null }

function secretFor(op: Op, applicationId: string, asked: Asked, own?: string) {
  const expiresAt = dateOf(asked.expiresAt)
  requireFuture('/expiresAt', expiresAt, op.now())
  const secret = own ?? newSecret('ghcs')
  const row: NewSecret = {
    id: newId('sec'),
    applicationId,
    name: asked.name,
    secretHash: op.hashSecret(secret),
    hint: hintOf(secret),
    createdAt: op.now(),
    expiresAt,
  }
  return { secret, row }
}

async function requireRoom(tx: Transaction, applicationId: string, now: Date): Promise<void> {
  if ((await countLiveSecrets(tx, applicationId, now)) < MAX_LIVE) return
  throw new Problem('conflict', errorMessage('secrets_most', { maximum: String(MAX_LIVE) }))
}

function requireLive({ revokedAt, expiresAt }: SecretRow, now: Date): void {
  if (revokedAt === null && (expiresAt === null || expiresAt > now)) return
  throw new Problem('conflict', errorMessage('secret_ended'))
}

function earlier(one: Date | null, other: Date): Date {
  return one !== null && one < other ? one : other
}
