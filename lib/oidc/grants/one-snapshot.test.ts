import { describe, expect, test } from 'vitest'
import {
  accessKey,
  credential,
  form,
  incoming,
  opOf,
  outcomeOf,
  type World,
} from '../../../e2e/support/protocol'
import { authenticateClient } from '../client-auth'
import type { Provider } from '../provider'
import { clientCredentials } from './client_credentials'

/**
 * A change can arrive between client authentication and the decision. Then the decision uses the new
 * state as a whole: a mixture could grant what neither state grants.
 */

const SCOPE = 'orders:read'
const FIELDS = form({ client_id: 'ak_test', client_secret: 'right', scope: SCOPE })

/** `before` answers the authentication, `after` everything else. */
function changing(before: World, after: World): Provider {
  const [first, then] = [opOf(before), opOf(after)]
  let asked = 0
  const snapshot = () => {
    asked += 1
    return asked === 1 ? first.snapshot() : then.snapshot()
  }
  return { ...then, snapshot }
}

async function ask(op: Provider) {
  const client = await authenticateClient(op, incoming(), FIELDS)
  return outcomeOf(() => clientCredentials(op, client, FIELDS, incoming()))
}

describe('POST /oidc/token while the client is changed', () => {
  const open = { credentials: [credential({}, accessKey())] }

  test('an access key that was narrowed meanwhile gets nothing of a grant that came with it', async () => {
    const narrow = credential({}, accessKey({ scopes: ['orders:write'] }))
    const after = { credentials: [narrow], granted: [SCOPE] }
    expect(await ask(changing(open, after))).toBe('invalid_scope')
  })

  test.each([
    ['deleted', []],
    ['disabled', [credential({}, accessKey({ enabled: false }))]],
    ['of a disabled application', [credential({ enabled: false }, accessKey())]],
  ])('401 invalid_client for an access key that is %s meanwhile', async (_how, credentials) => {
    expect(await ask(changing(open, { credentials, granted: [SCOPE] }))).toBe('invalid_client')
  })
})
