import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSecret } from '../../lib/crypto/secrets'
import type { OpenOp } from '../../lib/op'
import { type Answer, ask, askToken, basic, FORM, machineFields } from '../support/ask'
import { type OpenPortal, openPortal } from '../support/in-process'

/** docs/attacks.md, D1 to D18, each row by its id; what a socket and the log show is in e2e/http. */

let portal: OpenPortal
let op: OpenOp

beforeAll(async () => {
  portal = await openPortal()
  op = portal.op
})

afterAll(() => portal.stop())

const post = (fields: Record<string, string> | string, headers: Record<string, string> = {}) =>
  askToken(portal.origin, fields, headers)
const machine = (more: Record<string, string> = {}) => machineFields(portal, more)
const withoutSecret = () => {
  const { client_id: _id, client_secret: _secret, ...rest } = machine()
  return rest
}

/** TE(code): a token-style error. */
function expectTokenError(answer: Answer, error: string, status = 400): void {
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toBe('application/json')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers.pragma).toBe('no-cache')
  const body = JSON.parse(answer.body)
  expect(body.error).toBe(error)
  expect(body.error_description).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/)
}

let invalidClientBody: string | undefined

/** IC: the same bytes, whatever was wrong. */
function expectInvalidClient(answer: Answer): void {
  expectTokenError(answer, 'invalid_client', 401)
  expect(answer.headers['www-authenticate']).toBe(`Basic realm="${portal.origin}", charset="UTF-8"`)
  invalidClientBody ??= answer.body
  expect(answer.body).toBe(invalidClientBody)
}

describe('D1: only POST', () => {
  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD'])('%s is 405', async (method) => {
    const answer = await ask(portal.origin, { method, path: '/oidc/token' })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('POST, OPTIONS')
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})

describe('D2: only a form', () => {
  test.each([
    ['JSON', 'application/json'],
    ['multipart', 'multipart/form-data; boundary=x'],
    ['text', 'text/plain'],
    ['nothing', ''],
  ])('%s', async (_what, type) => {
    const body = new URLSearchParams(machine()).toString()
    const headers: Record<string, string> = type ? { 'content-type': type } : {}
    const answer = await ask(portal.origin, { method: 'POST', path: '/oidc/token', headers, body })
    expectTokenError(answer, 'invalid_request')
  })

  test('a form with a charset is accepted', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }
    expect((await post(machine(), type)).status).toBe(200)
  })
})

describe('D3: a body over 64 KiB is 413 and reading stops', () => {
  const large = `${'x'.repeat(70 * 1024)}=1`

  test('with a length', async () => {
    const answer = await post(large)
    expectTokenError(answer, 'invalid_request', 413)
  })

  test('64 KiB exactly is read', async () => {
    const fields = new URLSearchParams(machine()).toString()
    const padded = `${fields}&pad=${'x'.repeat(64 * 1024 - fields.length - 5)}`
    expect((await post(padded)).status).toBe(200)
  })
})

describe('D4: broken bodies', () => {
  test('gzip', async () => {
    const body = gzipSync(new URLSearchParams(machine()).toString())
    const headers = { ...FORM, 'content-encoding': 'gzip' }
    const answer = await ask(portal.origin, { method: 'POST', path: '/oidc/token', headers, body })
    expectTokenError(answer, 'invalid_request')
  })

  test.each([
    ['bad percent-encoding', Buffer.from('grant_type=%zz')],
    ['an encoded NUL', Buffer.from('grant_type=a%00b')],
    ['a raw NUL', Buffer.from('grant_type=a\0b')],
    ['invalid UTF-8', Buffer.from([0x61, 0x3d, 0xff, 0xfe])],
    ['encoded invalid UTF-8', Buffer.from('a=%ff%fe')],
  ])('%s', async (_what, body) => {
    const asked = { method: 'POST', path: '/oidc/token', headers: FORM, body }
    expectTokenError(await ask(portal.origin, asked), 'invalid_request')
  })
})

