import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../e2e/support/databases'
import { temporaryFolder } from '../e2e/support/folder'
import { OPERATOR } from '../lib/api/http/caller'
import { answerApi } from '../lib/api/table'
import type { Incoming } from '../lib/base/http'
import { deriveKey, secretHasher } from '../lib/crypto/secrets'
import { endpointAt } from '../lib/host/direct-line'
import { answer } from '../lib/oidc/endpoint'
import { createOp, type OpenOp } from '../lib/op'
import { workOnce } from '../lib/operations/scheduled/work'
import { readConfig } from '../lib/settings/config'
import { tables } from '../lib/store/database/tables'
import { cleanUp } from '../lib/store/operations/clean-up'
import { contentsOf, fillDatabase, GROUP, LADEN_MACHINE, LADEN_USER } from './fill'
import type { Ask } from './load'
import { type Reading, readPostgresPlans, readSqlitePlans, statementsOf } from './plans'
import { portalDialect, portalEnvironment, SECRET, signIn, type World } from './portal'
import { userId, WEB } from './seed'

/** So many that a plan for a small table is not the cheapest one. */
const USERS = 60_000
const CONTENTS = { ...contentsOf(20_000), users: USERS, machines: 40_000, assignments: 200 }

/** As long as the model of permissions, or as a setting: they may be read at once. */
const SMALL = new Set<string>([
  ...['Space', 'Api', 'PermissionItem', 'Role', 'RoleParent', 'ApiOwner', 'ApiIntrospector'],
  ...['Setting', 'SigningKey', 'Webhook', 'PolicyVersion', 'PolicyChange', 'AuditHead'],
  ...['PolicyAssertion', 'Group'],
])
const GROWING = tables.map(({ name }) => name as string).filter((name) => !SMALL.has(name))

/** A list counts up to 10 000, and a search looks at 20 000 keys. */
const MAX_ROWS = 25_000

const AUDIT_FILTERS = [
  ...['event=login.failed', 'event=login.*', 'event=application.deleted', 'result=failure'],
  ...['actorKind=user', 'actorKind=system', `actorId=${userId(7)}`, 'actorId=nobody'],
  ...['targetKind=user', 'targetKind=webhook', `targetId=${userId(31)}`, `applicationId=${WEB}`],
  ...['applicationId=app_none', 'ip=10.7.49.1', 'ip=192.0.2.1', 'requestId=req_bench_77'],
  ...['decisionId=dec_bench_40', `from=${daysAgo(200)}&to=${daysAgo(199)}`],
  ...[`from=${daysAgo(2)}`, `to=${daysAgo(389)}`, `to=${daysAgo(500)}`],
  ...[`event=login.failed&from=${daysAgo(200)}&to=${daysAgo(190)}`],
  ...[`event=application.deleted&result=failure`, `ip=10.7.49.1&result=failure`],
]

const LISTS = [
  ...['/users', '/users?sort=name', '/users?sort=-email', '/users?sort=-createdAt', '/users?q=77'],
  ...['/users?sort=username', '/users?sort=updatedAt', '/users?q=user', '/users?q=nobody'],
  ...['/users?q=example.com', '/users?enabled=true', '/users?enabled=false'],
  ...['/users?adminRole=owner', '/users?adminRole=auditor', `/users?group=${GROUP}`],
  ...['/users?adminRole=owner&q=user', '/users?enabled=true&q=user'],
  ...['/users?enabled=false&sort=name', '/users?adminRole=owner&sort=name'],
  ...[`/users/${LADEN_USER}`, `/users/${LADEN_USER}/roles`, `/users/${LADEN_USER}/groups`],
  ...[`/users/${LADEN_USER}/sessions`, `/users/${LADEN_USER}/applications`],
  ...['/groups', `/groups/${GROUP}`, `/groups/${GROUP}/members`, '/groups?q=group'],
  ...[
    '/applications',
    '/applications?q=machine',
    '/applications?q=nothing',
    '/applications?q=77',
    '/applications?sort=name',
    '/applications?sort=-updatedAt',
    '/applications?q=machine&kind=web',
    '/applications?q=machine&enabled=true&sort=-createdAt',
    `/applications?q=machine&owner=${LADEN_USER}`,
    '/applications?kind=machine&sort=-updatedAt',
    '/applications?registration=dynamic',
    '/applications?space=bench',
  ],
  ...['/applications?sort=-createdAt', '/applications?kind=web', '/applications?enabled=false'],
  ...[`/applications/${LADEN_MACHINE}`, `/applications/${LADEN_MACHINE}/keys`],
  ...[
    `/applications/${WEB}/usage`,
    `/applications/${WEB}/people`,
    `/applications/${WEB}/people?q=77`,
    `/applications/${WEB}/people?q=user`,
  ],
  ...[`/spaces/bench/assignments`, `/spaces/bench/assignments?user=${LADEN_USER}`],
  ...['/search?q=77', '/search?q=user', '/search?q=nothing', '/spaces', '/roles'],
  ...['/spaces/bench/roles', '/spaces/bench/resources', '/health'],
  ...['/reports/activity?days=30'],
]

