import { z } from 'zod'
import type { Op } from '../../context/op'
import { isActive } from '../../oidc/live'
import { stillGranted } from '../../oidc/still-granted'
import { readOwn, type VerifiedClaims } from '../../oidc/verify'
import { operation, tagged } from '../http/operation'

/**
 * Whether a token is valid here and now. The caller has the token already. It is neither stored nor
 * logged, and the answer does not repeat it.
 */

const TOKEN_STATES = ['active', 'not_ours', 'expired', 'revoked', 'nothing_left'] as const

const answer = z.object({
  state: z.enum(TOKEN_STATES),
  use: z.enum(['access_token', 'id_token', 'logout_token']).nullable(),
  /** The scopes that would still be granted; null for all but access tokens. */
  scope: z.string().nullable(),
  application: z.object({ id: z.string(), name: z.string() }).nullable(),
  claims: z.record(z.string(), z.unknown()).nullable(),
})

export type InspectionWire = z.infer<typeof answer>

const NOT_OURS: InspectionWire = {
  state: 'not_ours',
  use: null,
  scope: null,
  application: null,
  claims: null,
}

async function inspect(op: Op, token: string): Promise<InspectionWire> {
  const own = await readOwn(op, token)
  if (!own) return NOT_OURS
  const { use, claims } = own
  const scope = use === 'access_token' ? (await stillGranted(op, claims)).join(' ') : null
  const state = await stateOf(op, use, claims, scope)
  return { state, use, scope, application: await applicationOf(op, claims), claims }
}

async function stateOf(
  op: Op,
  use: InspectionWire['use'],
  claims: VerifiedClaims,
  scope: string | null,
): Promise<InspectionWire['state']> {
  if (Number(claims.exp) * 1000 <= op.now().getTime()) return 'expired'
  if (use !== 'access_token') return 'active'
  if (!(await isActive(op, claims))) return 'revoked'
  return scope === '' ? 'nothing_left' : 'active'
}

/** An access token names its client; an ID token has the client as its audience. */
async function applicationOf(op: Op, { client_id, aud }: VerifiedClaims) {
  const clientId = String(client_id ?? aud)
  const { credentials } = await op.snapshot({ clients: [clientId] })
  const application = credentials.get(clientId)?.application
  return application ? { id: application.id, name: application.name } : null
}

export const inspectToken = operation({
  id: 'inspectToken',
  method: 'POST',
  path: '/tokens/inspect',
  summary:
    'Check whether this portal issued a token and whether it is still valid; the token is neither stored nor logged',
  scope: 'scopes:decide',
  body: z.strictObject({ token: z.string().min(1).max(16_384) }),
  example: { token: 'eyJ...' },
  answers: { 200: answer },
  async handle(op, { body, caller }) {
    const found = await inspect(op, body.token.trim())
    // An app manager does not learn the names of other applications (attack N2).
    return { status: 200, body: caller.ownOnly ? { ...found, application: null } : found }
  },
})

export const tokenInspectionRoutes = tagged('Tools', [inspectToken])
