import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Failpoint } from '../../../lib/base/failpoint'
import { type Answer, ask, basic, FORM } from '../../support/ask'
import { exchange, getCode, refresh, webRequest } from '../../support/flow'
import type { OldBrowser } from '../../support/old-browser'
import { type Portal, startPortal } from '../../support/portal'
import { type Arena, startHost } from '../arena'
import { type Line, newTally, type Tally } from '../report'
import type { Asking } from './approvals'
import type { LogoutReceiver } from './logout-receiver'

/** One place to die at: what leads there, and what must be so when it is up again. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const REACHED_WITHIN_MS = 30_000

export type Stage = { portal: Portal; alice: OldBrowser; receiver: LogoutReceiver; asking: Asking }

export type Scenario = {
  point: Failpoint
  /** Before anything is armed. */
  prepare(stage: Stage): Promise<Plot>
}

export type Plot = {
  /** What makes it die: by default a request to a portal that is armed. */
  act(portal: Portal): Promise<unknown>
  /** The armed process is a command, and the portal lives on beside it. */
  command?: string[]
  verify(portal: Portal, tally: Tally): Promise<void>
}

export async function crash(
  arena: Arena,
  stage: Stage,
  { point, prepare }: Scenario,
  rounds: number,
): Promise<Line> {
  const tally = newTally('crashes', point, arena.kind)
  for (; tally.rounds < rounds; tally.rounds += 1) {
    const before = await tokensOf(stage)
    const plot = await prepare(stage)
    await stage.portal.stop()
    await dieAt(arena, stage, point, plot, tally)
    stage.portal = await startHost(arena, stage.portal.env)
    await plot.verify(stage.portal, tally)
    await keptWord(stage.portal, before, tally)
    await sound(stage.portal, tally)
  }
  arena.say(`${point}: ${tally.kills} kills, ${tally.violations.length} violations`)
  return tally
}

async function dieAt(
  arena: Arena,
  { portal }: Stage,
  point: Failpoint,
  { act, command }: Plot,
  tally: Tally,
): Promise<void> {
  const env = { ...portal.env, GATEHOUSE_FAILPOINT: point }
  if (command) return countKill((await runCommand(env, command)).code, point, tally)
  const armed = await startHost(arena, env)
  await act(armed).catch(() => {})
  const survived = AbortSignal.timeout(REACHED_WITHIN_MS)
  survived.addEventListener('abort', () => armed.signal('SIGTERM'))
  countKill(await killedOrExit(armed), point, tally)
}

const KILLED_WORKER = '"signal":"SIGKILL"'
const LOOK_MS = 50

/** Null if it was killed. One of several workers may be: then its portal goes on, until here. */
async function killedOrExit(armed: Portal): Promise<number | null> {
  let gone = false
  const exited = armed.exited.finally(() => {
    gone = true
  })
  while (!gone && !armed.output().includes(KILLED_WORKER)) await sleep(LOOK_MS)
  if (gone) return exited
  await armed.stop()
  return null
}

/** Whoever is killed has no exit code. */
export function countKill(code: number | null, point: Failpoint, tally: Tally): void {
  tally.check(code === null, `${point} was not reached (exit ${code})`)
  if (code === null) tally.kills += 1
}

type Tokens = { access_token: string; refresh_token: string }

/** What an application was told before. */
async function tokensOf({ portal, alice }: Stage): Promise<Tokens> {
  const code = await getCode(alice, webRequest(portal.demo()))
  return JSON.parse((await exchange(portal, code)).body)
}

/** What was acknowledged before the crash is so after it. */
async function keptWord(portal: Portal, before: Tokens, tally: Tally): Promise<void> {
  tally.check(await isActive(portal, before.access_token), 'a token from before is not active')
  const { status } = await refresh(portal, before.refresh_token)
  tally.check(status === 200, `a refresh token from before: ${status}`)
}

export async function isActive(portal: Portal, token: string): Promise<boolean> {
  const { client_id, client_secret } = portal.demo().web
  const { body } = await ask(portal.origin, {
    method: 'POST',
    path: '/oidc/token/introspection',
    headers: { ...FORM, ...basic(client_id, client_secret) },
    body: `${new URLSearchParams({ token })}`,
  })
  return JSON.parse(body).active
}

/** `npm run fsck`, as an operator runs it. */
export async function sound(portal: Portal, tally: Tally): Promise<void> {
  const { code, output } = await runCommand(portal.env, ['fsck'])
  const broken = output.split('\n').filter((line) => !line.startsWith('holds'))
  tally.check(code === 0, `fsck: ${broken.join(' ')}`)
}

export function runCommand(
  env: Record<string, string>,
  args: string[],
): Promise<{ code: number | null; output: string }> {
  const { PATH = '', HOME = '' } = process.env
  const clean = { PATH, HOME, ...env } as unknown as NodeJS.ProcessEnv
  const child = spawn(process.execPath, ['dist/commands.js', ...args], { cwd: ROOT, env: clean })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}

export function wordsOf({ status, body }: Answer): string {
  return status === 200 ? '200' : `${status} ${JSON.parse(body).error}`
}

/** Server.ts migrates and makes the sample data, whoever serves afterwards. */
export async function firstStart(arena: Arena, env: Record<string, string>): Promise<Portal> {
  const portal = await startPortal({ args: ['--demo'], env })
  if (arena.host === 'node') return portal
  await portal.stop()
  return startHost(arena, portal.env)
}
