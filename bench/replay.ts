import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basisOf } from '../lib/access/basis'
import { theOperator } from '../lib/api/configuration/operator'
import type { Change } from '../lib/api/impact/change'
import { type ReplayWire, replayPart } from '../lib/api/replay/routes'
import { addReplays } from '../lib/api/replay/sum'
import type { Incoming } from '../lib/base/http'
import { token } from '../lib/oidc/token'
import { createOp, type OpenOp } from '../lib/op'
import { readConfig } from '../lib/settings/config'
import { openDatabase } from '../lib/store/database/database'
import { migrate } from '../lib/store/operations/migrations'
import { median } from './measure'
import { portalEnvironment } from './portal'
import { itemKey, machineId, seedMachines, seedPolicy, seedWeb, userId, WEB } from './seed'

/**
 * npm run bench -- replay: what keeping decisions costs a token, as a ratio of CPU time within one
 * process; how many bytes each takes; and how long a replay of many takes, with how much memory.
 */

const quick = process.argv.includes('--quick')
const STORED = quick ? 10_000 : 100_000
const USERS = 1_000
const ROUNDS = 9
const TOKENS = quick ? 200 : 600
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0'
const CLIENT_SECRET = 'the-bench-knows-this-secret'

function request(at: number): Incoming {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: machineId(at % 100),
    client_secret: CLIENT_SECRET,
    scope: 'bench:item0 bench:item1 bench:item2',
  })
  const headers = new Map([
    ['content-type', 'application/x-www-form-urlencoded'],
    ['user-agent', 'node'],
  ])
  return {
    method: 'POST',
    url: '/oidc/token',
    headers: { get: (name) => headers.get(name) ?? null },
    ip: '192.0.2.1',
    requestId: `dec_${at}`,
    body: async () => new TextEncoder().encode(form.toString()),
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** One round: tokens, and the audit entries behind them. */
async function round(op: OpenOp, keeps: boolean): Promise<number> {
  const one = { ...op, keepsDecisions: () => keeps }
  const before = cpuMs()
  for (let at = 0; at < TOKENS; at += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, more) => token(one, request(at + more))))
  }
  await op.settled()
  return (cpuMs() - before) / TOKENS
}

async function compareCosts(op: OpenOp): Promise<void> {
  const costs = { off: [] as number[], on: [] as number[] }
  for (const keeps of [false, true]) await round(op, keeps)
  for (let at = 0; at < ROUNDS; at += 1) {
    costs.off.push(await round(op, false))
    costs.on.push(await round(op, true))
  }
  const ratios = costs.on.map((cost, at) => cost / (costs.off[at] ?? cost))
  process.stdout.write(
    `token: ${median(costs.off).toFixed(3)} ms CPU without, ${median(costs.on).toFixed(3)} ms with kept decisions; ratio ${median(ratios).toFixed(3)}\n`,
  )
}

async function store(op: OpenOp): Promise<void> {
  for (let at = 0; at < STORED; at += 1) {
    op.record(decided(userId(at % USERS), at))
    if (at % 5_000 === 4_999) await op.settled()
  }
  await op.settled()
}

/** As `tokenIssued` writes it, for a user who asked for two scopes and got one. */
function decided(user: string, at: number) {
  const basis = basisOf({
    scopes: [itemKey(0), itemKey(1)],
    applicationId: WEB,
    ...{
      accessKey: null,
      mayRefresh: true,
      userId: user,
      withheld: new Set<string>(),
      audiences: [],
    },
    context: {
      request: { time: new Date(), user_agent: AGENT },
      client: {},
      resource: {},
      user: { id: user },
      subject: {},
      action: {},
      auth: { acr: 'pwd', amr: ['pwd'], age: at % 3_600 },
    },
  })
  return {
    event: 'token.issued',
    result: 'success',
    actorKind: 'user',
    actorId: user,
    applicationId: WEB,
    ip: '192.0.2.1',
    requestId: `dec_${at}`,
    decisionId: `dec_${at}`,
    detail: {
      grant_type: 'refresh_token',
      scope: [itemKey(0)],
      refused: [{ scope: itemKey(1), code: 'client_not_granted', steps: [] }],
    },
    basis: { userId: user, text: JSON.stringify(basis) },
  } as const
}

type Size = { bytes: number }

async function sizeOf({ db }: OpenOp): Promise<void> {
  const rows = await db.storedDecision.count()
  const entries = await db.auditEntry.count()
  const bytes = async (table: string) => {
    const found = await db.$queryRawUnsafe<Size[]>(
      `SELECT SUM("pgsize") AS "bytes" FROM "dbstat" WHERE "name" LIKE '%${table}%'`,
    )
    return Number(found[0]?.bytes)
  }
  const [own, log] = [await bytes('StoredDecision'), await bytes('AuditEntry')]
  const texts = await db.$queryRawUnsafe<Size[]>(
    'SELECT AVG(LENGTH("basis")) AS "bytes" FROM "StoredDecision"',
  )
  process.stdout.write(
    `${rows} decisions: ${Math.round(Number(texts[0]?.bytes))} bytes of text each, ${Math.round(own / rows)} bytes each with indexes; an audit entry takes ${Math.round(log / entries)}\n`,
  )
}

async function replayAll(op: OpenOp): Promise<void> {
  const terms = { condition: null, exchangeFrom: null, validFrom: null, validUntil: null }
  const change: Change = {
    kind: 'adjust_application',
    application: WEB,
    remove: [],
    add: [{ pattern: itemKey(1), effect: 'allow', ...terms }],
  }
  const body = { changes: [change], days: 30 }
  const by = { ...theOperator(), env: null }
  globalThis.gc?.()
  const [start, heap] = [performance.now(), process.memoryUsage().heapUsed]
  let [sum, parts, most]: [ReplayWire | null, number, number] = [null, 0, 0]
  for (let after: string | null | undefined; after !== null; ) {
    const part: ReplayWire = await replayPart(op, { ...body, ...(after && { after }) }, by)
    sum = sum ? addReplays(sum, part) : part
    after = part.next
    parts += 1
    most = Math.max(most, process.memoryUsage().heapUsed - heap)
  }
  globalThis.gc?.()
  const kept = process.memoryUsage().heapUsed - heap
  process.stdout.write(
    `replay: ${sum?.decisions} decisions in ${((performance.now() - start) / 1000).toFixed(1)} s and ${parts} parts; ${sum?.toAllowed} to allowed, ${sum?.toRefused} to refused; heap at most ${(most / 1e6).toFixed(0)} MB above the start, ${(kept / 1e6).toFixed(1)} MB afterwards\n`,
  )
}

async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const url = `file:${join(folder, 'bench.db')}`
  await migrate(url)
  const op = await createOp(readConfig({ ...portalEnvironment(url, folder), LOG_LEVEL: 'silent' }))
  const seed = { db: await openDatabase(url), provider: 'sqlite' } as const
  await seedPolicy(seed, { users: USERS, roles: 100, permissions: 500 })
  await seedMachines(seed, 100, op.hashSecret(CLIENT_SECRET))
  await seedWeb(seed, op.hashSecret(CLIENT_SECRET))
  await seed.db.$disconnect()
  await compareCosts(op)
  await op.db.storedDecision.deleteMany()
  await store(op)
  await sizeOf(op)
  await replayAll(op)
  await op.close()
  rmSync(folder, { recursive: true, force: true })
}

await run()
