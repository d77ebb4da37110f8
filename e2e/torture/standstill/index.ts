import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Call, caller, machineToken } from '../../support/api'
import { ask } from '../../support/ask'
import { temporaryFolder } from '../../support/folder'
import { type Portal, startPortal } from '../../support/portal'
import { answeringOf, said } from '../../support/workers'
import type { Arena, Part } from '../arena'
import { type Line, newTally } from '../report'

/**
 * Two hundred conditions at their budget, through every door: for how long does the process stand
 * still, by its own `monitorEventLoopDelay`?
 */

const MAX_MS = 50
const CONDITIONS = 200
const PEOPLE = 20
const ITEMS = Array.from({ length: 60 }, (_, at) => `slow:s${at}`)
const WATCH = pathToFileURL(join(process.cwd(), 'e2e/torture/standstill/watch.mjs'))
const WRITTEN_MS = 20_000
const ALICE = 'usr_demo_alice'

type Watched = { portal: Portal; file: string; api: Call; token: string; machine: string }

export const standstill: Part = async (arena) => {
  const file = join(temporaryFolder(), 'standstill')
  const env = {
    DATABASE_URL: await arena.emptyDatabase(),
    CLIENT_REQUESTS_PER_MINUTE: '1000000',
    NODE_OPTIONS: `--import=${WATCH}`,
    STANDSTILL_FILE: file,
  }
  const portal = await startPortal({ args: ['--demo'], env })
  try {
    await everyWorkerListens(portal)
    const token = await machineToken(portal)
    const api = caller(portal, token)
    const machine = await furnish(api)
    return [await throughEveryDoor(arena, { portal, file, api, token, machine })]
  } finally {
    await portal.stop()
  }
}

/** The first one is waited for by `startPortal`. A process that still loads its pages stands still. */
async function everyWorkerListens(portal: Portal): Promise<void> {
  await said(portal, 'a worker listens', Number(portal.env.WORKERS ?? 1) - 1)
}

// ---------------------------------------------------------------- what there is

/** Each takes all its steps over a full list; no two are the same. */
function conditions(from: number): string[] {
  return Array.from(
    { length: CONDITIONS },
    (_, at) => `request.context.l.all(x, request.context.l.all(y, x + y > -${from + at + 1}))`,
  )
}

const FULL = { l: Array.from({ length: 256 }, () => 1) }

function model(from: number) {
  const permissions = conditions(from).map((condition) => ({ pattern: 'slow:*', condition }))
  return {
    resources: [
      {
        prefix: 'slow',
        audience: 'https://slow.example.com',
        name: 'Slow',
        permissions: ITEMS.map((key) => ({ key })),
      },
    ],
    roles: [
      { key: 'slow', name: 'Slow', permissions },
      {
        key: 'one',
        name: 'One',
        permissions: permissions.map((grant) => ({ ...grant, pattern: 'slow:s1' })),
      },
    ],
  }
}

async function furnish(api: Call): Promise<string> {
  await api('POST', '/spaces', { key: 'bounds', name: 'Bounds' })
  await api('PUT', '/spaces/bounds/model', model(0), { 'if-match': '*' })
  const roleId = async (key: string) => (await api('GET', `/spaces/bounds/roles/${key}`)).json.id
  await api('PUT', `/users/${ALICE}/roles/${await roleId('slow')}`)
  const role = await roleId('one')
  for (let at = 0; at < PEOPLE; at += 1) {
    const { json } = await api('POST', '/users', { username: `slow-${at}`, name: `Slow ${at}` })
    await api('PUT', `/users/${json.id}/roles/${role}`)
  }
  const app = await api('POST', '/applications', { kind: 'machine', name: 'Slow machine' })
  const grants = conditions(500).map((condition) => ({ pattern: 'slow:*', condition }))
  await api('PUT', `/applications/${app.json.id}/grants`, { grants }, { 'if-match': '*' })
  return app.json.id
}

// ---------------------------------------------------------------- the doors

