import { createHmac, timingSafeEqual } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { machineToken } from '../../support/api'
import { usually } from '../../support/databases'
import { OldBrowser } from '../../support/old-browser'
import type { ReceivedRequest } from '../../support/settings'
import { auditLog, call, portal, receiver, seen, startSettings } from '../../support/settings'

const TOLERANCE_SECONDS = 5 * 60

/** As the specification tells a receiver to: time, then any of the signatures in constant time. */
function verifies(secret: string, { headers, body }: ReceivedRequest): boolean {
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']]
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .map((part) => part.split(','))
    .some(([version, signature = '']) => {
      const sent = Buffer.from(signature, 'base64')
      return version === 'v1' && sent.length === expected.length && timingSafeEqual(sent, expected)
    })
}

describe.each(usually('sqlite'))('webhooks on %s', (kind) => {
  startSettings(kind)

  describe('webhooks', () => {
    const url = (path = '/hook') => `http://localhost:${receiver.port}${path}`

    async function created(more: object = {}) {
      const { status, json } = await call('POST', '/webhooks', {
        name: 'The CRM',
        url: url(),
        events: ['user.*'],
        ...more,
      })
      expect(status).toBe(201)
      return json as { id: string; secret: string }
    }

    const deliveries = async (id: string, query = '') =>
      (await call('GET', `/webhooks/${id}/deliveries${query}`)).json.data

    const arrived = (path: string, count = 1) =>
      expect.poll(() => receiver.at(path).length).toBeGreaterThanOrEqual(count)

    test('what happened arrives once, signed by the rules of Standard Webhooks, without secrets', async () => {
      const { id, secret } = await created({ url: url('/told') })
      expect(secret).toMatch(/^whsec_/)
      expect((await call('GET', `/webhooks/${id}`)).raw).not.toContain(secret)
      const email = `hook-${kind}@example.com`
      const user = (await call('POST', '/users', { name: 'Hooked', email })).json
      await arrived('/told')
      const [message] = receiver.at('/told')
      if (!message) throw new Error('nothing arrived')
      expect(verifies(secret, message)).toBe(true)
      expect(verifies(secret, { ...message, body: `${message.body} ` })).toBe(false)
      const said = JSON.parse(message.body)
      expect(said).toMatchObject({
        type: 'user.created',
        timestamp: expect.stringMatching(/Z$/),
        data: { result: 'success', target: { kind: 'user', id: user.id } },
      })
      await expect
        .poll(async () => (await deliveries(id))[0])
        .toMatchObject({
          id: message.headers['webhook-id'],
          event: 'user.created',
          state: 'delivered',
          status: 200,
          attempts: 1,
        })
      await call('POST', '/spaces', { key: `told-${kind}`, name: 'Not told' })
      expect(await deliveries(id)).toHaveLength(1)
    })

    test('a failed sign-in arrives, although it needs no transaction of its own; tokens do not', async () => {
      const { id } = await created({ url: url('/failed'), events: ['*'] })
      const browser = new OldBrowser(portal.origin)
      const wrong = { email: `nobody-${kind}@example.com`, password: 'wrong wrong wrong' }
      await browser.signIn(await browser.open('/login'), wrong)
      await machineToken(portal)
      const events = async () => (await deliveries(id)).map(({ event }: { event: string }) => event)
      await expect.poll(events).toContain('login.failed')
      expect(await events()).not.toContain('token.issued')
    })

    test('one that fails is tried again, and can be sent again under its id', async () => {
      const { id } = await created({ url: url('/sour'), events: ['demo.loaded'] })
      await call('POST', `/webhooks/${id}/test`)
      await arrived('/sour')
      await expect
        .poll(async () => (await deliveries(id, '?state=waiting'))[0])
        .toMatchObject({
          event: 'webhook.test',
          status: 500,
          lastError: 'answered 500',
        })
      receiver.sweeten()
      const [{ id: delivery }] = await deliveries(id)
      const resent = await call('POST', `/webhooks/${id}/deliveries/${delivery}/resend`)
      expect(resent.status).toBe(202)
      await expect.poll(async () => (await deliveries(id, '?state=delivered')).length).toBe(1)
      const ids = new Set(receiver.at('/sour').map(({ headers }) => headers['webhook-id']))
      expect([...ids]).toEqual([delivery])
      expect((await call('POST', `/webhooks/${id}/deliveries/msg_no/resend`)).status).toBe(404)
    })

    test('while a secret is rotated either of the two is good, afterwards only the new one', async () => {
      const { id, secret } = await created({ url: url('/turn'), events: ['demo.loaded'] })
      const next = await call('POST', `/webhooks/${id}/rotation`, { overlapHours: 1 })
      await call('POST', `/webhooks/${id}/test`)
      await arrived('/turn')
      const both = receiver.at('/turn')[0]
      expect([secret, next.json.secret].map((one) => both && verifies(one, both))).toEqual([
        true,
        true,
      ])
      const last = await call('POST', `/webhooks/${id}/rotation`, { overlapHours: 0 })
      await call('POST', `/webhooks/${id}/test`)
      await arrived('/turn', 2)
      const one = receiver.at('/turn')[1]
      const secrets = [secret, next.json.secret, last.json.secret]
      expect(secrets.map((each) => one && verifies(each, one))).toEqual([false, false, true])
      const audit = await auditLog()
      for (const each of secrets) expect(audit.raw).not.toContain(each)
    })

    test.each([
      'https://127.0.0.1/x',
      'https://[::ffff:127.0.0.1]/',
      'https://0x7f.1/',
      'https://169.254.169.254/latest',
      'http://example.com/',
      'https://user:pass@example.com/',
      'javascript:alert(1)',
    ])('N19: %s is refused when it is saved', async (address) => {
      const body = { name: 'x', url: address, events: ['*'] }
      const answer = await call('POST', '/webhooks', body)
      expect([answer.status, answer.json.errors[0].pointer]).toEqual([400, '/url'])
    })

    test.each(['nothing.at_all', 'nothing.*', 'token.issued', 'user.createdd'])(
      '%s is no event that webhooks get, and is refused at its field',
      async (event) => {
        const body = { name: 'x', url: url(), events: ['user.created', event] }
        const answer = await call('POST', '/webhooks', body)
        expect([answer.status, answer.json.errors[0].pointer]).toEqual([400, '/events/1'])
      },
    )

    test('N19: a name that leads into our network is refused when it is called, and no redirect is followed', async () => {
      const inside = await created({ url: 'https://localtest.me/x', events: ['demo.loaded'] })
      const away = await created({ url: url('/away'), events: ['demo.loaded'] })
      for (const { id } of [inside, away]) await call('POST', `/webhooks/${id}/test`)
      await expect
        .poll(async () => (await deliveries(inside.id))[0].lastError)
        .toMatch(/not public|ENOTFOUND|EAI_AGAIN/)
      await expect.poll(async () => (await deliveries(away.id))[0].lastError).toBe('answered 302')
      expect(receiver.at('/trap')).toEqual([])
    })

    test('a disabled one hears nothing, a deleted one leaves nothing', async () => {
      const { id } = await created({ url: url('/quiet') })
      const path = `/webhooks/${id}`
      expect((await call('PATCH', path, { enabled: false })).status).toBe(428)
      await call('PATCH', path, { enabled: false }, await seen(path))
      await call('POST', '/users', { name: 'Q', email: `quiet-${kind}@example.com` })
      expect(await deliveries(id)).toEqual([])
      expect((await call('POST', `${path}/test`)).status).toBe(409)
      expect((await call('DELETE', path, undefined, await seen(path))).status).toBe(204)
      expect((await call('GET', `${path}/deliveries`)).status).toBe(404)
      expect(receiver.at('/quiet')).toEqual([])
    })
  })
})
