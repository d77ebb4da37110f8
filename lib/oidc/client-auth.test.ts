import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  APP,
  accessKey,
  credential,
  form,
  incoming,
  NOW,
  opOf,
  outcomeOf,
  refusalIn,
} from '../../e2e/support/protocol'
import { ASSERTION_TYPE } from './assertion'
import type { AccessKey, Application, Credential, Secret } from './client'
import { authenticateClient, decodeBasic } from './client-auth'
import type { RefusalReason } from './refusal-reasons'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
function secret(text: string, expiresAt: number | null = null): Secret {
  return { id: text, hash: opOf().hashSecret(text), expiresAt }
}
const messageIn = (step: () => Promise<unknown>) =>
  step().then(
    () => 'not refused',
    (error: Error) => error.message,
  )
const formEncode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')

describe('decodeBasic', () => {
  test('D14: gives back any id and secret that were form-encoded', () => {
    const text = fc
      .string({ minLength: 1 })
      .filter((value) => value.isWellFormed() && !value.includes('\0'))
    fc.assert(
      fc.property(text, text, (id, secret) => {
        expect(decodeBasic(basic(`${formEncode(id)}:${formEncode(secret)}`))).toEqual([id, secret])
      }),
    )
  })

  test.each([
    ['a secret with a colon', basic('id:a%3Ab'), ['id', 'a:b']],
    ['a plus as a space', basic('id:a+b'), ['id', 'a b']],
    ['an encoded plus', basic('id:a%2Bb'), ['id', 'a+b']],
    ['unicode', basic('id:%E2%9C%93'), ['id', '✓']],
    ['any case of the scheme', basic('id:s').replace('Basic', 'bAsIc'), ['id', 's']],
  ])('D14: %s', (_what, header, halves) => {
    expect(decodeBasic(header)).toEqual(halves)
  })

  test.each([
    ['no colon', basic('nocolon')],
    ['bad base64', 'Basic !!!!'],
    ['a broken length', 'Basic YWI'],
    ['trailing garbage', `${basic('id:s')} x`],
    ['not UTF-8', `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`],
    ['broken percent-encoding', basic('id:%zz')],
    ['an empty id', basic(':secret')],
    ['an empty secret', basic('id:')],
    ['another scheme', 'Bearer abc'],
    ['nothing', 'Basic '],
  ])('D15: null for %s', (_what, header) => {
    expect(decodeBasic(header)).toBeNull()
  })

  test('D15: never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        decodeBasic(text)
        decodeBasic(`Basic ${text}`)
      }),
    )
  })
})

