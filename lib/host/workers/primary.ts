import cluster from 'node:cluster'
import { say } from '../../base/console'
import { createLog, type Log } from '../../base/log'
import { stopOnSignal } from '../stop-on-signal'
import { failuresAfter, pauseMs } from './back-off'
import { type End, type Member, startMember } from './member'
import type { Role } from './messages'
import { type AllReadings, readingsOf } from './readings'
import { whenTerminalIsThere } from './terminal'

/**
 * The process that starts the workers, watches them and replaces them. It answers no request and
 * opens no database, so that there is little in it that can fail or has to be upgraded.
 */

/** A worker of a new version that is not ready after so long is not waited for. */
const START_MS = 120_000
/** A little longer than a worker takes at most. */
const STOP_MS = 9_700

type Plan = {
  workers: number
  /** What a worker runs; read again for each, so it may have been replaced. */
  script: string
  /** For the first worker only. */
  args: string[]
  logLevel: string
}

/** A place for a worker, which is filled again when the worker ends. */
type Place = { member: Member | null; failures: number; timer: NodeJS.Timeout | undefined }

type Crew = {
  plan: Plan
  log: Log
  places: Place[]
  /** All that run, those included that are leaving or not yet in their place. */
  members: Set<Member>
  readings: AllReadings
  /** The one that does the scheduled work. */
  working: Member | null
  stopping: boolean
}

export async function runWorkers(plan: Plan): Promise<void> {
  // The workers accept from one shared socket. If the primary accepted and passed on, each
  // connection would cost it up to a quarter of a millisecond, and one that is passed to a worker
  // at the moment of its death would never be answered.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const crew = assemble(plan)
  stopOnSignal(() => stop(crew), STOP_MS)
  process.once('exit', () => killLeft(crew))
  say(`  workers ... ${plan.workers}; SIGHUP to process ${process.pid} replaces them`)
  const [first, ...others] = crew.places
  if (!first) return
  const member = hire(crew, 'first', plan.args)
  if (!(await opened(member))) return endAs(crew, await member.ended)
  seat(crew, first, member)
  const handOver = oneAtATime(() => replaceAll(crew))
  process.on(
    'SIGHUP',
    whenTerminalIsThere(handOver, () => process.kill(process.pid, 'SIGTERM')),
  )
  for (const place of others) fill(crew, place)
}

function assemble(plan: Plan): Crew {
  const members = new Set<Member>()
  return {
    plan,
    log: createLog(plan.logLevel, false, true),
    places: Array.from({ length: plan.workers }, () => ({
      member: null,
      failures: 0,
      timer: undefined,
    })),
    members,
    readings: readingsOf(members),
    working: null,
    stopping: false,
  }
}

/** The worker has said on the error output why it could not start, unless it was killed. */
function endAs(crew: Crew, { exitCode, signal }: End): void {
  if (crew.stopping) return
  if (signal === 'SIGKILL') process.kill(process.pid, signal)
  else process.exit(exitCode || 1)
}

/** Whoever did not stop in time; without the primary they would stop by themselves, but later. */
function killLeft({ stopping, members }: Crew): void {
  if (stopping) for (const member of members) member.kill('SIGKILL')
}

function hire(crew: Crew, role: Role, args: string[] = []): Member {
  const { members, readings } = crew
  const member = startMember(crew.plan.script, role, args, {
    readings: (heard) => readings.heard(member, heard),
    async gather(id) {
      member.tell({ tell: 'gathered', id, readings: await readings.gather() })
    },
  })
  members.add(member)
  member.ended.then(() => {
    members.delete(member)
    readings.ended(member)
  })
  return member
}

async function opened(member: Member): Promise<boolean> {
  if (!(await member.ready)) return false
  member.tell({ tell: 'listen' })
  return member.listening
}

function seat(crew: Crew, place: Place, member: Member): void {
  place.member = member
  share(crew)
  member.ended.then((end) => {
    if (place.member === member && !crew.stopping) refill(crew, place, member, end)
  })
}

