import { z } from 'zod'
import { DAY_MS } from '../../base/time'
import { hintOf, newId, newSecret } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import {
  countInitialTokens,
  revokeInitialToken as endInitialToken,
  findInitialToken,
  type InitialAccessTokenRow,
  insertInitialToken,
  listInitialTokenPage,
} from '../../store/applications/initial-access-tokens'
import { type ChangeEntry, change } from '../authority/change'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { notFound, Problem } from '../http/problem'
import { dateSchema, iso, nameSchema, requireFuture } from '../http/schemas'
import { wireOf } from '../http/wire'
import { privilegesOfInitialToken } from '../settings/registration-privileges'

/** Initial access tokens: with one, a client registers itself (RFC 7591 §1.2). */

const MAX_TOKENS = 1_000
const USUAL_DAYS = 7

const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string().describe('The last four characters'),
  mostUses: z.number(),
  uses: z.number(),
  createdAt: z.string(),
  expiresAt: z.string(),
  revokedAt: z.string().nullable(),
})
export type InitialTokenWire = z.infer<typeof tokenSchema>

function toWire(row: InitialAccessTokenRow) {
  return wireOf(tokenSchema, row, {})
}

export const listInitialTokens = operation({
  id: 'listInitialTokens',
  method: 'GET',
  path: '/initial-access-tokens',
  summary: 'List initial access tokens',
  scope: 'settings:read',
  query: listQuery(['createdAt', 'name']),
  answers: { 200: pageSchema(tokenSchema) },
  handle: (op, { query }) =>
    listed(op, query, { name: 'initial-tokens', filters: {}, list: listInitialTokenPage }, toWire),
})

export const createInitialToken = operation({
  id: 'createInitialToken',
  method: 'POST',
  path: '/initial-access-tokens',
  summary: 'Create an initial access token; only this answer contains it',
  scope: 'settings:write',
  body: z.strictObject({
    name: nameSchema,
    mostUses: z.int().min(1).max(10_000).default(1).describe('How many clients it can register'),
    expiresAt: dateSchema.optional().describe(`If it is missing, in ${USUAL_DAYS} days`),
  }),
  example: { name: 'The new partner', mostUses: 1, expiresAt: '2030-12-31T00:00:00Z' },
  answers: { 201: tokenSchema.extend({ token: z.string().describe('Shown once') }) },
  async handle(op, call) {
    const { name, mostUses, expiresAt: wanted } = call.body
    const expiresAt = wanted ? new Date(wanted) : new Date(op.now().getTime() + USUAL_DAYS * DAY_MS)
    requireFuture('/expiresAt', expiresAt, op.now())
    const token = newSecret('ghit')
    const row = {
      id: newId('iat'),
      name,
      mostUses,
      expiresAt,
      createdAt: op.now(),
      tokenHash: op.hashSecret(token),
      hint: hintOf(token),
    }
    const { clientRegistration } = await op.settings.current()
    const { policy } = await op.latestSnapshot()
    const entry: ChangeEntry = {
      event: 'initial_token.created',
      gives: privilegesOfInitialToken(policy, clientRegistration),
      kind: 'initial_token',
      id: row.id,
      detail: { after: { name, mostUses, expiresAt: iso(expiresAt) } },
    }
    const made = await change(op, call, entry, async (tx) => {
      if ((await countInitialTokens(tx)) >= MAX_TOKENS) throw tooMany()
      return insertInitialToken(tx, row)
    })
    return { status: 201, body: { ...toWire(made), token } }
  },
})

function tooMany(): Problem {
  return new Problem(
    'conflict',
    errorMessage('initial_tokens_most', { maximum: String(MAX_TOKENS) }),
  )
}

export const revokeInitialToken = operation({
  id: 'revokeInitialToken',
  method: 'DELETE',
  path: '/initial-access-tokens/{token}',
  summary: 'Revoke an initial access token; clients that it registered stay',
  scope: 'settings:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const { token: id } = call.params
    const found = await op.read((db) => findInitialToken(db, id))
    if (!found || found.revokedAt) throw notFound('no_initial_token', id)
    const entry: ChangeEntry = {
      event: 'initial_token.revoked',
      gives: [],
      kind: 'initial_token',
      id,
      detail: { before: { name: found.name } },
    }
    await change(op, call, entry, async (tx) => {
      await endInitialToken(tx, id, op.now())
    })
    return { status: 204 }
  },
})

export const initialTokenRoutes = tagged('Client registration', [
  listInitialTokens,
  createInitialToken,
  revokeInitialToken,
])