const AUDIT_LISTS = AUDIT_FILTERS.map((filter) => `/audit-events?${filter}`)

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString()
}

describe.each(KINDS)('nothing reads a table that grows from end to end on %s', (kind) => {
  let op: OpenOp
  let url: string
  let world: World

  beforeAll(async () => {
    url = await freshDatabase[kind]()
    const clientSecret = await fillDatabase(url, CONTENTS)
    const folder = temporaryFolder()
    op = await createOp(readConfig({ ...portalEnvironment(url, folder), LOG_LEVEL: 'silent' }))
    const hash = secretHasher(deriveKey(SECRET, 'pepper'))
    const cookies = await signIn(op.db, hash, USERS)
    world = { url, folder, size: USERS, machines: CONTENTS.machines, clientSecret, cookies }
    await op.snapshot()
  })

  afterAll(() => op.close())

  async function scansOf(work: () => Promise<unknown>): Promise<Reading[]> {
    const statements = await statementsOf(kind, work)
    const readings =
      kind === 'postgres'
        ? await readPostgresPlans(url, statements)
        : readSqlitePlans(url, statements)
    const isScan = ({ table, rows }: Reading) =>
      GROWING.some((name) => table.startsWith(name)) && (rows === null || rows > MAX_ROWS)
    return readings.filter(isScan)
  }

  async function send({ method, path, headers, body }: Ask) {
    const own = new Headers(headers)
    const incoming: Incoming = {
      method,
      url: path,
      headers: own,
      ip: null,
      requestId: 'plans',
      body: async () => new TextEncoder().encode(body ?? ''),
    }
    const endpoint = endpointAt(path.split('?')[0] ?? '')
    if (!endpoint) throw new Error(`nobody answers ${path}`)
    return answer(op, endpoint, incoming, (error) => {
      throw error
    })
  }

  async function listing(path: string): Promise<void> {
    const joined = path.includes('?') ? '&' : '?'
    const counted = /\/(health|outbox|reports|search)|\/(users|applications|groups)\/[^/]+$/.test(
      path,
    )
    const counting =
      counted || /usage|groups$|(people|roles|sessions|applications)$/.test(path)
        ? ''
        : `${joined}count=true`
    const incoming: Incoming = {
      method: 'GET',
      url: `/api/v1${path}${counting}`,
      headers: new Headers(),
      ip: null,
      requestId: 'plans',
      body: async () => new Uint8Array(),
    }
    const reply = await answerApi(op, incoming, async () => OPERATOR)
    if (reply.status !== 200) throw new Error(`${path}: ${reply.body}`)
  }

  test.each([...LISTS, ...AUDIT_LISTS])('GET %s', async (path) => {
    expect(await scansOf(() => listing(path))).toEqual([])
  })

  test('the hot requests', async () => {
    const dialect = portalDialect(world)
    const scans = await scansOf(async () => {
      const issued = await send(dialect.token(7))
      const { access_token } = JSON.parse(String(issued.body))
      if (dialect.introspection) await send(dialect.introspection(7, access_token))
      const asked = dialect.authorize && (await send(dialect.authorize(3)))
      const code = new URL(String(asked?.headers.Location)).searchParams.get('code') ?? ''
      const exchanged = dialect.exchange && (await send(dialect.exchange(code)))
      expect(exchanged?.status, `${asked?.headers.Location} ${exchanged?.body}`).toBe(200)
      const { refresh_token } = JSON.parse(String(exchanged?.body))
      const refreshed = dialect.refresh && (await send(dialect.refresh(refresh_token)))
      expect(refreshed?.status, String(refreshed?.body)).toBe(200)
      await op.settled()
    })
    expect(scans).toEqual([])
  })

  test('scheduled work with nothing to do, and the clean-up with much', async () => {
    expect(await scansOf(() => workOnce(op, () => true))).toEqual([])
    const later = new Date(Date.now() + 40 * 24 * 60 * 60 * 1000)
    let pieces = 0
    const mayGoOn = () => {
      pieces += 1
      return pieces < 30
    }
    const scans = await scansOf(() => cleanUp(op.db, kind, later, mayGoOn))
    expect(scans).toEqual([])
  })
})
