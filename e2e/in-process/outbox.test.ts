import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../lib/accounts/passwords'
import { emptyOutbox } from '../../lib/delivery/deliver'
import { createUser } from '../../lib/store/accounts/users'
import { caller, machineToken, sessionOf } from '../support/api'
import { ask, askToken } from '../support/ask'
import { type OpenPortal, openPortal, openSecond } from '../support/in-process'

const PASSWORD = 'correct horse battery staple'

describe('the outbox without a mail server', () => {
  let portal: OpenPortal

  beforeAll(async () => {
    portal = await openPortal()
  })
  afterAll(() => portal.stop())

  test('shows what was written to callers with the scope for it, and to no auditor', async () => {
    const api = caller(portal, await machineToken(portal))
    const email = 'ivo@example.org'
    const { json: user } = await api('POST', '/users', { name: 'Ivo', email })
    await api('POST', `/users/${user.id}/invitation`, {})
    await emptyOutbox(portal.op, () => true)
    const [{ to, subject, text }] = (await api('GET', '/outbox?limit=1')).json.data
    expect(to).toBe(email)
    expect(subject).toBe('You are invited')
    expect(text).toContain(`${portal.origin}/invite?token=ghlk_`)
    const narrow = caller(portal, await machineToken(portal, 'users:read audit:read'))
    expect((await narrow('GET', '/outbox')).status).toBe(403)
    expect((await caller(portal, null)('GET', '/outbox')).status).toBe(401)

    const admin = await sessionOf(portal, portal.demo().admin)
    const asAdmin = await ask(portal.origin, { path: '/api/v1/outbox', headers: admin })
    expect(asAdmin.status).toBe(200)
    const { op } = portal
    const passwordHash = await hashPassword(PASSWORD)
    const auditor = { name: 'Audrey', email: 'audrey@example.org', emailVerified: true }
    await op.changePolicy((tx) =>
      createUser(tx, { ...auditor, adminRole: 'auditor', passwordHash }, op.now()),
    )
    const headers = await sessionOf(portal, { email: auditor.email, password: PASSWORD })
    expect((await ask(portal.origin, { path: '/api/v1/outbox', headers })).status).toBe(403)
  })

  test('is closed in production', async () => {
    const real = await openSecond(portal, { ISSUER: 'https://id.example.com' })
    const { client_id, client_secret } = portal.demo().machine
    const fields = { grant_type: 'client_credentials', client_id, client_secret }
    const body = new URLSearchParams({ ...fields, scope: 'outbox:read' }).toString()
    const token = await askToken(real.origin, body)
    const authorization = `Bearer ${JSON.parse(token.body).access_token}`
    const answer = await ask(real.origin, {
      path: '/api/v1/outbox',
      headers: { authorization },
    })
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([403, 'forbidden'])
    await real.stop()
  })
})
