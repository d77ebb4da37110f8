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
  refusalIn,
} from '../../e2e/support/protocol'
import type { EventName } from '../base/events'
import type { AccessKey, Application, Credential } from './client'
import type { Provider } from './provider'
import type { RefusalReason } from './refusal-reasons'
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

  const evil = { ...asked, redirect_uri: 'https://evil.test/' }
  const disabled = credential({ enabled: false })
  const closed = credential({}, accessKey({ enabled: false }))
  type Row = [string, Credential, Record<string, string>, RefusalReason, EventName, string | null]

  test.each<Row>([
    [
      'an unknown client',
      credential(),
      { ...asked, client_id: 'x' },
      'client_unknown',
      'authorize.refused',
      null,
    ],
    ['a disabled application', disabled, asked, 'application_disabled', 'authorize.refused', APP],
    [
      'a disabled access key',
      closed,
      { ...asked, client_id: 'ak_test' },
      'access_key_unusable',
      'authorize.refused',
      APP,
    ],
    [
      'no address',
      credential(),
      { client_id: APP },
      'redirect_uri_missing',
      'authorize.refused',
      APP,
    ],
    [
      'A3: an address that is not registered',
      credential(),
      evil,
      'redirect_uri',
      'authorize.foreign_redirect',
      APP,
    ],
  ])('%s: its reason is in the audit log', async (_what, client, fields, reason, event, target) => {
    const recorded: unknown[] = []
    const record: Provider['record'] = (entry) =>
      recorded.push([entry.event, entry.detail.reason, entry.targetId ?? null])
    const op = opOf({ credentials: [client], op: { record } })
    const refused = await refusalIn(() => resolveTarget(op, incoming(), form(fields)))
    expect(refused).toBe(`invalid_request ${reason}`)
    expect(recorded).toEqual([[event, reason, target]])
  })

  test('A1: an unknown, a disabled and an expired client look the same', async () => {
    const told = async (client: Credential, client_id: string) => {
      const asking = form({ ...asked, client_id })
      const error = await resolveTarget(opOf({ credentials: [client] }), incoming(), asking).catch(
        (error) => error,
      )
      return [error.word, error.message, error.members, error.application, error.onward]
    }
    const unknown = await told(credential(), 'x')
    expect(await told(disabled, APP)).toEqual(unknown)
    expect(await told(closed, 'ak_test')).toEqual(unknown)
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

test.each<[string, Record<string, string>, string]>([
  ['nothing', {}, 'not refused'],
  ['query', { response_mode: 'query' }, 'not refused'],
  ['form_post', { response_mode: 'form_post' }, 'not refused'],
  ['B4: fragment', { response_mode: 'fragment' }, 'invalid_request response_mode'],
  ['B4: an unknown mode', { response_mode: 'x' }, 'invalid_request response_mode'],
  ['B9: the longest state', { state: 'x'.repeat(4096) }, 'not refused'],
  ['B9: a longer state', { state: 'x'.repeat(4097) }, 'invalid_request parameter_too_long'],
])('requireAnswerable: %s', async (_what, fields, outcome) => {
  expect(await refusalIn(() => requireAnswerable(form(fields)))).toBe(outcome)
})
