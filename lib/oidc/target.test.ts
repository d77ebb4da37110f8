import { describe, expect, test } from 'vitest'
import {
  APP,
  accessKey,
  CALLBACK,
  credential,
  form,
  incoming,
  NOW,
  opOf,
  outcomeOf,
} from '../../e2e/support/protocol'
import type { AccessKey, Application } from './client'
import { isRegistered, requireAnswerable, resolveTarget } from './target'

const asked = { client_id: APP, redirect_uri: CALLBACK }

describe('resolveTarget: may an answer be sent there? (RFC 6749 §4.1.2.1)', () => {
  test.each<[string, Record<string, string>, object | 'invalid_request']>([
    ['yes', asked, { redirectUri: CALLBACK, responseMode: 'query', state: null }],
    ['with state', { ...asked, state: 's' }, { state: 's' }],
    ['by form_post', { ...asked, response_mode: 'form_post' }, { responseMode: 'form_post' }],
    [
      'an unknown mode is refused by query',
      { ...asked, response_mode: 'x' },
      { responseMode: 'query' },
    ],
    ['A1: no client_id', { redirect_uri: CALLBACK }, 'invalid_request'],
    ['A1: unknown client_id', { ...asked, client_id: 'x' }, 'invalid_request'],
    ['A2: no redirect_uri (OIDC Core §3.1.2.1)', { client_id: APP }, 'invalid_request'],
    ['A3: not registered', { ...asked, redirect_uri: 'https://evil.test/' }, 'invalid_request'],
  ])('%s', async (_what, fields, expected) => {
    const outcome = await outcomeOf(() => resolveTarget(opOf(), incoming(), form(fields)))
    if (typeof expected === 'string') expect(outcome).toBe(expected)
    else expect(outcome).toMatchObject(expected)
  })

  test.each<[string, Partial<Application>, AccessKey | null, boolean]>([
    ['an application', {}, null, true],
    ['A1: a disabled application', { enabled: false }, null, false],
    ['an access key', {}, accessKey(), true],
    ['a disabled access key', {}, accessKey({ enabled: false }), false],
    ['an access key that ends later', {}, accessKey({ expiresAt: NOW + 1 }), true],
    ['an access key that has ended', {}, accessKey({ expiresAt: NOW }), false],
    ['an access key of a disabled application', { enabled: false }, accessKey(), false],
  ])('%s may ask: %#', async (_what, application, key, open) => {
    const client = credential(application, key)
    const op = opOf({ credentials: [client] })
    const fields = form({ ...asked, client_id: client.clientId })
    const outcome = await outcomeOf(() => resolveTarget(op, incoming(), fields))
    expect(typeof outcome === 'object').toBe(open)
  })

  test('an address that is not registered is recorded', async () => {
    const events: string[] = []
    const op = opOf({ op: { record: ({ event }) => events.push(event) } })
    await outcomeOf(() =>
      resolveTarget(op, incoming(), form({ ...asked, redirect_uri: 'https://evil.test/' })),
    )
    expect(events).toEqual(['authorize.foreign_redirect'])
  })
})

describe('isRegistered: byte for byte (RFC 9700 §4.1.3)', () => {
  const native: Partial<Application> = { kind: 'native', authMethods: ['none'] }
  const of = (redirectUri: string, more: Partial<Application>) =>
    credential({ redirectUris: [redirectUri], ...more })

  test.each([
    'https://rp.test/cb/',
    'https://rp.test/cb/x',
    'https://rp.test/CB',
    'https://RP.test/cb',
    'https://rp.test:443/cb',
    'https://rp.test/cb?a=1',
    'https://rp.test/%63b',
    'https://rp.test/cb#',
    'https://rp.test@evil.test/cb',
    'http://rp.test/cb',
    ' https://rp.test/cb',
    '',
  ])('A4: %j is not https://rp.test/cb', (uri) => {
    expect(isRegistered(of(CALLBACK, {}), uri)).toBe(false)
  })

  test.each<[string, string, Partial<Application>, boolean]>([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51234/cb', native, true],
    ['http://[::1]/cb', 'http://[::1]:51234/cb', native, true],
    ['http://127.0.0.1', 'http://127.0.0.1:51234', native, true],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:65536/cb', native, false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51234/other', native, false],
    ['http://127.0.0.1/cb', 'http://127.0.0.2:51234/cb', native, false],
    ['http://127.0.0.1/cb', 'https://127.0.0.1:51234/cb', native, false],
    ['http://localhost/cb', 'http://localhost:51234/cb', native, false],
    ['http://127.0.0.1:80/cb', 'http://127.0.0.1:81/cb', native, false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51234/cb', { kind: 'web' }, false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51234/cb', { kind: 'native' }, false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51234/cb', { authMethods: ['none'] }, false],
  ])('A7: %s registered, %s asked for (RFC 8252 §7.3): %#', (known, uri, application, good) => {
    expect(isRegistered(of(known, application), uri)).toBe(good)
  })
})

test.each<[string, Record<string, string>, 'invalid_request' | undefined]>([
  ['nothing', {}, undefined],
  ['query', { response_mode: 'query' }, undefined],
  ['form_post', { response_mode: 'form_post' }, undefined],
  ['B4: fragment', { response_mode: 'fragment' }, 'invalid_request'],
  ['B4: an unknown mode', { response_mode: 'x' }, 'invalid_request'],
  ['B9: the longest state', { state: 'x'.repeat(4096) }, undefined],
  ['B9: a longer state', { state: 'x'.repeat(4097) }, 'invalid_request'],
])('requireAnswerable: %s', async (_what, fields, outcome) => {
  expect(await outcomeOf(() => requireAnswerable(form(fields)))).toBe(outcome)
})
