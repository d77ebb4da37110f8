import { DAY_MS } from '../lib/base/time'
import { GROUP, LADEN_MACHINE, LADEN_USER } from './fill'
import { type Ask, get, lineTo } from './load'
import { median } from './measure'
import { HOST } from './portal'
import { userId, WEB } from './seed'
import type { ServerUnderTest } from './server'

/** The admin pages that show what grows, opened one after the other by an owner who is signed in. */

export type PageCost = { path: string; status: number; wallMs: number; cpuMs: number }

const VISITS = 3
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 16)

const USERS = [
  ...['', '?q=77', '?q=user', '?q=nobody', '?q=example.com', '?sort=name', '?sort=-createdAt'],
  ...['?enabled=false', '?adminRole=owner', `?group=${GROUP}`],
].map((query) => `/admin/users${query}`)

const AUDIT = [
  ...['', '?event=login.failed', '?event=login.*', '?event=webhook.*', '?result=failure'],
  ...['?actorKind=user', '?actorKind=system', `?actorId=${userId(7)}`, '?targetKind=user'],
  ...['?targetKind=webhook', `?targetId=${userId(31)}`, `?applicationId=${WEB}`],
  ...['?ip=10.7.49.1', '?ip=192.0.2.1', '?requestId=req_bench_77', '?decisionId=dec_bench_40'],
  ...[`?from=${daysAgo(200)}&to=${daysAgo(199)}`, `?to=${daysAgo(380)}`],
].map((query) => `/admin/audit${query}`)

const PAGES = [
  ...['/admin', '/admin?days=90', ...USERS],
  ...[`/admin/users/${LADEN_USER}`, `/admin/users/${LADEN_USER}/access`],
  ...[`/admin/users/${LADEN_USER}/permissions`, '/admin/groups', `/admin/groups/${GROUP}`],
  ...['/admin/applications', '/admin/applications?q=machine', `/admin/applications/${WEB}`],
  ...[`/admin/applications/${WEB}/people`, `/admin/applications/${WEB}/people?q=77`],
  ...[`/admin/applications/${LADEN_MACHINE}/credentials`, '/admin/apis', '/admin/roles'],
  ...['/admin/roles/rol_bench_1/members', '/admin/roles/spaces', '/admin/reports', ...AUDIT],
]

export async function visitPages(served: ServerUnderTest, cookie: string): Promise<PageCost[]> {
  const line = lineTo([served.port])
  const costs: PageCost[] = []
  const headers = { ...HOST, cookie, accept: 'text/html' }
  await visit(served, line, get('/admin/keys', headers)) // compiled and warm, without a list
  for (const path of PAGES) costs.push(await visit(served, line, get(path, headers)))
  line.close()
  return costs
}

/** The median of a few: the first one reads from the disk, as the first visitor of a day does. */
async function visit(
  served: ServerUnderTest,
  line: ReturnType<typeof lineTo>,
  ask: Ask,
): Promise<PageCost> {
  const walls: number[] = []
  const before = await served.usage()
  let status = 200
  for (let time = 0; time < VISITS; time += 1) {
    const started = performance.now()
    status = await line.send([ask]).then(() => 200, statusIn)
    walls.push(performance.now() - started)
  }
  const after = await served.usage()
  const cpuMs = (after.cpuMs - before.cpuMs) / VISITS
  return { path: ask.path, status, wallMs: median(walls), cpuMs }
}

function statusIn(error: unknown): number {
  return Number(/: (\d{3}) /.exec(String(error))?.[1] ?? 0)
}
