import { describe, expect, test } from 'vitest'
import { tokenGrant } from '../../e2e/support/grants'
import { sign, signedHere } from '../../e2e/support/own-tokens'
import { APP, incoming, NOW, opOf, refusalIn, USER } from '../../e2e/support/protocol'
import { userinfo } from './userinfo'

/** RFC 6750 §3.1: each cause of a refusal has its reason, and all look the same to the client. */

const CLAIMS = {
  jti: 'jti',
  sub: USER,
  client_id: APP,
  grant_id: 'tgr',
  scope: 'openid',
  exp: NOW / 1000 + 60,
}

function portal({ alive = true } = {}) {
  const recorded: unknown[] = []
  const op = opOf({
    op: {
      ...signedHere,
      tokenGrants: { find: async () => tokenGrant({ alive }), revoke: async () => {} },
      people: { find: async () => null, groupsOf: async () => [] },
      attributeKeys: () => ({ defined: new Set(), trusted: new Set() }),
      record: ({ event, targetId, detail }) => recorded.push([event, targetId, detail.reason]),
    },
  })
  return { op, recorded }
}

const withToken = (token: string) => incoming({ authorization: `Bearer ${token}` })
const recordedAs = (reason: string) => [['userinfo.refused', APP, reason]]

describe('I: why userinfo is refused', () => {
  test('no token: the challenge has no error code, the log has a reason', async () => {
    const { op, recorded } = portal()
    const { status, headers, refusal } = await userinfo(op, incoming())
    expect([status, headers['WWW-Authenticate']]).toEqual([401, 'Bearer realm="https://id.test"'])
    expect(refusal).toEqual({ error: 'invalid_token', reason: 'access_token_missing' })
    expect(recorded).toEqual([])
  })

  test.each<[string, () => Promise<string> | string, string]>([
    ['not signed here', () => 'x', 'access_token_invalid'],
    ['an ID token', () => sign({ ...CLAIMS, client_id: undefined }, 'JWT'), 'access_token_invalid'],
    ['expired', () => sign({ ...CLAIMS, exp: NOW / 1000 }), 'access_token_expired'],
  ])('%s: not in the audit log', async (_what, token, reason) => {
    const { op, recorded } = portal()
    const asked = withToken(await token())
    expect(await refusalIn(() => userinfo(op, asked))).toBe(`invalid_token ${reason}`)
    expect(recorded).toEqual([])
  })

  test.each<[string, object, boolean, string]>([
    ['its sign-in has ended', {}, false, 'invalid_token access_token_ended'],
    ['of a machine', { grant_id: undefined }, true, 'invalid_token access_token_ended'],
    ['without openid', { scope: 'email' }, true, 'insufficient_scope openid_missing'],
    ['of a user who is disabled', {}, true, 'invalid_token user_disabled'],
  ])('%s: in the audit log of the application', async (_what, more, alive, expected) => {
    const { op, recorded } = portal({ alive })
    const asked = withToken(await sign({ ...CLAIMS, ...more }))
    expect(await refusalIn(() => userinfo(op, asked))).toBe(expected)
    expect(recorded).toEqual(recordedAs(expected.split(' ')[1] ?? ''))
  })
})
