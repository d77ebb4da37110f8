import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../lib/base/time'
import { loadDemo } from '../../lib/operations/demo'
import { fsck } from '../../lib/operations/fsck'
import { workOnce } from '../../lib/operations/scheduled/work'
import { verifyWhole } from '../../lib/store/audit/chain'
import { type Call, caller, machineToken } from '../support/api'
import { usually } from '../support/databases'
import { type OpenPortal, openPortal } from '../support/in-process'

/** What `npm start -- --demo` shows, through the API. */

describe.each(usually('sqlite'))('the activity of the sample data on %s', (kind) => {
  let portal: OpenPortal
  let read: Call
  const get = async (path: string) => (await read('GET', path)).json

  beforeAll(async () => {
    portal = await openPortal({ kind, empty: true })
    await loadDemo(portal.op, 'full')
    read = caller(portal, await machineToken(portal))
  })
  afterAll(() => portal.stop())

  const entries = () => portal.op.read((db) => db.auditEntry.findMany({ orderBy: { seq: 'asc' } }))
  const decisions = () => portal.op.read((db) => db.storedDecision.count())

  test('each of thirty days has tokens, and most have sign-ins and refusals', async () => {
    const { days, topApplications } = await get('/reports/activity?days=30')
    // Today may have just begun.
    const past: { tokens: number; signIns: number; refusedScopes: object }[] = days.slice(0, 29)
    expect(past.every(({ tokens }) => tokens >= 5)).toBe(true)
    expect(past.filter(({ signIns }) => signIns > 0).length).toBeGreaterThan(12)
    const sum = (name: string) => days.reduce((all: number, day: never) => all + day[name], 0)
    expect(sum('failedSignIns')).toBe(7)
    expect(sum('refusedRequests')).toBeGreaterThanOrEqual(3)
    const codes = new Set(past.flatMap(({ refusedScopes }) => Object.keys(refusedScopes)))
    expect([...codes].sort()).toEqual([
      'client_not_granted',
      'condition_failed',
      'user_not_permitted',
    ])
    expect(topApplications.map(({ id }: { id: string }) => id)).toEqual([
      'app_demo_machine',
      'app_demo_web',
      'app_demo_spa',
    ])
  })

  test('least privilege: what was never asked for, and what was always refused', async () => {
    const { data } = await get('/reports/least-privilege')
    const line = (client: string) => data.find((one: { client: string }) => one.client === client)
    expect(line('app_demo_machine').alwaysRefused).toContainEqual({
      scope: 'orders:refund',
      times: expect.any(Number),
    })
    expect(line('app_demo_native').neverAsked).toEqual(['orders:read'])
    expect(line('app_demo_web').neverAsked).toEqual(['orders:delete'])
  })

  test('the applications show why they were refused', async () => {
    const reasons = async (id: string) => {
      const { data } = await get(`/applications/${id}/refusals`)
      return new Set(data.map(({ reason }: { reason: string }) => reason))
    }
    const web = ['code_used', 'redirect_uri', 'refresh_unknown', 'wrong_secret']
    expect([...(await reasons('app_demo_web'))].sort()).toEqual(web)
    expect(await reasons('app_demo_spa')).toEqual(new Set(['pkce_missing']))
    expect(await reasons('app_demo_machine')).toEqual(new Set(['scopes_refused']))
  })

  test('a replay finds decisions that a change would turn', async () => {
    const role = (await get('/spaces/demo/roles/manager')).id
    const without = { kind: 'role_permissions', role, permissions: [] }
    const { status, json } = await read('POST', '/replay', { days: 30, changes: [without] })
    expect(status).toBe(200)
    expect(json.decisions).toBeGreaterThan(100)
    expect(json.toRefused).toBeGreaterThan(5)
    expect(json.flips[0]).toMatchObject({ scope: 'orders:refund', subject: { id: 'usr_demo_bob' } })
  })

  test('a request was approved, is in force and was used', async () => {
    const { data } = await get('/access-requests?view=all')
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      status: 'approved',
      scope: 'orders:export',
      user: { id: 'usr_demo_alice' },
      votes: [{ approver: { id: 'usr_demo_bob' }, approved: true }],
    })
    expect(Date.parse(data[0].approvedUntil)).toBeGreaterThan(Date.now())
    const used = await get('/audit-events?event=token.issued&applicationId=app_demo_web&limit=200')
    const scopes = used.data.flatMap(({ detail }: { detail: { scope?: string[] } }) => detail.scope)
    expect(scopes).toContain('orders:export')
  })

  test('a review is open, and half of it is decided', async () => {
    const { data } = await get('/reviews?view=all')
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ status: 'open', counts: { items: 2, undecided: 1, keep: 1 } })
  })

  test('the audit log is whole, in the order of its days, and as old as what it tells', async () => {
    expect(await portal.op.read(verifyWhole)).toMatchObject({ broken: null })
    const days = (await entries()).map(({ at }) => Math.floor(at.getTime() / DAY_MS))
    const acted = days.slice(days.indexOf(Math.min(...days)))
    expect(acted).toEqual([...acted].sort((a, b) => a - b))
    expect((acted.at(-1) ?? 0) - (acted[0] ?? 0)).toBeGreaterThanOrEqual(28)
    expect(acted.length).toBeGreaterThan(500)
    const broken = await fsck(portal.op.config.databaseUrl)
    expect(broken.flatMap(({ ids }) => ids)).toEqual([])
  })

  test('nobody gets a mail, and the scheduled work removes nothing of it', async () => {
    expect(await portal.op.read((db) => db.outboxMessage.count())).toBe(0)
    const before = [(await entries()).length, await decisions()]
    const { failed } = await workOnce(portal.op, () => true)
    expect(failed).toEqual([])
    expect([(await entries()).length, await decisions()]).toEqual(before)
  })

  test('a second start adds nothing', async () => {
    const before = (await entries()).length
    const demo = await loadDemo(portal.op, 'full')
    expect(demo).toEqual(portal.demo())
    expect(await entries()).toHaveLength(before)
  })
})
