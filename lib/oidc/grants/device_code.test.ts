import { describe, expect, test } from 'vitest'
import { clientOf, later, storedDevice } from '../../../e2e/support/grants'
import { form, incoming, opOf, refusalIn } from '../../../e2e/support/protocol'
import type { StoredDevice } from '../stores'
import { deviceCode } from './device_code'

/** RFC 8628 §3.5: each cause of a refusal has its reason. */

type Case = {
  device?: Partial<StoredDevice>
  unknown?: true
  /** What is in the store after the exchange has failed. */
  after?: StoredDevice | null
  userIsActive?: boolean
  fields?: Record<string, string>
  tooFast?: true
}

function polled({ device, unknown, after = null, userIsActive = true, ...more }: Case) {
  const { fields = { device_code: 'x' }, tooFast } = more
  const answered = new Map([['openid', true]])
  const devices = {
    findWithUser: async () =>
      unknown ? null : { device: storedDevice(device), userIsActive, answered },
    exchange: async () => false,
    find: async () => after,
    poll: async () => !tooFast,
    slowDown: async () => {},
  }
  const op = opOf({ op: { devices } as never }) // a part of the store
  return deviceCode(op, clientOf(), form(fields), incoming())
}

describe('V: every refused device code has a reason', () => {
  test.each<[string, Case, string]>([
    ['none', { fields: {} }, 'invalid_request device_code_missing'],
    ['an unknown one', { unknown: true }, 'invalid_grant device_code_unknown'],
    [
      'V4: one of another application',
      { device: { applicationId: 'x' } },
      'invalid_grant device_code_other_client',
    ],
    ['used before', { device: { usedAt: later(0) } }, 'invalid_grant device_code_used'],
    ['of a user who is disabled', { userIsActive: false }, 'invalid_grant user_disabled'],
    ['the user refused', { device: { deniedAt: later(0) } }, 'access_denied device_declined'],
    [
      'V8: after its time',
      { device: { expiresAt: later(0) } },
      'expired_token device_code_expired',
    ],
    ['it waits', { device: { approval: null } }, 'authorization_pending device_pending'],
    [
      'V2: too fast',
      { device: { approval: null }, tooFast: true },
      'polled_too_fast device_too_fast',
    ],
    [
      'V6: another poll was first',
      { after: storedDevice({ usedAt: later(0) }) },
      'invalid_grant device_code_used',
    ],
    ['it ended meanwhile', { after: storedDevice() }, 'invalid_grant device_code_expired'],
    ['it was deleted meanwhile', {}, 'invalid_grant device_code_unknown'],
  ])('%s', async (_what, one, refusal) => {
    expect(await refusalIn(() => polled(one))).toBe(refusal)
  })
})