/** Scheduled work is done by one worker; another takes over when that one has ended. */
function share(crew: Crew): void {
  const seated = crew.places.flatMap(({ member }) => (member?.isListening() ? [member] : []))
  if (crew.working && seated.includes(crew.working)) return
  crew.working = seated[0] ?? null
  crew.working?.tell({ tell: 'work' })
}

function refill(crew: Crew, place: Place, { pid, servedMs }: Member, end: End): void {
  place.member = null
  place.failures = failuresAfter(place.failures, servedMs())
  const { failures } = place
  const restartInMs = pauseMs(failures)
  crew.log.error(
    { worker: pid, ...end, failures, restartInMs },
    failures === 1
      ? 'a worker ended; another one is started'
      : 'a worker ended soon after its start; another one is started after a pause',
  )
  share(crew)
  place.timer = setTimeout(() => {
    crew.readings.restarted()
    fill(crew, place)
  }, restartInMs)
}

async function fill(crew: Crew, place: Place): Promise<void> {
  if (crew.stopping) return
  const member = hire(crew, 'further')
  seat(crew, place, member)
  if (!(await opened(member))) return
  crew.log.info({ worker: member.pid }, 'a worker listens')
  share(crew)
}

/**
 * New workers are started one at a time. Only when all of them are ready do they listen and the
 * old ones leave, so a version that cannot start takes nothing over.
 */
async function replaceAll(crew: Crew): Promise<void> {
  if (crew.stopping) return
  crew.log.info({ workers: crew.places.length }, 'new workers are started')
  const fresh: Member[] = []
  for (const _ of crew.places) {
    const member = hire(crew, fresh.length === 0 ? 'successor' : 'further')
    fresh.push(member)
    if (!(await inTime(member.ready))) return giveUp(crew, fresh)
  }
  const open = await Promise.all(fresh.map(opened))
  if (open.includes(false)) return giveUp(crew, fresh)
  const old = crew.places.map((place, at) => succeed(crew, place, fresh[at]))
  crew.log.info(
    { workers: fresh.map(({ pid }) => pid), leaving: old.flatMap((pid) => pid ?? []) },
    'the new workers have taken over',
  )
}

function succeed(crew: Crew, place: Place, successor: Member | undefined): number | null {
  if (!successor) return null
  clearTimeout(place.timer)
  const { member } = place
  place.failures = 0
  seat(crew, place, successor)
  if (!member) return null
  const { pid } = member
  // One that is still starting has no connection to finish, and must not begin to listen.
  if (member.isListening()) member.tell({ tell: 'retire' })
  else member.kill('SIGTERM')
  member.ended.then((end) => crew.log.info({ worker: pid, ...end }, 'an old worker has left'))
  return pid
}

function giveUp(crew: Crew, fresh: readonly Member[]): void {
  if (crew.stopping) return
  for (const member of fresh) member.kill('SIGTERM')
  crew.log.error('a new worker could not be started; the old ones go on')
}

async function inTime(promise: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), START_MS)
  })
  const done = await Promise.race([promise, late])
  clearTimeout(timer)
  return done
}

/** Asked again while it runs, it runs once more afterwards. */
function oneAtATime(work: () => Promise<void>): () => void {
  let running = false
  let again = false
  return async function run() {
    again = running
    if (running) return
    running = true
    await work()
    running = false
    if (again) run()
  }
}

async function stop(crew: Crew): Promise<number> {
  crew.stopping = true
  for (const { timer } of crew.places) clearTimeout(timer)
  const codes = await Promise.all([...crew.members].map(dismiss))
  return codes.every((code) => code === 0) ? 0 : 1
}

/** One that does not listen yet has nothing to finish. */
async function dismiss(member: Member): Promise<number | null> {
  const listening = member.isListening()
  if (listening) member.tell({ tell: 'stop' })
  else member.kill('SIGTERM')
  const { exitCode } = await member.ended
  return listening ? exitCode : 0
}
