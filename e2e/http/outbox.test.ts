import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../lib/accounts/passwords'
import { createOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import { createUser } from '../../lib/store/users'
import { caller, machineToken, sessionOf } from '../support/api'
import { ask } from '../support/ask'
import { type Portal, startPortal } from '../support/portal'

const PASSWORD = 'correct horse battery staple'

describe('the outbox without a mail server', () => {
  let portal: Portal

  beforeAll(async () => {
    portal = await startPortal({ args: ['--demo'] })
  })
  afterAll(async () => {
    await portal.stop()
  })

  test('shows what was written to callers with the scope for it, and to no auditor', async () => {
    const api = caller(portal, await machineToken(portal))
    const email = 'ivo@example.org'
    const { json: user } = await api('POST', '/users', { name: 'Ivo', email })
    await api('POST', `/users/${user.id}/invitation`, {})
    const written = async () => (await api('GET', '/outbox?limit=1')).json.data[0]
    await expect.poll(async () => (await written())?.to, { timeout: 10_000 }).toBe(email)
    const { subject, text } = await written()
    expect(subject).toBe('You are invited')
    expect(text).toContain(`${portal.origin}/invite?token=ghlk_`)
    const narrow = caller(portal, await machineToken(portal, 'users:read audit:read'))
    expect((await narrow('GET', '/outbox')).status).toBe(403)
    expect((await caller(portal, null)('GET', '/outbox')).status).toBe(401)

    const admin = await sessionOf(portal, portal.demo().admin)
    const asAdmin = await ask(portal.origin, { path: '/api/v1/outbox', headers: admin })
    expect(asAdmin.status).toBe(200)
    const house = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
    const passwordHash = await hashPassword(PASSWORD)
    const auditor = { name: 'Audrey', email: 'audrey@example.org', emailVerified: true }
    await house.changePolicy((tx) =>
      createUser(tx, { ...auditor, adminRole: 'auditor', passwordHash }, house.now()),
    )
    await house.close()
    const headers = await sessionOf(portal, { email: auditor.email, password: PASSWORD })
    expect((await ask(portal.origin, { path: '/api/v1/outbox', headers })).status).toBe(403)
  })

  test('is closed in production', async () => {
    const env = { ISSUER: 'https://id.example.com', DATA_DIR: portal.dataDir }
    const real = await startPortal({ env })
    const headers = { host: 'id.example.com' }
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers }
    const { client_id, client_secret } = portal.demo().machine
    const fields = { grant_type: 'client_credentials', client_id, client_secret }
    const body = new URLSearchParams({ ...fields, scope: 'outbox:read' }).toString()
    const token = await ask(real.origin, {
      method: 'POST',
      path: '/oidc/token',
      headers: form,
      body,
    })
    const authorization = `Bearer ${JSON.parse(token.body).access_token}`
    const answer = await ask(real.origin, {
      path: '/api/v1/outbox',
      headers: { ...headers, authorization },
    })
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([403, 'forbidden'])
    await real.stop()
  })
})
