import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type DocumentHost, startDocumentHost } from '../../../e2e/support/document-host'
import { freshConfig } from '../../../e2e/support/fresh-config'
import { changeApplication } from '../../api/applications/applications'
import { applyConfiguration } from '../../api/configuration/apply'
import { operator } from '../../api/configuration/operator'
import { configurationSchema } from '../../api/configuration/schema'
import { ensureDocumentClient } from '../../api/registration/document-client'
import { createInitialToken } from '../../api/registration/initial-access-tokens'
import { register } from '../../api/registration/register'
import type { Incoming } from '../../base/http'
import { DAY_MS, HOUR_MS } from '../../base/time'
import { createOp, type OpenOp } from '../../op'
import { findApplication } from '../../store/applications/applications'
import { removeUnusedClients } from './unused-clients'

const WITH_JSON: [string, string][] = [['content-type', 'application/json']]

describe.each(usually('sqlite'))('clients that nobody made, as time goes by, on %s', (kind) => {
  let op: OpenOp
  let site: DocumentHost
  let time = Date.now()

  beforeAll(async () => {
    site = await startDocumentHost()
    // Its certificate is made for tests.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const config = await freshConfig(kind, { REGISTRATION_OUTBOUND_HOSTS: site.host })
    op = await createOp(config, () => new Date(time))
    await set({ mode: 'open', documents: true, unusedDays: 30 })
  })

  afterAll(async () => {
    vi.unstubAllEnvs()
    await op.close()
    site.close()
  })

  const incoming = (body?: object): Incoming => ({
    method: 'POST',
    url: '/oidc/register',
    ip: '192.0.2.1',
    requestId: 'r',
    headers: new Headers(WITH_JSON),
    body: async () => Buffer.from(JSON.stringify(body)),
  })
  const exists = async (id: string) =>
    (await op.read((db) => findApplication(db, id, null))) !== null
  const come = (clientId: string, redirectUri = `${site.origin}/cb`) =>
    ensureDocumentClient(op, incoming(), { clientId, redirectUri })

  const made = async (bearer?: string) => {
    const request = incoming({ redirect_uris: ['https://rp.example/cb'] })
    if (bearer) request.headers = new Headers([...WITH_JSON, ['authorization', `Bearer ${bearer}`]])
    return JSON.parse((await register(op, request)).body).client_id as string
  }
  const use = async (...ids: string[]) => {
    time += 1
    for (const id of ids) op.noteUse({ kind: 'registration', id, ip: null })
    await op.settled()
  }
  const set = async (clientRegistration: object) => {
    const file = configurationSchema.parse({ version: 1, settings: { clientRegistration } })
    await applyConfiguration(op, file, { env: {}, dryRun: false })
  }

  test('R7: one that nobody uses is deleted after its time, one that is used stays', async () => {
    const unused = await made()
    await use(unused)
    time += 29 * DAY_MS
    expect(await removeUnusedClients(op, () => true)).toBe(0)
    const used = await made()
    await use(used)
    time += 2 * DAY_MS
    expect(await removeUnusedClients(op, () => true)).toBe(1)
    expect([await exists(unused), await exists(used)]).toEqual([false, true])
    time += 30 * DAY_MS
    expect(await removeUnusedClients(op, () => true)).toBe(1)
    expect(await op.db.auditEntry.count({ where: { event: 'registration.expired' } })).toBe(2)
  })

  test('R13: a document is read again when it is no longer fresh, and what it says then counts', async () => {
    const id = site.document('/again', {}, { 'cache-control': 'max-age=7200' })
    await come(id)
    site.document('/again', { client_name: 'Renamed', redirect_uris: [`${site.origin}/new`] })
    time += HOUR_MS
    await come(id)
    expect(site.asked('/again')).toBe(1)
    time += HOUR_MS
    await come(id)
    expect(site.asked('/again')).toBe(2)
    const application = await op.read((db) => findApplication(db, id, null))
    expect(application).toMatchObject({ name: 'Renamed', redirectUris: [`${site.origin}/new`] })
  })

  test('R13: a document that is gone or describes another kind ends what it was', async () => {
    const id = site.document('/turns')
    await come(id)
    time += 2 * HOUR_MS
    site.serve('/turns', (_request, response) => response.writeHead(404).end())
    await expect(come(id)).rejects.toThrow('does not answer')
    site.document('/turns', { redirect_uris: ['http://127.0.0.1/cb'] })
    await come(id, 'http://127.0.0.1:5000/cb')
    const application = await op.read((db) => findApplication(db, id, null))
    expect(application).toMatchObject({ kind: 'native', createdAt: new Date(time) })
  })

  test('R23: a host that is away for more than a day ends it; while it is away, few ask for it', async () => {
    const id = site.document('/away')
    await come(id)
    site.serve('/away', (_request, response) => response.writeHead(503).end())
    time += 2 * HOUR_MS
    for (let i = 0; i < 7; i += 1) await come(id)
    expect(site.asked('/away')).toBe(6)
    time += DAY_MS
    await expect(come(id)).rejects.toThrow('cannot be read')
  })

  test('R16: one that an admin disabled is not deleted, so that it cannot come anew', async () => {
    const id = site.document('/resting')
    await come(id)
    const disabled = { params: { id }, body: { enabled: false } }
    await operator(op).send(id, changeApplication, disabled)
    time += 31 * DAY_MS
    await removeUnusedClients(op, () => true)
    expect(await exists(id)).toBe(true)
  })

  test('R22: one that was never used goes after an hour or a day, unless it came with a token', async () => {
    const { token } = await operator(op).send('token', createInitialToken, {
      body: {
        name: 'A partner',
        mostUses: 1_000,
        expiresAt: new Date(time + DAY_MS * 300).toISOString(),
      },
    })
    const document = site.document('/never')
    await come(document)
    const [open, invited] = [await made(), await made(token)]
    const left = async () => {
      await removeUnusedClients(op, () => true)
      return [await exists(document), await exists(open), await exists(invited)]
    }
    expect(await left()).toEqual([true, true, true])
    time += HOUR_MS + 1
    expect(await left()).toEqual([false, true, true])
    time += DAY_MS
    expect(await left()).toEqual([false, false, true])
  })

  test('R22: when there are as many as allowed, the oldest that was never used makes room', async () => {
    const { token } = await operator(op).send('token', createInitialToken, {
      body: {
        name: 'Another',
        mostUses: 1_000,
        expiresAt: new Date(time + DAY_MS * 300).toISOString(),
      },
    })
    time += 31 * DAY_MS
    await removeUnusedClients(op, () => true)
    await set({ most: 2 })
    const [first, second] = [await made(), await made()]
    await use(first)
    const third = await made()
    const exist = [await exists(first), await exists(second), await exists(third)]
    expect(exist).toEqual([true, false, true])
    await use(third)
    await expect(made()).rejects.toThrow('as many clients as an admin allows')
    expect(await exists(await made(token))).toBe(true)
    const [one, two, three] = ['/room1', '/room2', '/room3'].map((path) => site.document(path))
    for (const id of [one, two, three]) {
      time += 1
      await come(id ?? '')
    }
    expect([await exists(one ?? ''), await exists(three ?? '')]).toEqual([false, true])
    await set({ most: 1_000 })
  })
})