const QUESTION = { user: ALICE, permission: 'slow:s1', context: { properties: FULL } }
const EVALUATION = {
  subject: { type: 'user', id: ALICE },
  action: { name: 's1' },
  resource: { type: 'slow', id: '1' },
  context: FULL,
}

function doors({ portal, api, token, machine }: Watched): [string, () => Promise<number>][] {
  const call = async (method: string, path: string, body?: object) =>
    (await api(method, path, body, { 'if-match': '*' })).status
  const authzen = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const sent = { method: 'POST', path: `/access/v1/${path}`, headers, body: JSON.stringify(body) }
    return (await ask(portal.origin, sent)).status
  }
  const permissions = conditions(1_000).map((condition) => ({ pattern: 'slow:*', condition }))
  const assertions = Array.from({ length: 50 }, () => ({ question: QUESTION, expected: false }))
  const { resource, ...shared } = EVALUATION
  return [
    ['nothing', () => sleep(500, 200)],
    ['check', () => call('POST', '/permissions/check', QUESTION)],
    [
      'checks',
      () => call('POST', '/permissions/check:batch', { checks: Array(50).fill(QUESTION) }),
    ],
    ['explain', () => call('POST', '/permissions/explain', QUESTION)],
    [
      'decide',
      () =>
        call('POST', '/scopes/decide', {
          client: machine,
          scope: ITEMS.join(' '),
          context: { properties: FULL },
        }),
    ],
    [
      'impact',
      () =>
        call('POST', '/spaces/bounds/impact', {
          change: { kind: 'role_permissions', role: 'slow', permissions },
          context: { properties: FULL },
        }),
    ],
    ['evaluation', () => authzen('evaluation', EVALUATION)],
    [
      'evaluations',
      () => authzen('evaluations', { ...shared, evaluations: Array(50).fill({ resource }) }),
    ],
    ['subjects', () => authzen('search/subject', { ...EVALUATION, subject: { type: 'user' } })],
    ['actions', () => authzen('search/action', EVALUATION)],
    ['effective', () => call('GET', `/users/${ALICE}/effective-permissions`)],
    ['tests', () => call('PUT', '/spaces/bounds/assertions', { assertions })],
    ['tests run', () => call('POST', '/spaces/bounds/assertions:run')],
    ['apply', () => call('PUT', '/spaces/bounds/model', model(2_000))],
    ['after it', () => call('POST', '/permissions/explain', QUESTION)],
  ]
}

async function throughEveryDoor({ kind, say, wants }: Arena, watched: Watched): Promise<Line> {
  const tally = newTally('standstill', `${CONDITIONS} conditions at their budget`, kind)
  for (const [name, knock] of doors(watched).filter(([door]) => wants(door))) {
    await longestOf(watched)
    const began = performance.now()
    const status = await knock()
    const took = performance.now() - began
    const { clock, busy } = await longestOf(watched)
    const longest = Math.min(clock, busy)
    tally.rounds += 1
    tally.check(status === 200, `${name}: answered ${status}`)
    tally.check(longest < MAX_MS, `${name}: stood still for ${longest.toFixed(0)} ms`)
    const times = `${clock.toFixed(1)} ms, ${busy.toFixed(1)} of them busy`
    say(`standstill: ${name.padEnd(12)} ${times}, answered after ${took.toFixed(0)}`)
  }
  return tally
}

type Longest = { clock: number; busy: number }

/** Since it was last asked, in milliseconds: by the clock, and by what the process itself did. */
async function longestOf({ portal, file }: Watched): Promise<Longest> {
  const all = await Promise.all(answeringOf(portal).map((pid) => longestIn(pid, `${file}.${pid}`)))
  return {
    clock: Math.max(...all.map(({ clock }) => clock)),
    busy: Math.max(...all.map(({ busy }) => busy)),
  }
}

async function longestIn(pid: number, file: string): Promise<Longest> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  const until = performance.now() + WRITTEN_MS
  while (!existsSync(file)) {
    if (performance.now() > until) return { clock: Number.NaN, busy: Number.NaN }
    await sleep(10)
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}
