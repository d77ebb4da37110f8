import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requestReset } from '../../lib/accounts/reset-password'
import { MINUTE_MS } from '../../lib/base/time'
import { emptyOutbox } from '../../lib/delivery/deliver'
import { type ApiAnswer, type Call, caller, machineToken } from '../support/api'
import { usually } from '../support/databases'
import { aliceAtWeb, exchange, getCode, webRequest } from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import { freePort } from '../support/postgres'
import { type Receiver, startReceiver } from '../support/receiver'
import { startMailServer } from '../support/smtp'

/** What leaves the portal can be seen, tried again and cancelled, and never goes to an old address. */

const WEB = '/applications/app_demo_web'
const ANY = { 'if-match': '*' }

type Message = {
  id: string
  kind: string
  about: string | null
  target: { type: string; id: string; name: string | null } | null
  state: string
  attempts: number
  lastError: string | null
  nextAttemptAt: string | null
}

describe.each(usually('sqlite'))('the outbox on %s', (kind) => {
  let portal: OpenPortal
  let api: Call
  let receiver: Receiver
  /** Nobody listens here. */
  let quiet: number
  let mailPort: number

  beforeAll(async () => {
    receiver = await startReceiver()
    ;[quiet, mailPort] = [await freePort(), await freePort()]
    portal = await openPortal({
      kind,
      env: {
        OUTBOUND_HOSTS: `localhost:${receiver.port},localhost:${quiet}`,
        SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
        MAIL_FROM: 'id@example.com',
      },
    })
    api = caller(portal, await machineToken(portal))
  })

  beforeEach(() => {
    receiver.bodies.length = 0
    receiver.status = 200
  })

  afterAll(async () => {
    await portal.stop()
    receiver.close()
  })

  async function list(query: string): Promise<Message[]> {
    const { status, json } = await api('GET', `/outbox/messages?${query}`)
    expect(status).toBe(200)
    return json.data
  }

  const read = async (id: string): Promise<Message> =>
    (await api('GET', `/outbox/messages/${id}`)).json
  const retry = (id: string) => api('POST', `/outbox/messages/${id}/retry`)
  const cancel = (id: string) => api('POST', `/outbox/messages/${id}/cancel`)
  /** What is due now. */
  const deliver = () => emptyOutbox(portal.op, () => true)
  /** What is due after the longest wait of what failed so far. */
  async function deliverLater(): Promise<void> {
    portal.moveClock(MINUTE_MS)
    await deliver()
  }
  const stateOf = async (id: string) => (await read(id)).state
  const said = ({ status, json }: ApiAnswer) => [status, json.code, json.detail]

  async function newest(query: string): Promise<Message> {
    const [message] = await list(`${query}&limit=1`)
    if (!message) throw new Error(`nothing is ${query}`)
    return message
  }

  /** The newest, after it has failed for the first time. */
  async function newestTried(query: string): Promise<Message> {
    await deliver()
    const message = await newest(query)
    expect(message.lastError).not.toBeNull()
    return message
  }

  const addressAt = (port: number) => `http://localhost:${port}/bcl`
  async function setAddress(backchannelLogoutUri: string | null): Promise<void> {
    expect((await api('PATCH', WEB, { backchannelLogoutUri }, ANY)).status).toBe(200)
  }

  async function signInAndOut(): Promise<string> {
    const browser = await aliceAtWeb(portal)
    const answer = await exchange(portal, await getCode(browser, webRequest(portal.demo())))
    const { id_token } = JSON.parse(answer.body)
    await browser.open(`/oidc/session/end?id_token_hint=${id_token}`)
    return String(decodeJwt(id_token).sid)
  }

  const LOGOUTS = 'kind=backchannel_logout'

  /** Three logouts that were tried once where nobody listens. */
  async function threeWait(): Promise<{ waiting: Message[]; sessions: string[] }> {
    await setAddress(addressAt(quiet))
    const sessions = [await signInAndOut(), await signInAndOut(), await signInAndOut()]
    await deliver()
    const waiting = await list(`${LOGOUTS}&state=waiting`)
    expect(waiting.filter(({ lastError }) => lastError !== null)).toHaveLength(3)
    return { waiting, sessions }
  }

  const sidsAt = ({ bodies }: Receiver) =>
    bodies.map((body) => decodeJwt(new URLSearchParams(body).get('logout_token') ?? '').sid)

  test('L14: an address that is removed while three logouts wait for it gets none; they are cancelled', async () => {
    const { waiting } = await threeWait()
    for (const { target, lastError, attempts } of waiting) {
      expect(target).toEqual({ type: 'application', id: 'app_demo_web', name: 'Demo web app' })
      expect(lastError).toMatch(/ECONNREFUSED/)
      expect(attempts).toBeGreaterThanOrEqual(1)
    }
    const late = await startReceiver(quiet)
    await setAddress(null)
    const cancelled = await list(`${LOGOUTS}&state=cancelled`)
    expect(cancelled.map(({ id }) => id).sort()).toEqual(waiting.map(({ id }) => id).sort())
    for (const { lastError, nextAttemptAt } of cancelled) {
      expect([lastError, nextAttemptAt]).toEqual(['the logout address was removed', null])
    }
    await deliverLater()
    expect(late.bodies).toEqual([])
    late.close()
  })

  test('L14: an address that is changed while three logouts wait for it: they go to the new one at once', async () => {
    const { waiting, sessions } = await threeWait()
    const late = await startReceiver(quiet)
    await setAddress(addressAt(receiver.port))
    await deliver()
    expect(sidsAt(receiver).sort()).toEqual([...sessions].sort())
    for (const { id } of waiting) expect(await stateOf(id)).toBe('delivered')
    expect(late.bodies).toEqual([])
    late.close()
  })

  test('a disabled application is still notified: its own sessions may be open', async () => {
    const { waiting } = await threeWait()
    expect((await api('PATCH', WEB, { enabled: false }, ANY)).status).toBe(200)
    await setAddress(addressAt(receiver.port))
    await deliver()
    for (const { id } of waiting) expect(await stateOf(id)).toBe('delivered')
    expect((await api('PATCH', WEB, { enabled: true }, ANY)).status).toBe(200)
  })

  const WEBHOOKS = 'kind=webhook'

  async function newWebhook(events = ['demo.loaded']): Promise<string> {
    const url = `http://localhost:${receiver.port}/hook`
    const { status, json } = await api('POST', '/webhooks', { name: 'The CRM', url, events })
    expect(status).toBe(201)
    return json.id
  }

  const deliveries = async (webhook: string) =>
    (await api('GET', `/webhooks/${webhook}/deliveries`)).json.data

  test('what has failed is delivered when it is tried again, and the log says who did it', async () => {
    receiver.status = 410
    const webhook = await newWebhook()
    await api('POST', `/webhooks/${webhook}/test`)
    await deliver()
    expect(await list(`${WEBHOOKS}&state=failed`)).toHaveLength(1)
    const { id, ...failed } = await newest(`${WEBHOOKS}&state=failed`)
    expect(failed).toMatchObject({
      about: 'webhook.test',
      lastError: 'answered 410',
      attempts: 1,
      nextAttemptAt: null,
      target: { type: 'webhook', id: webhook, name: 'The CRM' },
    })
    expect(said(await cancel(id))).toEqual([
      ...[409, 'conflict'],
      'The message has failed and is not tried again. There is nothing to cancel.',
    ])
    receiver.status = 200
    expect((await retry(id)).status).toBe(200)
    await deliver()
    expect(await stateOf(id)).toBe('delivered')
    expect((await deliveries(webhook))[0]).toMatchObject({ state: 'delivered', status: 200 })
    expect(receiver.bodies).toHaveLength(2)
    const { data } = (await api('GET', '/audit-events?event=outbox.retried')).json
    expect(data[0]).toMatchObject({
      targetKind: 'outbox_message',
      targetId: id,
      actorId: 'app_demo_machine',
      detail: { kind: 'webhook', about: 'webhook.test' },
    })
    for (const act of [retry, cancel]) {
      expect(said(await act(id))).toEqual([409, 'conflict', 'The message was delivered already.'])
    }
  })

  test('what waits is cancelled once and not sent; to try it again is still possible', async () => {
    receiver.status = 500
    const webhook = await newWebhook()
    await api('POST', `/webhooks/${webhook}/test`)
    const { id } = await newestTried(`${WEBHOOKS}&state=waiting`)
    const cancelled = await cancel(id)
    expect([cancelled.status, cancelled.json.state]).toEqual([200, 'cancelled'])
    expect(said(await cancel(id))).toEqual([409, 'conflict', 'The message was cancelled.'])
    expect((await deliveries(webhook))[0]).toMatchObject({
      state: 'failed',
      lastError: 'cancelled by an admin',
    })
    const { data } = (await api('GET', '/audit-events?event=outbox.cancelled')).json
    expect(data).toHaveLength(1)
    expect(data[0].targetId).toBe(id)
    // That it was cancelled is not another message for the same receiver.
    expect(await deliveries(webhook)).toHaveLength(1)
    const before = receiver.bodies.length
    await deliverLater()
    expect(receiver.bodies.length).toBe(before)
    receiver.status = 200
    await retry(id)
    await deliver()
    expect(await stateOf(id)).toBe('delivered')
    expect((await deliveries(webhook))[0].state).toBe('delivered')
    await api('DELETE', `/webhooks/${webhook}`, undefined, ANY)
  })

  test('what is being sent can be neither cancelled nor tried again', async () => {
    const webhook = await newWebhook()
    const release = receiver.hold()
    await api('POST', `/webhooks/${webhook}/test`)
    const sending = deliver()
    await expect.poll(() => receiver.bodies.length).toBe(1)
    const { id } = await newest(WEBHOOKS)
    for (const act of [retry, cancel]) {
      const words = 'The message is being sent. Try again in half a minute.'
      expect(said(await act(id))).toEqual([409, 'conflict', words])
    }
    release()
    await sending
    expect(await stateOf(id)).toBe('delivered')
    expect(receiver.bodies).toHaveLength(1)
  })

  test('what waits for a webhook that is deleted is cancelled', async () => {
    receiver.status = 500
    const webhook = await newWebhook()
    await api('POST', `/webhooks/${webhook}/test`)
    const { id } = await newestTried(`${WEBHOOKS}&state=waiting`)
    expect((await api('DELETE', `/webhooks/${webhook}`, undefined, ANY)).status).toBe(204)
    expect(await read(id)).toMatchObject({
      state: 'cancelled',
      lastError: 'the webhook was deleted',
      target: { type: 'webhook', id: webhook, name: null },
    })
    receiver.status = 200
    expect((await retry(id)).json.state).toBe('waiting')
    await deliver()
    expect(await stateOf(id)).toBe('cancelled')
  })

  describe('mail', () => {
    const MAIL = 'kind=mail'

    async function forgot(email: string): Promise<void> {
      const asked = { identifier: email, returnTo: '/', locale: 'en', ip: null } as const
      await requestReset(portal.op, asked)
    }

    const alice = () => portal.demo().users[0] ?? { email: '', password: '' }

    test('is seen by its letter and its reader, and never by its text or address', async () => {
      await forgot(alice().email)
      const message = await newestTried(`${MAIL}&state=waiting`)
      expect(message).toMatchObject({
        about: 'reset',
        lastError: 'smtp ESOCKET',
        state: 'waiting',
        target: { type: 'user', id: 'usr_demo_alice' },
      })
      const { raw } = await api('GET', `/outbox/messages?${MAIL}`)
      expect(raw).not.toMatch(/ghlk_|@|password|reset\?/)
    })

    test('N2, M1: only those who may read its readers see it, or can do anything with it', async () => {
      const { id } = await newest(MAIL)
      const scopes = 'settings:read outbox:write applications:read webhooks:read'
      const narrow = caller(portal, await machineToken(portal, scopes))
      const { data } = (await narrow('GET', '/outbox/messages')).json
      const kinds = new Set(data.map((one: Message) => one.kind))
      expect([...kinds].sort()).toEqual(['backchannel_logout', 'webhook'])
      expect((await narrow('GET', `/outbox/messages?${MAIL}`)).json.data).toEqual([])
      expect((await narrow('GET', `/outbox/messages/${id}`)).status).toBe(404)
      for (const act of ['retry', 'cancel']) {
        expect((await narrow('POST', `/outbox/messages/${id}/${act}`)).status).toBe(404)
      }
      const reader = caller(portal, await machineToken(portal, 'settings:read users:read'))
      expect((await reader('GET', `/outbox/messages/${id}`)).status).toBe(200)
      expect((await reader('POST', `/outbox/messages/${id}/cancel`)).status).toBe(403)
    })

    test('a letter to an account that does not exist is cancelled, and nobody is named', async () => {
      await forgot('nobody@example.org')
      await deliver()
      expect(await newest(MAIL)).toMatchObject({
        about: 'reset',
        state: 'cancelled',
        target: null,
        lastError: 'there is no account for it',
      })
    })

    test('N27: a notice about the security of an account cannot be cancelled', async () => {
      const provider = {
        kind: 'oidc',
        name: 'Other',
        issuer: 'https://login.example.com',
        clientId: 'client',
        clientSecret: 'secret',
      }
      expect((await api('PUT', '/settings/providers/other', provider, ANY)).status).toBe(200)
      const { id, about } = await newest(`${MAIL}&state=waiting`)
      expect(about).toBe('provider_changed')
      const words = 'A notice about the security of an account can’t be cancelled.'
      expect(said(await cancel(id))).toEqual([409, 'conflict', words])
      await deliver()
      expect((await read(id)).attempts).toBeGreaterThan(0)
      expect((await read(id)).state).toBe('waiting')
    })

    test('goes out when it is tried again and the server is back', async () => {
      const [first] = (await list(`${MAIL}&state=waiting`)).filter(({ about }) => about === 'reset')
      const id = first?.id ?? ''
      expect((await cancel(id)).json.state).toBe('cancelled')
      const server = await startMailServer({ port: mailPort })
      expect((await retry(id)).status).toBe(200)
      await deliver()
      expect(await stateOf(id)).toBe('delivered')
      const mail = await server.lastTo(alice().email)
      expect(mail.subject).not.toBe('')
      await server.close()
    })
  })

  test('what waits for an application that is deleted is cancelled', async () => {
    const { waiting } = await threeWait()
    expect((await api('DELETE', WEB, undefined, ANY)).status).toBe(204)
    for (const { id } of waiting) {
      expect(await read(id)).toMatchObject({
        state: 'cancelled',
        lastError: 'the application was deleted',
        target: { type: 'application', id: 'app_demo_web', name: null },
      })
    }
  })

  test('N2: a message that does not exist is not found', async () => {
    expect((await api('GET', '/outbox/messages/out_nothing')).status).toBe(404)
    expect((await retry('out_nothing')).status).toBe(404)
    expect((await cancel('out_nothing')).status).toBe(404)
  })

  test('the list is filtered, and refuses what it does not know', async () => {
    for (const state of ['waiting', 'delivered', 'failed', 'cancelled']) {
      for (const message of await list(`state=${state}`)) expect(message.state).toBe(state)
    }
    expect((await api('GET', '/outbox/messages?state=sent')).status).toBe(400)
    expect((await api('GET', '/outbox/messages?kind=letter')).status).toBe(400)
  })
})