test('D5: a parameter twice', async () => {
  const once = new URLSearchParams(machine()).toString()
  for (const again of [
    '&scope=orders:read',
    '&grant_type=client_credentials',
    '&x=1&x=2',
    '&scope=',
  ]) {
    expectTokenError(await post(once + again), 'invalid_request')
  }
})

test('D6: an empty parameter counts as omitted', async () => {
  expect((await post(machine({ resource: '', code: '' }))).status).toBe(200)
  expectTokenError(await post(machine({ grant_type: '' })), 'invalid_request')
})

describe('D8, D9: grant_type', () => {
  test('missing is invalid_request', async () => {
    const { grant_type: _type, ...rest } = machine()
    expectTokenError(await post(rest), 'invalid_request')
  })

  test.each(['foo', 'password', '__proto__', 'constructor', 'toString', 'CLIENT_CREDENTIALS'])(
    '%s is unsupported_grant_type',
    async (grant_type) => {
      expectTokenError(await post(machine({ grant_type })), 'unsupported_grant_type')
    },
  )

  test('known, but not for this application, is unauthorized_client', async () => {
    const { web } = portal.demo()
    const { client_id, client_secret } = web
    expectTokenError(await post(machine({ client_id, client_secret })), 'unauthorized_client')
  })
})

describe('client authentication', () => {
  test('D10: none for a confidential client', async () => {
    expectInvalidClient(await post(withoutSecret()))
    expectInvalidClient(await post({ ...withoutSecret(), client_id: machine().client_id ?? '' }))
  })

  test('D11: Basic and a body secret', async () => {
    const { client_id = '', client_secret = '' } = machine()
    expectTokenError(await post(machine(), basic(client_id, client_secret)), 'invalid_request')
  })

  test('D12: Basic client_id differs from the body’s', async () => {
    const { client_id = '', client_secret = '' } = machine()
    const asked = { ...withoutSecret(), client_id: 'app_demo_web' }
    expectInvalidClient(await post(asked, basic(client_id, client_secret)))
    expect(
      (await post({ ...withoutSecret(), client_id }, basic(client_id, client_secret))).status,
    ).toBe(200)
  })

  test('D13: a method that the application does not allow', async () => {
    const id = 'app_demo_machine'
    const allow = (authMethods: string[]) =>
      op.changePolicy((tx) => tx.application.update({ where: { id }, data: { authMethods } }))
    await allow(['client_secret_basic'])
    expectInvalidClient(await post(machine()))
    const { client_secret = '' } = machine()
    expect((await post(withoutSecret(), basic(id, client_secret))).status).toBe(200)
    await allow(['client_secret_basic', 'client_secret_post'])
    expect((await post(machine())).status).toBe(200)
  })

  test('D14: Basic halves are form-decoded after base64', async () => {
    const secret = 'with:colon +plus ✓ %41'
    await addSecret(secret)
    const encoded = encodeURIComponent(secret).replaceAll('%20', '+')
    const right = await post(withoutSecret(), basic('app_demo_machine', encoded))
    expect(right.status).toBe(200)
    expectInvalidClient(await post(withoutSecret(), basic('app_demo_machine', secret)))
  })

  test('D15: malformed Basic', async () => {
    const headers = [
      'Basic',
      'Basic ',
      'Basic !!!',
      'Basic YQ',
      'Basic YTpi garbage',
      'Bearer x',
      'x',
    ]
    for (const authorization of headers) {
      expectInvalidClient(await post(withoutSecret(), { authorization }))
    }
    const notUtf8 = Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')
    expectInvalidClient(await post(withoutSecret(), { authorization: `Basic ${notUtf8}` }))
  })

  test('D16: an unknown client and a wrong secret look the same', async () => {
    const wrong = await post(machine({ client_secret: newSecret('ghcs') }))
    const unknown = await post(machine({ client_id: 'app_nobody' }))
    expectInvalidClient(wrong)
    expectInvalidClient(unknown)
    const shape = ({ headers }: Answer) => Object.keys(headers).sort()
    expect(shape(unknown)).toEqual(shape(wrong))
  })

  test('D17, G1: a public client presenting a secret, or none', async () => {
    expectInvalidClient(await post(machine({ client_id: 'app_demo_spa' })))
    const asPublic = { ...withoutSecret(), client_id: 'app_demo_spa' }
    expectTokenError(await post(asPublic), 'unauthorized_client')
  })

  test('D18: disabled, expired and rotated out; during an overlap both secrets work', async () => {
    const second = newSecret('ghcs')
    const id = await addSecret(second)
    expect((await post(machine())).status).toBe(200)
    expect((await post(machine({ client_secret: second }))).status).toBe(200)

    const change = (data: { expiresAt?: Date; revokedAt?: Date | null }) =>
      op.changePolicy((tx) => tx.applicationSecret.update({ where: { id }, data }))
    await change({ expiresAt: new Date(Date.now() - 1) })
    expectInvalidClient(await post(machine({ client_secret: second })))
    await change({ expiresAt: new Date(Date.now() + 60_000) })
    expect((await post(machine({ client_secret: second }))).status).toBe(200)
    await change({ revokedAt: new Date() })
    expectInvalidClient(await post(machine({ client_secret: second })))
  })

  test('D18, G6: a disabled application, and a disabled or expired access key', async () => {
    const { access_key, secret_key } = portal.demo().machine
    const asKey = machine({ client_id: access_key, client_secret: secret_key })
    const key = (data: { disabledAt?: Date | null; expiresAt?: Date | null }) =>
      op.changePolicy((tx) => tx.accessKey.update({ where: { id: access_key }, data }))
    await key({ disabledAt: new Date() })
    expectInvalidClient(await post(asKey))
    await key({ disabledAt: null, expiresAt: new Date(Date.now() - 1) })
    expectInvalidClient(await post(asKey))
    await key({ expiresAt: null })
    const application = (disabledAt: Date | null) =>
      op.changePolicy((tx) =>
        tx.application.update({ where: { id: 'app_demo_machine' }, data: { disabledAt } }),
      )
    await application(new Date())
    expectInvalidClient(await post(machine()))
    expectInvalidClient(await post(asKey))
    await application(null)
    expect((await post(asKey)).status).toBe(200)
  })
})

