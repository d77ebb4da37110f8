import { describe, expect, test } from 'vitest'
import { clientOf, tokenGrant } from '../../../e2e/support/grants'
import { KEY, sign, signedHere } from '../../../e2e/support/own-tokens'
import {
  API,
  APP,
  credential,
  form,
  incoming,
  item,
  NOW,
  opOf,
  refusalIn,
  USER,
  type World,
} from '../../../e2e/support/protocol'
import { grantSet } from '../../access/policy'
import type { Application } from '../client'
import { ACCESS_TOKEN_TYPE, MAX_EXCHANGES, tokenExchange } from './token-exchange'

/** RFC 8693 §2.2.2: each cause of a refusal has its reason. */

const FIRST = 'app_first'
const CLAIMS = {
  jti: 'jti',
  sub: USER,
  client_id: FIRST,
  grant_id: 'tgr',
  aud: API.audience,
  scope: 'orders:read',
  exp: NOW / 1000 + 60,
}
const api = { ...API, introspectors: [APP] }

const GRANT = {
  id: 'grn',
  pattern: 'orders:read',
  effect: 'allow',
  condition: null,
  validFrom: null,
  validUntil: null,
} as const

type Case = {
  token?: object
  fields?: Record<string, string>
  application?: Partial<Application>
  world?: World
  paused?: true
  confidential?: false
  /** What both applications are granted. */
  pattern?: string
}

async function exchanged({ token = {}, fields = {}, application, world, ...more }: Case) {
  const grants = { find: async () => tokenGrant({ applicationId: FIRST }) }
  const agreed = (fields.scope ?? CLAIMS.scope).split(' ')
  const first = { ...credential({ id: FIRST }), clientId: FIRST }
  const consents = {
    find: async () => new Map(agreed.map((scope) => [scope, true])),
    isPaused: async () => more.paused === true,
  }
  const op = opOf({
    items: [item('orders:read', { api })],
    apis: [api],
    credentials: [credential(application), first],
    ...world,
    op: { ...signedHere, signingKey: async () => KEY, tokenGrants: grants, consents } as never, // a part of the stores
  })
  const snapshot = await op.snapshot()
  const own = { ...GRANT, pattern: more.pattern ?? GRANT.pattern }
  const holder = { grants: grantSet([own, { ...own, exchangeFrom: FIRST }]), assignments: [] }
  const applications = new Map([APP, FIRST].map((id) => [id, holder]))
  const all = { ...snapshot, policy: { ...snapshot.policy, applications } }
  const asked = form({
    subject_token: await sign({ ...CLAIMS, ...token }),
    subject_token_type: ACCESS_TOKEN_TYPE,
    scope: 'orders:read',
    ...fields,
  })
  const client = clientOf({ confidential: more.confidential ?? true })
  return tokenExchange({ ...op, snapshot: async () => all }, client, asked, incoming())
}

test('a token that would be too long is refused', async () => {
  const scopes = Array.from({ length: 16 }, (_, at) => `orders:${'x'.repeat(230)}${at}`)
  const refused = exchanged({
    token: { scope: scopes.join(' ') },
    fields: { scope: scopes.join(' ') },
    world: { items: scopes.map((scope) => item(scope, { api })) },
    pattern: 'orders:*',
  })
  expect(await refusalIn(() => refused)).toBe('invalid_scope token_too_long')
})

const ancestor = { jti: 'one', client_id: FIRST, scope: 'orders:read' }

describe('X: every refused token exchange has a reason', () => {
  test.each<[string, Case, string]>([
    ['X8: a public client', { confidential: false }, 'unauthorized_client confidential_only'],
    [
      'another kind of token is wanted',
      { fields: { requested_token_type: 'x' } },
      'invalid_request requested_token_type',
    ],
    [
      'no subject token',
      { fields: { subject_token: '' } },
      'invalid_request subject_token_missing',
    ],
    [
      'its type is another',
      { fields: { subject_token_type: 'x' } },
      'invalid_request subject_token_type',
    ],
    [
      'the type of an actor token that is not there',
      { fields: { actor_token_type: ACCESS_TOKEN_TYPE } },
      'invalid_request actor_token_type',
    ],
    ['X3: forged', { fields: { subject_token: 'x' } }, 'invalid_request subject_token'],
    ['X3: of a machine', { token: { grant_id: undefined } }, 'invalid_request subject_token'],
    [
      'X4: for another API',
      { token: { aud: 'https://x.test' } },
      'invalid_request subject_audience',
    ],
    ['X5: in a circle', { token: { client_id: APP } }, 'invalid_request exchange_cycle'],
    [
      'X5: without end',
      { token: { exchanged: Array(MAX_EXCHANGES).fill(ancestor) } },
      'invalid_request exchange_depth',
    ],
    [
      'X6: an actor token that is none',
      { fields: { actor_token: 'x', actor_token_type: ACCESS_TOKEN_TYPE } },
      'invalid_request actor_token',
    ],
    [
      'B43: the user may not use the application',
      { application: { requiredScopes: ['orders:write'] } },
      'access_denied user_not_admitted',
    ],
    ['the user paused it', { paused: true }, 'access_denied paused'],
  ])('%s', async (_what, one, refusal) => {
    expect(await refusalIn(() => exchanged(one))).toBe(refusal)
  })
})
