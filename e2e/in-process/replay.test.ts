import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ReplayWire } from '../../lib/api/replay/routes'
import { applyArguments, replayReport } from '../../lib/operations/replay'
import {
  as,
  call,
  changed,
  demo,
  getToken,
  owner,
  portal,
  startApi,
  token,
} from '../support/api-objects'
import { askToken } from '../support/ask'
import { usually } from '../support/databases'
import { aliceAtWeb, exchange, refresh, webRequest } from '../support/flow'
import { temporaryFolder } from '../support/folder'

const WEB_SCOPE = 'openid offline_access orders:read orders:refund'
const REFUND = { kind: 'adjust_role', role: 'clerk', add: [{ pattern: 'orders:refund' }] }
const NO_REFUND = { kind: 'adjust_role', role: 'clerk', remove: ['orders:refund'] }
const USERS = 20
const MACHINES = 150

const json = (answer: { body: string }) => JSON.parse(answer.body)

describe.each(usually('sqlite'))('POST /api/v1/replay on %s', (kind) => {
  startApi(kind)

  /** Whether each request got its scopes, in the order of the requests. */
  async function requests(first: { refresh_token: string }) {
    const got: string[] = []
    let { refresh_token } = first
    for (let at = 0; at < USERS; at += 1) {
      const answer = json(await refresh(portal, refresh_token))
      refresh_token = answer.refresh_token
      got.push(answer.scope)
    }
    const { client_id, client_secret } = demo.machine
    for (let at = 0; at < MACHINES; at += 10) {
      const some = Array.from({ length: 10 }, () =>
        getToken(client_id, client_secret, 'orders:read orders:write orders:delete'),
      )
      got.push(...(await Promise.all(some)).map((answer) => json(answer).scope))
    }
    return { got, refresh_token }
  }

  const replay = async (body: object): Promise<ReplayWire> => {
    const answer = await call('POST', '/replay', { space: 'demo', days: 1, ...body })
    expect([answer.status, answer.raw]).toEqual([200, expect.any(String)])
    return answer.json
  }
  const counts = ({ toAllowed, toRefused, same, untold }: ReplayWire) => ({
    toAllowed,
    toRefused,
    same,
    untold,
  })
  const scopesIn = (got: readonly string[], scope: string) =>
    got.filter((one) => one.split(' ').includes(scope)).length

  type Line = { id: string; pattern: string }
  const plain = (lines: readonly Line[]) => lines.map(({ id: _id, ...one }) => one)

  /** What a clerk may do, with or without refunds. */
  async function clerks(mayRefund: boolean): Promise<void> {
    const path = '/spaces/demo/roles/clerk/permissions'
    const { permissions } = (await call('GET', path)).json
    const others = plain(permissions).filter(({ pattern }) => pattern !== 'orders:refund')
    const wanted = mayRefund ? [...others, { pattern: 'orders:refund' }] : others
    const put = await changed('PUT', path, { permissions: wanted }, owner)
    expect([put.status, put.raw]).toEqual([200, expect.any(String)])
  }

  async function machineHolds(add: string[], remove: string[]): Promise<void> {
    const path = `/applications/${demo.machine.client_id}/grants`
    const { grants } = (await call('GET', path)).json
    const kept = plain(grants).filter(({ pattern }) => !remove.includes(pattern))
    const wanted = [...kept, ...add.map((pattern) => ({ pattern }))]
    const put = await changed('PUT', path, { grants: wanted }, owner)
    expect([put.status, put.raw]).toEqual([200, expect.any(String)])
  }

  test('the flips of a replay are those of the same requests after the change', async () => {
    await clerks(true)
    const browser = await aliceAtWeb(portal)
    const asked = await browser.open(
      `/oidc/auth?${new URLSearchParams(webRequest(demo, { scope: WEB_SCOPE, prompt: 'consent' }))}`,
    )
    const answered = await browser.submit(asked, { scope: ['orders:read', 'orders:refund'] })
    const code = new URL(answered.url).searchParams.get('code') ?? ''
    const first = json(await exchange(portal, code))
    const { got: then, refresh_token } = await requests(first)
    const machine = {
      kind: 'adjust_application',
      application: demo.machine.client_id,
      add: [{ pattern: 'orders:delete' }],
      remove: ['orders:write'],
    }
    await portal.op.settled()
    expect((await replay({ changes: [REFUND] })).decisions).toBeGreaterThan(170)
    const draft = await replay({ changes: [NO_REFUND, machine] })
    const flips = new Map(draft.flips.map((one) => [`${one.to} ${one.scope}`, one]))
    expect(flips.get('allowed orders:delete')?.times).toBe(MACHINES)
    expect(flips.get('refused orders:write')?.times).toBe(MACHINES)
    expect(flips.get('refused orders:refund')?.times).toBe(USERS + 1)
    expect(draft.untold.filter(({ reason }) => reason !== 'not_stored')).toEqual([])

    await clerks(false)
    await machineHolds(['orders:delete'], ['orders:write'])
    const { got: now } = await requests({ refresh_token })
    for (const scope of ['orders:read', 'orders:write', 'orders:refund', 'orders:delete']) {
      const really = scopesIn(now, scope) - scopesIn(then, scope)
      const told =
        (flips.get(`allowed ${scope}`)?.times ?? 0) - (flips.get(`refused ${scope}`)?.times ?? 0)
      // The code exchange before them asked for the same once more.
      const once = scope === 'orders:refund' ? 1 : 0
      expect([scope, really]).toEqual([scope, told + once])
    }
  })

  test('refusals are grouped with the change that settles most of them', async () => {
    const { client_id, client_secret } = demo.machine
    await machineHolds([], ['orders:delete'])
    await getToken(client_id, client_secret, 'orders:read orders:delete')
    const answer = await call('POST', '/replay/refusals', { days: 1 })
    expect(answer.status).toBe(200)
    const line = answer.json.data.find((one: { scope: string }) => one.scope === 'orders:delete')
    expect(line.settlings[0]).toMatchObject({ do: 'grant_application', id: client_id })
    expect(line.settlings[0].times).toBe(line.times)
    const [{ change }] = line.settlings
    const tried = await replay({ changes: [change] })
    // Those that were granted in between would be allowed again, too.
    expect(tried.flips).toMatchObject([{ to: 'allowed', scope: 'orders:delete' }])
    expect(tried.toAllowed).toBeGreaterThanOrEqual(line.times)
  })

  test('a file: the same as its changes, through the API and for a pipeline that fails', async () => {
    const model = (await call('GET', '/spaces/demo/model')).json
    const clerk = model.roles.find(({ key }: { key: string }) => key === 'clerk')
    const permissions = [...clerk.permissions, { pattern: 'orders:refund' }]
    const roles = [{ ...clerk, permissions }]
    const document = {
      version: 1,
      spaces: [{ key: 'demo', name: 'Demo shop', resources: [], roles }],
    }
    await portal.op.settled()
    const byFile = await as(owner, 'POST', '/replay', { file: document, days: 1 })
    expect([byFile.status, byFile.raw]).toEqual([200, expect.any(String)])
    const byChange = await replay({ changes: [REFUND] })
    expect(counts(byFile.json)).toEqual(counts(byChange))
    expect(byFile.json.toAllowed).toBe(2 * USERS + 1)
    const file = join(temporaryFolder(), 'portal.json')
    writeFileSync(file, JSON.stringify(document))
    const { replay: wanted } = applyArguments(['--replay', '1d', file])
    const report = await replayReport(portal.op, file, wanted ?? expect.fail('no replay'))
    const lines = report.lines.join('\n')
    expect(report.failed).toBe(true)
    expect(lines).toContain('41 would be allowed')
    expect(lines).toContain('+ orders:refund: ')
    expect((await call('GET', '/spaces/demo/model')).json).toEqual(model)
  })

  test.each<[string, object, string]>([
    ['nothing in it', {}, '/changes'],
    ['an unknown role', { changes: [{ ...REFUND, role: 'nobody' }] }, '/change/role'],
    [
      'an unknown permission',
      { changes: [{ ...REFUND, add: [{ pattern: 'no:no' }] }] },
      '/change/add/0',
    ],
    ['a role without its space', { space: undefined, changes: [REFUND] }, '/space'],
    ['more days than a year', { changes: [REFUND], days: 366 }, '/days'],
    ['a position of another replay', { changes: [REFUND], after: 'e30.x' }, '/after'],
    ['a file that is none', { file: { version: 2 } }, '/file/version'],
  ])('U1: an invalid draft is 400 at its field: %s', async (_what, body, pointer) => {
    const answer = await call('POST', '/replay', { space: 'demo', days: 1, ...body })
    expect(answer.status).toBe(400)
    expect(answer.json.errors[0].pointer).toBe(pointer)
  })

  test('U2: without the scopes 403; a file needs the right to apply it, and changes nothing', async () => {
    const { client_id, client_secret } = demo.machine
    const tokenFor = async (scope: string) =>
      json(await getToken(client_id, client_secret, scope)).access_token
    const body = { space: 'demo', changes: [REFUND] }
    const asWith = async (scope: string, sent: object, path = '/replay') =>
      (await as({ authorization: `Bearer ${await tokenFor(scope)}` }, 'POST', path, sent)).status
    expect(await asWith('permissions:explain', body)).toBe(403)
    expect(await asWith('audit:read', body)).toBe(403)
    expect(await asWith('permissions:explain', { days: 1 }, '/replay/refusals')).toBe(403)
    const file = { version: 1, settings: { branding: { name: 'Taken' } } }
    const both = 'permissions:explain audit:read'
    expect(await asWith(both, body)).toBe(200)
    expect(await asWith(both, { file })).toBe(403)
    // The answer would tell what a condition of one's own reads about a user.
    const add = [{ pattern: 'orders:refund', condition: 'user.salary > 50000.0' }]
    const asks = { space: 'demo', changes: [{ ...REFUND, add }] }
    expect(await asWith(both, asks)).toBe(403)
    expect(await asWith(`${both} users:read`, asks)).toBe(200)
    expect((await call('GET', '/settings')).json.branding.name).not.toBe('Taken')
  })

  test('U3: names of users and applications are only for those who may read them', async () => {
    const { client_id, client_secret } = demo.machine
    const answer = await getToken(client_id, client_secret, 'permissions:explain audit:read')
    const who = { authorization: `Bearer ${json(answer).access_token}` }
    const remove = { kind: 'adjust_application', application: client_id, remove: ['orders:read'] }
    const hidden = await as(who, 'POST', '/replay', { changes: [remove], days: 1 })
    expect(hidden.json.flips[0]).toMatchObject({
      subject: { name: null },
      application: { name: null },
    })
    const shown = await as(owner, 'POST', '/replay', { changes: [remove], days: 1 })
    expect(shown.json.flips[0].application.name).toBe('Demo machine')
    expect(token).not.toBe('')
  })

  test('U4: of many replays at once some are told to wait, and the portal goes on', async () => {
    const many = await Promise.all(
      Array.from({ length: 12 }, () =>
        call('POST', '/replay', { space: 'demo', changes: [REFUND] }),
      ),
    )
    const statuses = new Set(many.map(({ status }) => status))
    expect([...statuses].every((status) => status === 200 || status === 429)).toBe(true)
    expect(statuses.has(200)).toBe(true)
    const { client_id, client_secret } = demo.machine
    const fields = { grant_type: 'client_credentials', client_id, client_secret }
    expect((await askToken(portal.origin, fields)).status).toBe(200)
  })

  test('nothing more is kept once the setting is 0, and a replay says what it does not know', async () => {
    const off = await changed('PATCH', '/settings', { security: { decisionDays: 0 } }, owner)
    expect(off.status).toBe(200)
    await portal.op.settled()
    const before = await replay({ changes: [REFUND] })
    const { client_id, client_secret } = demo.machine
    await getToken(client_id, client_secret)
    const unknown = ({ untold }: ReplayWire) =>
      untold.find(({ reason }) => reason === 'not_stored')?.times ?? 0
    await expect
      .poll(async () => unknown(await replay({ changes: [REFUND] })))
      .toBeGreaterThan(unknown(before))
    expect((await replay({ changes: [REFUND] })).decisions).toBe(before.decisions)
  })
})
