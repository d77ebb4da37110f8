import { describe, expect, test } from 'vitest'
import { sign, signedHere } from '../../e2e/support/own-tokens'
import { APP, credential, incoming, opOf, refusalIn, USER } from '../../e2e/support/protocol'
import { endSession } from './end-session'
import { URL_LIMIT } from './endpoint'

/** OpenID Connect RP-Initiated Logout 1.0: each cause of a refusal has its reason. */

const OTHER = 'app_other'
const others = { ...credential({ id: OTHER }), clientId: OTHER }
const uri = { post_logout_redirect_uri: 'https://x.test/bye' }

async function refused(fields: Record<string, string>) {
  const recorded: unknown[] = []
  const op = opOf({
    credentials: [credential(), others],
    op: {
      ...signedHere,
      record: ({ event, targetId, detail }) => recorded.push([event, targetId, detail.reason]),
    },
  })
  const url = `/oidc/session/end?${new URLSearchParams(fields)}`
  const refusal = await refusalIn(() => endSession(op, { ...incoming(), method: 'GET', url }))
  return { refusal, recorded }
}

describe('L: why a sign-out request is refused', () => {
  const hint = () => sign({ sub: USER, aud: APP }, 'JWT')

  test.each<[string, () => Promise<Record<string, string>>, string, string | null]>([
    ['L4: a forged hint', async () => ({ id_token_hint: 'x' }), 'id_token_hint', null],
    [
      'L4: a forged hint, of a client that the request names',
      async () => ({ id_token_hint: 'x', client_id: APP }),
      'id_token_hint',
      APP,
    ],
    ['L3: an address without a client', async () => uri, 'logout_client_missing', null],
    [
      'L3: one that is not registered',
      async () => ({ ...uri, client_id: APP }),
      'logout_redirect_uri',
      APP,
    ],
    [
      'L3: one that is not registered, with an ID token',
      async () => ({ ...uri, id_token_hint: await hint() }),
      'logout_redirect_uri',
      APP,
    ],
    [
      'L6: two clients',
      async () => ({ client_id: OTHER, id_token_hint: await hint() }),
      'client_id_differs',
      OTHER,
    ],
  ])('%s', async (_what, fields, reason, target) => {
    const { refusal, recorded } = await refused(await fields())
    expect(refusal).toBe(`invalid_request ${reason}`)
    expect(recorded).toEqual(target === null ? [] : [['logout.refused', target, reason]])
  })

  test('L15: what was sent and the registered address that is most like it are recorded', async () => {
    const facts: unknown[] = []
    const registered = ['https://x.test/bye', 'https://x.test/']
    const op = opOf({
      credentials: [credential({ postLogoutRedirectUris: registered })],
      op: { ...signedHere, record: ({ detail }) => void facts.push(detail) },
    })
    const asked = { client_id: APP, post_logout_redirect_uri: 'https://x.test' }
    const url = `/oidc/session/end?${new URLSearchParams(asked)}`
    await refusalIn(() => endSession(op, { ...incoming(), method: 'GET', url }))
    expect(facts).toMatchObject([
      { given: 'https://x.test', nearest: expect.stringMatching(/^https:..x.test./), at: 14 },
    ])
  })

  test('a form that is longer than a URL', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = async () => Buffer.from(`state=${'x'.repeat(URL_LIMIT)}`)
    const posted = () => endSession(opOf(), { ...incoming(type), body })
    expect(await refusalIn(posted)).toBe('request_too_large body_too_large')
  })
})
