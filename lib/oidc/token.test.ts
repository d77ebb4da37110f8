import { describe, expect, test } from 'vitest'
import { APP, credential, incoming, opOf, refusalIn } from '../../e2e/support/protocol'
import type { AuditEvent } from './audit-event'
import type { Application } from './client'
import { deviceAuthorization } from './device-authorization'
import { introspect } from './introspect'
import type { Provider } from './provider'
import { revoke } from './revoke'
import { token } from './token'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const RIGHT = { client_id: APP, client_secret: 'right' }
const PUBLIC: Partial<Application> = { kind: 'spa', authMethods: ['none'] }

const sent = (fields: Record<string, string>) => ({
  ...incoming(FORM),
  body: async () => Buffer.from(new URLSearchParams(fields).toString()),
})

function portal(
  more: Partial<Application> = {},
  mayRecord: (kind: string) => boolean = () => true,
) {
  const events: AuditEvent[] = []
  const limits: Provider['limits'] = {
    ...opOf().limits,
    tokenRequests: { take: () => 0 },
    deviceRequests: { take: () => 0 },
    refusals: { mayRecord },
  }
  const record = (event: AuditEvent) => void events.push(event)
  const op = opOf({ credentials: [credential(more)], op: { limits, record } })
  return { op, events }
}

type Endpoint = typeof token

describe('what an authenticated client is refused is in the audit log, at its application', () => {
  test.each<[string, Endpoint, Record<string, string>, Partial<Application>, string]>([
    ['no grant type', token, {}, {}, 'invalid_request grant_type_missing'],
    [
      'D9: password',
      token,
      { grant_type: 'password' },
      {},
      'unsupported_grant_type grant_type_unknown',
    ],
    [
      'D8: one that is not allowed',
      token,
      { grant_type: 'refresh_token' },
      { grantTypes: [] },
      'unauthorized_client grant_type_not_allowed',
    ],
    [
      'a device that may not',
      deviceAuthorization,
      {},
      {},
      'unauthorized_client grant_type_not_allowed',
    ],
    ['J4: no token to revoke', revoke, {}, {}, 'invalid_request token_missing'],
    ['no token to introspect', introspect, {}, {}, 'invalid_request token_missing'],
    [
      'no refresh token',
      token,
      { grant_type: 'refresh_token' },
      {},
      'invalid_request refresh_missing',
    ],
    ['no code', token, { grant_type: 'authorization_code' }, {}, 'invalid_request code_missing'],
    [
      'no redirect URI',
      token,
      { grant_type: 'authorization_code', code: 'x' },
      {},
      'invalid_request redirect_uri_missing',
    ],
  ])('%s', async (_what, endpoint, fields, more, expected) => {
    const { op, events } = portal(more)
    expect(await refusalIn(() => endpoint(op, sent({ ...RIGHT, ...fields })))).toBe(expected)
    const [error, reason] = expected.split(' ')
    expect(events).toMatchObject([
      { event: 'token.refused', targetId: APP, requestId: 'req', detail: { error, reason } },
    ])
  })

  test('I1, G1: a public client may neither introspect nor act for itself', async () => {
    const { op } = portal(PUBLIC)
    const asked = (fields: object) => sent({ client_id: APP, ...fields })
    expect(await refusalIn(() => introspect(op, asked({ token: 'x' })))).toBe(
      'invalid_client confidential_only',
    )
    const { op: machine } = portal({ ...PUBLIC, grantTypes: ['client_credentials'] })
    expect(await refusalIn(() => token(machine, asked({ grant_type: 'client_credentials' })))).toBe(
      'unauthorized_client confidential_only',
    )
  })

  test('D27: of a public client a few of each reason, as anybody can send its requests', async () => {
    const counted: string[] = []
    const { op, events } = portal(PUBLIC, (kind) => counted.push(kind) <= 1)
    const asked = () => token(op, sent({ client_id: APP }))
    for (const _time of [1, 2]) await refusalIn(asked)
    expect(events).toHaveLength(1)
    expect(counted).toEqual(Array(2).fill(`${APP} token.refused grant_type_missing`))
  })

  test('D23, G8: too many requests have a reason, and are not written down one by one', async () => {
    const { op, events } = portal()
    const limits = { ...op.limits, tokenRequests: { take: () => 7 } }
    const asked = () => token({ ...op, limits }, sent(RIGHT))
    expect(await refusalIn(asked)).toBe('slow_down rate_limited')
    expect(events).toEqual([])
  })
})
