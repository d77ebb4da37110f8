import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, callApi, sessionOf } from '../../support/api'
import { usually } from '../../support/databases'
import { type OpenPortal, openPortal } from '../../support/in-process'

/** A configuration document that is sent: all of it or nothing, and no more than the caller may. */

const ANY = { 'if-match': '*' }
const BILLS = {
  prefix: 'bills',
  audience: 'https://bills.example.com',
  name: 'Bills',
  permissions: [{ key: 'bills:read' }],
}
const TEAM = { version: 1, spaces: [{ key: 'team', name: 'Team', resources: [BILLS] }] }

describe.each(usually('sqlite'))('POST /api/v1/configuration on %s', (kind) => {
  let portal: OpenPortal
  let owner: Call
  let admin: Call
  let manager: Call

  beforeAll(async () => {
    portal = await openPortal({ kind })
    const { admin: first, users } = portal.demo()
    owner = await signedIn(first)
    await owner('PATCH', '/users/usr_demo_alice', { adminRole: 'admin' }, ANY)
    await owner('PATCH', '/users/usr_demo_bob', { adminRole: 'app_manager' }, ANY)
    admin = await signedIn(users[0])
    manager = await signedIn(users[1])
  })
  afterAll(() => portal.stop())

  async function signedIn(login: { email: string; password: string } | undefined): Promise<Call> {
    const headers = await sessionOf(portal, login)
    return (method, path, body, more) => callApi(portal, headers, method, path, body, more ?? {})
  }

  test('200 with the changes: none made by a dry run, all of them without it, none the second time', async () => {
    const dry = await owner('POST', '/configuration?dryRun=true', TEAM)
    expect([dry.status, dry.json.applied]).toEqual([200, false])
    expect(dry.json.changes).toContain('+ space team')
    expect((await owner('GET', '/spaces/team')).status).toBe(404)
    const made = await owner('POST', '/configuration', TEAM)
    expect([made.status, made.json]).toEqual([200, { applied: true, changes: dry.json.changes }])
    expect((await owner('GET', '/resources/bills')).json.audience).toBe(BILLS.audience)
    const again = await owner('POST', '/configuration', TEAM)
    expect(again.json).toEqual({ applied: true, changes: [] })
  })

  test('Q54: a request rule with its emergencies is applied once, and nobody names themselves in it', async () => {
    const named = (id: string) => ({ type: 'user', id })
    const [alice, bob] = ['alice@gatehouse.example', 'bob@gatehouse.example'].map(named)
    const stage = { approvers: [alice, bob], needed: 1, deadlineSeconds: 3600, escalateTo: [] }
    const rule = { api: 'bills', name: 'Reading', patterns: ['bills:read'], stages: [stage] }
    const document = (person: object) => ({
      version: 1,
      requestRules: [{ ...rule, emergency: { people: [person], reviewers: [alice] } }],
    })
    const own = await owner('POST', '/configuration', document(named(portal.demo().admin.email)))
    expect([own.status, own.json.code]).toEqual([403, 'forbidden'])
    const made = await owner('POST', '/configuration', document(bob ?? {}))
    expect(made.json.changes).toEqual(['+ request rule bills/Reading'])
    const again = await owner('POST', '/configuration', document(bob ?? {}))
    expect(again.json).toEqual({ applied: true, changes: [] })
    const { data } = (await owner('GET', '/request-rules?api=bills')).json
    expect(data[0].emergency).toEqual({
      people: [named('usr_demo_bob')],
      reviewers: [named('usr_demo_alice')],
      seconds: 3600,
      reviewSeconds: 24 * 3600,
    })
  })

  test('each change is in the audit log as one of the caller', async () => {
    const space = { key: 'audited', name: 'Audited' }
    await admin('POST', '/configuration', { version: 1, spaces: [space] })
    const { json } = await owner('GET', '/audit-events?event=space.created&limit=1')
    expect(json.data[0]).toMatchObject({ actorId: 'usr_demo_alice' })
  })

  test('a first-party application and the API of its permissions come together, and leave as they came', async () => {
    const api = { ...BILLS, prefix: 'ours', audience: 'https://ours.example.com' }
    const resources = [{ ...api, permissions: [{ key: 'ours:read' }] }]
    const one = { id: 'app_ours', kind: 'web', name: 'Ours', redirectUris: ['https://a.example/'] }
    const document = {
      version: 1,
      spaces: [{ key: 'ours', name: 'Ours', resources }],
      applications: [{ ...one, firstParty: true, preapprovedScopes: ['ours:read'] }],
    }
    const made = await owner('POST', '/configuration', document)
    expect(made.status, made.raw).toBe(200)
    expect((await owner('POST', '/configuration', document)).json.changes).toEqual([])
    const applications = [{ ...one, firstParty: false, preapprovedScopes: [] }]
    const taken = await owner('POST', '/configuration', { version: 1, applications })
    expect(taken.status, taken.raw).toBe(200)
  })

  test('an error in the last part takes back the first', async () => {
    const spaces = [{ key: 'half', name: 'Half' }]
    const applications = [{ id: 'app_half', kind: 'web', name: 'Half', redirectUris: ['nowhere'] }]
    const refused = await owner('POST', '/configuration', { version: 1, spaces, applications })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.status).toBeLessThan(500)
    expect(refused.json.detail).toContain('app_half')
    expect((await owner('GET', '/spaces/half')).status).toBe(404)
  })

  test('409 for an address that somebody has, and nothing is changed', async () => {
    const spaces = [{ key: 'taken', name: 'Taken' }]
    const users = [{ username: 'somebody-new', email: 'bob@gatehouse.example' }]
    const refused = await owner('POST', '/configuration', { version: 1, spaces, users })
    expect([refused.status, refused.json.code]).toEqual([409, 'conflict'])
    expect((await owner('GET', '/spaces/taken')).status).toBe(404)
  })

  test('N1: 403 for what the caller may not do with a call of its own, and nothing is changed', async () => {
    const mail = { server: 'smtp://mail.example.com', from: 'Portal <id@example.com>' }
    const spaces = [{ key: 'rise', name: 'Rise' }]
    const document = { version: 1, spaces, settings: { mail } }
    expect((await admin('POST', '/configuration', document)).status).toBe(403)
    expect((await admin('GET', '/spaces/rise')).status).toBe(404)
    expect((await manager('POST', '/configuration', TEAM)).status).toBe(403)
  })

  test('N9: a document cannot send a variable of the server anywhere', async () => {
    const mail = {
      server: 'smtp://mail.example.com',
      from: 'Portal <id@example.com>',
      password: { env: 'GATEHOUSE_SECRET' },
    }
    const refused = await owner('POST', '/configuration', { version: 1, settings: { mail } })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.json.detail).toContain('GATEHOUSE_SECRET')
    expect(refused.raw).not.toContain(portal.env.GATEHOUSE_SECRET)
    expect((await owner('GET', '/settings')).json.mail).toBeNull()
  })
})
