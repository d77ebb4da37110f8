import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { listensTo } from './enqueue'
import { newWebhookSecret, WEBHOOK_SECRET, webhookHeaders } from './sign'

describe('Standard Webhooks', () => {
  test('the example of the specification has the signature that it says', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
      body: '{"test": 2432232314}',
    }
    const { 'webhook-signature': signature } = webhookHeaders([secret], message)
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('two secrets, two signatures; lengths are of bytes', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()]
    for (const secret of secrets) expect(secret).toMatch(WEBHOOK_SECRET)
    const headers = webhookHeaders(secrets, { id: 'msg_1', timestamp: 1, body: '"é"' })
    const expected = secrets.map((secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      expect(key).toHaveLength(32)
      return `v1,${createHmac('sha256', key).update('msg_1.1."é"').digest('base64')}`
    })
    expect(headers['webhook-signature']).toBe(expected.join(' '))
    expect(headers['Content-Length']).toBe(4)
  })
})

test.each([
  [['*'], 'logout', true],
  [['user.*'], 'user.created', true],
  [['user.*'], 'users.created', false],
  [['user.*'], 'user', false],
  [['login.failed', 'user.created'], 'user.created', true],
  [['login.failed'], 'login.succeeded', false],
  [['*'], 'token.issued', false],
  [['token.*'], 'token.issued', false],
])('%j listens to %s: %s', (patterns, event, expected) => {
  expect(listensTo(patterns, event)).toBe(expected)
})