describe('authenticateClient: who is calling? (RFC 6749 §2.3)', () => {
  const RIGHT = { client_id: APP, client_secret: 'right' }
  const header = { authorization: basic(`${APP}:right`) }
  const OPEN: Partial<Application> = { kind: 'spa', authMethods: ['none'] }

  type Row = [
    what: string,
    client: Partial<Application>,
    headers: Record<string, string>,
    fields: Record<string, string>,
    outcome: 'confidential' | 'public' | `invalid_${'client' | 'request'} ${RefusalReason}`,
  ]

  test.each<Row>([
    ['client_secret_post', {}, {}, RIGHT, 'confidential'],
    ['client_secret_basic', {}, header, {}, 'confidential'],
    ['Basic and the same client_id in the body', {}, header, { client_id: APP }, 'confidential'],
    ['a public client', OPEN, {}, { client_id: APP }, 'public'],
    ['nothing', {}, {}, {}, 'invalid_client credentials_missing'],
    ['D10: client_id alone', {}, {}, { client_id: APP }, 'invalid_client method_not_allowed'],
    ['D11: Basic and a secret in the body', {}, header, RIGHT, 'invalid_request several_methods'],
    [
      'D11: a secret and an assertion',
      {},
      {},
      { ...RIGHT, client_assertion: 'x' },
      'invalid_request several_methods',
    ],
    [
      'D11: Basic and an assertion',
      {},
      header,
      { client_assertion: 'x' },
      'invalid_request several_methods',
    ],
    [
      'D12: another client_id in the body',
      {},
      header,
      { client_id: 'x' },
      'invalid_client client_id_differs',
    ],
    [
      'D13: a method that is not allowed',
      { authMethods: ['client_secret_basic'] },
      {},
      RIGHT,
      'invalid_client method_not_allowed',
    ],
    [
      'D13: a secret where keys are wanted',
      { authMethods: ['private_key_jwt'] },
      {},
      RIGHT,
      'invalid_client method_not_allowed',
    ],
    [
      'D15: malformed Basic',
      {},
      { authorization: 'Basic !' },
      {},
      'invalid_client credentials_malformed',
    ],
    [
      'D16: a wrong secret',
      {},
      {},
      { ...RIGHT, client_secret: 'wrong' },
      'invalid_client wrong_secret',
    ],
    [
      'D16: an unknown client',
      {},
      {},
      { ...RIGHT, client_id: 'x' },
      'invalid_client client_unknown',
    ],
    ['D17: a public client with a secret', OPEN, {}, RIGHT, 'invalid_client method_not_allowed'],
    [
      'D18: a disabled application',
      { enabled: false },
      {},
      RIGHT,
      'invalid_client application_disabled',
    ],
    [
      'a disabled public client',
      { ...OPEN, enabled: false },
      {},
      { client_id: APP },
      'invalid_client application_disabled',
    ],
    [
      'a secret without a client_id',
      {},
      {},
      { client_secret: 'right' },
      'invalid_client credentials_malformed',
    ],
    [
      'an assertion without its type',
      {},
      {},
      { client_assertion: 'x' },
      'invalid_client assertion_type',
    ],
    [
      'an assertion that is no JWT',
      {},
      {},
      { client_assertion: 'x', client_assertion_type: ASSERTION_TYPE },
      'invalid_client assertion_malformed',
    ],
  ])('%s', async (_what, more, headers, fields, expected) => {
    const op = opOf({ credentials: [credential(more)] })
    const authenticate = () => authenticateClient(op, incoming(headers), form(fields))
    if (expected.startsWith('invalid')) {
      expect(await refusalIn(authenticate)).toBe(expected)
      expect(await messageIn(authenticate)).toMatch(
        /^(client authentication failed|use only one client authentication method)$/,
      )
    } else {
      const { confidential } = await authenticate()
      expect(confidential ? 'confidential' : 'public').toBe(expected)
    }
  })

  test.each<[string, AccessKey, Secret[], boolean]>([
    ['an access key', accessKey(), [secret('right')], true],
    ['a disabled access key', accessKey({ enabled: false }), [secret('right')], false],
    ['an access key that ends later', accessKey({ expiresAt: NOW + 1 }), [secret('right')], true],
    ['an access key that has ended', accessKey({ expiresAt: NOW }), [secret('right')], false],
    [
      'both secrets during a rotation',
      accessKey(),
      [secret('new'), secret('right', NOW + 1)],
      true,
    ],
    ['the old secret after it', accessKey(), [secret('new'), secret('right', NOW)], false],
    ['no secret at all', accessKey(), [], false],
  ])('D18, G6: %s', async (_what, key, secrets, good) => {
    const client = { ...credential({}, key), secrets }
    const op = opOf({ credentials: [client] })
    const fields = form({ client_id: key.id, client_secret: 'right' })
    const outcome = await outcomeOf(() => authenticateClient(op, incoming(), fields))
    expect(outcome).toEqual(good ? expect.objectContaining({ id: key.id }) : 'invalid_client')
  })

  test('an access key is never public, whatever its application is', async () => {
    const op = opOf({ credentials: [credential(OPEN, accessKey())] })
    const fields = form({ client_id: 'ak_test' })
    expect(await outcomeOf(() => authenticateClient(op, incoming(), fields))).toBe('invalid_client')
  })

  test.each<[string, Credential, string]>([
    ['an old secret', { ...credential(), secrets: [secret('right', NOW)] }, 'secret_expired'],
    ['a disabled access key', credential({}, accessKey({ enabled: false })), 'access_key_unusable'],
    [
      'an access key that has ended',
      credential({}, accessKey({ expiresAt: NOW })),
      'access_key_unusable',
    ],
  ])('D18: the reason for %s', async (_what, client, reason) => {
    const op = opOf({ credentials: [client] })
    const fields = form({ client_id: client.clientId, client_secret: 'right' })
    expect(await refusalIn(() => authenticateClient(op, incoming(), fields))).toBe(
      `invalid_client ${reason}`,
    )
  })

  test.each<[string, Record<string, string>, string[]]>([
    ['a wrong secret', { ...RIGHT, client_secret: 'wrong' }, ['wrong_secret']],
    [
      'two methods, of a client that the form names',
      { ...RIGHT, client_assertion: 'x' },
      ['several_methods'],
    ],
    ['an unknown client', { ...RIGHT, client_id: 'x' }, []],
    ['two methods, of an unknown client', { ...RIGHT, client_id: 'x', client_assertion: 'x' }, []],
    ['no client at all', {}, []],
  ])('in the audit log: %s', async (_what, fields, expected) => {
    const recorded: unknown[] = []
    const op = opOf({
      op: { record: ({ event, detail }) => recorded.push([event, detail.reason]) },
    })
    await refusalIn(() => authenticateClient(op, incoming(), form(fields)))
    expect(recorded).toEqual(expected.map((reason) => ['client.refused', reason]))
  })

  test.each<[string, string | null, Record<string, string>, number]>([
    ['is counted', '10.0.0.1', { ...RIGHT, client_secret: 'wrong' }, 1],
    ['is counted for an unknown client', '10.0.0.1', { ...RIGHT, client_id: 'x' }, 1],
    ['is not counted where nobody vouches for the address', null, { ...RIGHT, client_id: 'x' }, 0],
    ['that is right is not counted', '10.0.0.1', RIGHT, 0],
  ])('D23: a secret %s', async (_what, ip, fields, times) => {
    let failed = 0
    const secretGuesses = {
      wait: () => 0,
      failed: async () => {
        failed += 1
      },
    }
    const limits = { ...opOf().limits, secretGuesses }
    await outcomeOf(() =>
      authenticateClient(opOf({ op: { limits } }), incoming({}, ip), form(fields)),
    )
    expect(failed).toBe(times)
  })

  test('D23: after too many not even the right one is looked at', async () => {
    const limits = { ...opOf().limits, secretGuesses: { wait: () => 7, failed: async () => {} } }
    const asked = () =>
      authenticateClient(opOf({ op: { limits } }), incoming({}, '10.0.0.1'), form(RIGHT))
    expect(await refusalIn(asked)).toBe('slow_down too_many_guesses')
  })
})
