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
} from '../../e2e/support/protocol'
import type { AccessKey, Application, Secret } from './client'
import { authenticateClient, decodeBasic } from './client-auth'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
function secret(text: string, expiresAt: number | null = null): Secret {
  return { id: text, hash: opOf().hashSecret(text), expiresAt }
}
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
    outcome: 'confidential' | 'public' | 'invalid_client' | 'invalid_request',
  ]

  test.each<Row>([
    ['client_secret_post', {}, {}, RIGHT, 'confidential'],
    ['client_secret_basic', {}, header, {}, 'confidential'],
    ['Basic and the same client_id in the body', {}, header, { client_id: APP }, 'confidential'],
    ['a public client', OPEN, {}, { client_id: APP }, 'public'],
    ['nothing', {}, {}, {}, 'invalid_client'],
    ['D10: client_id alone', {}, {}, { client_id: APP }, 'invalid_client'],
    ['D11: Basic and a secret in the body', {}, header, RIGHT, 'invalid_request'],
    [
      'D11: a secret and an assertion',
      {},
      {},
      { ...RIGHT, client_assertion: 'x' },
      'invalid_request',
    ],
    ['D11: Basic and an assertion', {}, header, { client_assertion: 'x' }, 'invalid_request'],
    ['D12: another client_id in the body', {}, header, { client_id: 'x' }, 'invalid_client'],
    [
      'D13: a method that is not allowed',
      { authMethods: ['client_secret_basic'] },
      {},
      RIGHT,
      'invalid_client',
    ],
    [
      'D13: a secret where keys are wanted',
      { authMethods: ['private_key_jwt'] },
      {},
      RIGHT,
      'invalid_client',
    ],
    ['D15: malformed Basic', {}, { authorization: 'Basic !' }, {}, 'invalid_client'],
    ['D16: a wrong secret', {}, {}, { ...RIGHT, client_secret: 'wrong' }, 'invalid_client'],
    ['D16: an unknown client', {}, {}, { ...RIGHT, client_id: 'x' }, 'invalid_client'],
    ['D17: a public client with a secret', OPEN, {}, RIGHT, 'invalid_client'],
    ['D18: a disabled application', { enabled: false }, {}, RIGHT, 'invalid_client'],
    [
      'a disabled public client',
      { ...OPEN, enabled: false },
      {},
      { client_id: APP },
      'invalid_client',
    ],
    ['a secret without a client_id', {}, {}, { client_secret: 'right' }, 'invalid_client'],
    ['an assertion that is no JWT', {}, {}, { client_assertion: 'x' }, 'invalid_client'],
  ])('%s', async (_what, more, headers, fields, expected) => {
    const op = opOf({ credentials: [credential(more)] })
    const outcome = await outcomeOf(() => authenticateClient(op, incoming(headers), form(fields)))
    const told =
      typeof outcome === 'string' ? outcome : outcome.confidential ? 'confidential' : 'public'
    expect(told).toBe(expected)
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
    expect(await outcomeOf(asked)).toBe('slow_down')
  })
})