test('a strict application gets all or nothing', async () => {
  const strict = (strictScopes: boolean) =>
    op.changePolicy((tx) =>
      tx.application.update({ where: { id: 'app_demo_machine' }, data: { strictScopes } }),
    )
  await strict(true)
  const answer = await post(machine({ scope: 'orders:read orders:delete' }))
  expectTokenError(answer, 'invalid_scope')
  expect(JSON.parse(answer.body)).toMatchObject({ scope_rejected: 'orders:delete' })
  expect((await post(machine())).status).toBe(200)
  await strict(false)
})

test('an access key narrower than its application, and with a shorter lifetime', async () => {
  const { access_key, secret_key } = portal.demo().machine
  const asKey = machine({ client_id: access_key, client_secret: secret_key, scope: 'orders:*' })
  await op.changePolicy((tx) =>
    tx.accessKey.update({
      where: { id: access_key },
      data: { scopes: ['orders:read'], tokenSeconds: 120 },
    }),
  )
  const body = JSON.parse((await post(asKey)).body)
  expect(body).toMatchObject({ scope: 'orders:read', expires_in: 120 })
  expect(body.scope_rejected_reasons).toContainEqual({
    scope: 'orders:write',
    code: 'key_restricted',
    next_action: 'none',
  })
})

async function addSecret(secret: string): Promise<string> {
  const id = newSecret('ghcs').slice(0, 20)
  await op.changePolicy((tx) =>
    tx.applicationSecret.create({
      data: {
        id,
        applicationId: 'app_demo_machine',
        name: 'added',
        secretHash: op.hashSecret(secret),
        hint: '',
        createdAt: new Date(),
      },
    }),
  )
  return id
}
