import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyOutbox } from '../../lib/delivery/deliver'
import { announcePeriods } from '../../lib/operations/scheduled/periods'
import { type Call, caller, machineToken } from '../support/api'
import { askToken } from '../support/ask'
import { usually } from '../support/databases'
import { aliceAtWeb, exchange, getCode, refresh, webRequest } from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import { type Receiver, startReceiver } from '../support/receiver'

/** What is given until a certain time: tokens end with it, and its end is told. */

const SPACE = '/spaces/demo'
const WEB = '/applications/app_demo_web'
const ANY = { 'if-match': '*' }

describe.each(usually('sqlite'))('an end in time on %s', (kind) => {
  let portal: OpenPortal
  let api: Call
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await startReceiver()
    const OUTBOUND_HOSTS = `localhost:${receiver.port}`
    portal = await openPortal({ kind, env: { OUTBOUND_HOSTS } })
    api = caller(portal, await machineToken(portal))
    await announce() // what was before the first look is not told
  })

  afterAll(async () => {
    await portal.stop()
    receiver.close()
  })

  const inSeconds = (seconds: number) =>
    new Date(portal.op.now().getTime() + seconds * 1000).toISOString()
  /** What the scheduled work does. */
  async function announce(): Promise<void> {
    await announcePeriods(portal.op, () => true)
    await emptyOutbox(portal.op, () => true)
  }
  async function announceAfter(seconds: number): Promise<void> {
    portal.moveClock(seconds * 1000)
    await announce()
  }
  const made = async (path: string, body: object) => {
    const { status, json } = await api('POST', path, body)
    expect([status, json]).toEqual([201, expect.anything()])
    return json
  }

  test('a token of a machine lives no longer than what it rests on, and a dry run says the same', async () => {
    const { id, secret } = await made('/applications', { kind: 'machine', name: 'For a while' })
    const grants = [
      { pattern: 'orders:read', validUntil: inSeconds(90) },
      { pattern: 'orders:write' },
    ]
    expect((await api('PUT', `/applications/${id}/grants`, { grants }, ANY)).status).toBe(200)
    const ask = async (scope: string) => {
      const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
      return JSON.parse((await askToken(portal.origin, { ...fields, scope })).body)
    }
    expect((await ask('orders:write')).scope).toBe('orders:write')
    expect((await ask('orders:write')).expires_in).toBe(3600)
    const both = await ask('orders:read orders:write')
    expect(both.scope).toBe('orders:read orders:write')
    expect(both.expires_in).toBeGreaterThan(60)
    expect(both.expires_in).toBeLessThanOrEqual(90)
    const dry = await api('POST', '/scopes/decide', { client: id, scope: 'orders:read' })
    const { exp, iat } = dry.json.claims
    expect(exp - iat).toBeLessThanOrEqual(90)
    expect(exp).toBe(decodeJwt(both.access_token).exp)
  })

  test('a token of an access key ends with the key', async () => {
    const { id } = await made('/applications', { kind: 'machine', name: 'With a key' })
    const grants = [{ pattern: 'orders:read' }]
    expect((await api('PUT', `/applications/${id}/grants`, { grants }, ANY)).status).toBe(200)
    const terms = { name: 'For a while', expiresAt: inSeconds(90) }
    const key = await made(`/applications/${id}/keys`, terms)
    const ask = async () => {
      const fields = { grant_type: 'client_credentials', scope: 'orders:read' }
      const asked = { ...fields, client_id: key.accessKey, client_secret: key.secretKey }
      return JSON.parse((await askToken(portal.origin, asked)).body)
    }
    const { expires_in, access_token, scope } = await ask()
    expect(scope).toBe('orders:read')
    expect(expires_in).toBeLessThanOrEqual(90)
    expect(decodeJwt(access_token).exp).toBe(Math.floor(Date.parse(terms.expiresAt) / 1000))
  })

  test('Q104: what is in force cannot end in the past, where nobody would be told', async () => {
    const past = { validUntil: inSeconds(-1) }
    const refusedAt = async (method: string, path: string, body: object) => {
      const { status, json } = await api(method, path, body, ANY)
      return [status, json.errors?.[0]?.pointer, json.errors?.[0]?.code]
    }
    const { id: role } = await made(`${SPACE}/roles`, { key: `past-${kind}`, name: 'Past' })
    const permissions = `${SPACE}/roles/${role}/permissions`
    const read = { pattern: 'orders:read' }
    expect((await api('PUT', permissions, { permissions: [read] }, ANY)).status).toBe(200)
    const ended = { permissions: [{ pattern: 'orders:write' }, { ...read, ...past }] }
    const code = 'future_needed'
    const atRole = ['PUT', permissions, ended] as const
    expect(await refusedAt(...atRole)).toEqual([400, '/permissions/1/validUntil', code])
    const subject = { type: 'user', id: 'usr_demo_alice' }
    const { id } = await made(`${SPACE}/assignments`, { role, subject })
    const assigned = ['PATCH', `${SPACE}/assignments/${id}`, past] as const
    expect(await refusedAt(...assigned)).toEqual([400, '/validUntil', code])
    const app = await made('/applications', { kind: 'machine', name: 'Past' })
    const path = `/applications/${app.id}/grants`
    expect((await api('PUT', path, { grants: [read] }, ANY)).status).toBe(200)
    const granted = ['PUT', path, { grants: [{ ...read, ...past }] }] as const
    expect(await refusedAt(...granted)).toEqual([400, '/grants/0/validUntil', code])
    expect((await api('DELETE', `${SPACE}/assignments/${id}`, undefined, ANY)).status).toBe(204)
  })

  test('a role of a user ends: told once, and the application that needs it is told as well', async () => {
    const role = { key: `visitor-${kind}`, name: 'Visitor' }
    const { id: roleId } = await made(`${SPACE}/roles`, role)
    const permissions = [{ pattern: 'orders:refund' }]
    const path = `${SPACE}/roles/${roleId}/permissions`
    expect((await api('PUT', path, { permissions }, ANY)).status).toBe(200)
    const subject = { type: 'user', id: 'usr_demo_alice' }
    const assignment = await made(`${SPACE}/assignments`, { role: roleId, subject })
    const asked = {
      requiredScopes: ['orders:refund'],
      backchannelLogoutUri: `http://localhost:${receiver.port}/bcl`,
    }
    expect((await api('PATCH', WEB, asked, ANY)).status).toBe(200)
    const browser = await aliceAtWeb(portal)
    const answer = await exchange(portal, await getCode(browser, webRequest(portal.demo())))
    const tokens = JSON.parse(answer.body)
    expect(tokens.refresh_token).toEqual(expect.any(String))
    const terms = { validUntil: inSeconds(120) }
    const assigned = `${SPACE}/assignments/${assignment.id}`
    expect((await api('PATCH', assigned, terms, ANY)).status).toBe(200)
    await announceAfter(120)
    expect(receiver.bodies).toHaveLength(1)
    const logout = decodeJwt(new URLSearchParams(receiver.bodies[0]).get('logout_token') ?? '')
    expect(logout).toMatchObject({ sub: 'usr_demo_alice', sid: decodeJwt(tokens.id_token).sid })
    expect(JSON.parse((await refresh(portal, tokens.refresh_token)).body).error).toBe(
      'invalid_grant',
    )
    const endings = async () =>
      (await api('GET', '/audit-events?event=assignment.ended')).json.data.length
    expect(await endings()).toBe(1)
    const { data } = (await api('GET', '/audit-events?event=app.access_ended')).json
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ applicationId: 'app_demo_web', targetId: 'usr_demo_alice' })
    await announceAfter(6)
    expect([await endings(), receiver.bodies.length]).toEqual([1, 1])
  })

  test('what a role or the application holds ends: those who needed it are signed out, and their tokens end with it', async () => {
    const { id: roleId } = await made(`${SPACE}/roles`, { key: `guest-${kind}`, name: 'Guest' })
    const giveUntil = async (validUntil: string | null) => {
      const permissions = [{ pattern: 'orders:refund', validUntil }]
      const path = `${SPACE}/roles/${roleId}/permissions`
      expect((await api('PUT', path, { permissions }, ANY)).status).toBe(200)
    }
    await giveUntil(inSeconds(300))
    const subject = { type: 'user', id: 'usr_demo_alice' }
    await made(`${SPACE}/assignments`, { role: roleId, subject })
    const browser = await aliceAtWeb(portal)
    const signIn = async () =>
      JSON.parse((await exchange(portal, await getCode(browser, webRequest(portal.demo())))).body)
    const first = await signIn()
    // The required scope was not requested.
    expect(first.scope).not.toContain('orders:refund')
    expect(first.expires_in).toBeLessThanOrEqual(300)
    const told = receiver.bodies.length
    await giveUntil(inSeconds(120))
    await announceAfter(120)
    expect(receiver.bodies).toHaveLength(told + 1)
    const isClosed = async (token: string) =>
      JSON.parse((await refresh(portal, token)).body).error === 'invalid_grant'
    expect(await isClosed(first.refresh_token)).toBe(true)

    await giveUntil(null)
    const second = await signIn()
    expect(second.expires_in).toBeGreaterThan(300)
    const { grants } = (await api('GET', `${WEB}/grants`)).json
    const kept = grants.map(({ id: _id, ...grant }: { id: string }) => grant)
    const deny = { pattern: 'orders:refund', effect: 'deny', validFrom: inSeconds(120) }
    const after = { grants: [...kept, deny] }
    expect((await api('PUT', `${WEB}/grants`, after, ANY)).status).toBe(200)
    await announceAfter(120)
    expect(receiver.bodies).toHaveLength(told + 2)
    expect(await isClosed(second.refresh_token)).toBe(true)
    const { data } = (await api('GET', '/audit-events?event=grant.began')).json
    expect(data).toMatchObject([{ detail: { permission: 'orders:refund', effect: 'deny' } }])
  })
})
