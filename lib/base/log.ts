import pino, { type Logger } from 'pino'

/**
 * JSON lines. Bodies, headers and query strings are never logged; the list is a second protection.
 */

const SECRET_MEMBERS = [
  'password',
  'secret',
  'client_secret',
  'secret_key',
  'code',
  'code_verifier',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'client_assertion',
  'cookie',
  'authorization',
]

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug'> & {
  /** The line of one request. The portal sets all its fields, so nothing needs to be hidden. */
  answered(line: Record<string, string | number | null | undefined>, what: string): void
  /** Returns after everything is written. */
  flush(): void
}

/** How long lines are collected: one write per line would cost as much as a signature. */
const GATHER_MS = 100
const GATHER_BYTES = 8 * 1024

const NAME = 'gatehouse'
const INFO = pino.levels.values.info

/**
 * Up to this size a pipe takes a write as a whole (`PIPE_BUF` of Linux). Several processes write to
 * the same pipe, and none may end up inside a line of another.
 */
const WHOLE = { minLength: 3 * 1024, maxWrite: 4 * 1024 }

/**
 * `gathered`: collect lines. Only if the process lives on between requests, unlike a serverless
 * function. `several`: other processes write to the same place, so each line names its process.
 */
export function createLog(level: string, gathered: boolean, several = false): Log {
  const size = several ? WHOLE : { minLength: GATHER_BYTES }
  const out = pino.destination(
    gathered ? { dest: 1, sync: false, ...size } : { dest: 1, sync: true },
  )
  const base = { name: NAME, ...(several && { pid: process.pid }) }
  if (gathered) process.once('exit', () => flushQuietly(out))
  const timestamp = () => `,"time":"${isoTime()}"`
  const paths = SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  const redact = { paths, censor: '[redacted]' }
  const lines = gathered ? flushedSoon(out) : out
  const log = pino({ level, base, timestamp, redact }, lines)
  const wanted = log.isLevelEnabled('info')
  return Object.assign(log, {
    answered(line: object, msg: string) {
      if (wanted) lines.write(`${lineOf(base, line, msg)}\n`)
    },
    flush: () => flushQuietly(out),
  })
}

type Out = ReturnType<typeof pino.destination>

/**
 * Lines are written at most GATHER_MS later. The timer runs only while there are some: pino's own
 * `periodicFlush` wakes a process that does nothing ten times a second.
 */
function flushedSoon(out: Out): { write(line: string): void } {
  let waiting = false
  const flush = () => {
    waiting = false
    // Lines that came while others were being written stay behind, so they are flushed after those.
    out.flush((error) => {
      if (!error) out.flush()
    })
  }
  return {
    write(line) {
      out.write(line)
      if (waiting) return
      waiting = true
      setTimeout(flush, GATHER_MS).unref()
    },
  }
}

/**
 * The same line as pino writes. pino takes five times as long, and every answer needs this line.
 */
function lineOf(base: object, line: object, msg: string): string {
  return JSON.stringify({ level: INFO, time: isoTime(), ...base, ...line, msg })
}

let second = Number.NaN
let upToSecond = ''

/** Every line has a time, and most of it is the same as in the line before. */
function isoTime(): string {
  const now = Date.now()
  const millis = now % 1000
  if (now - millis !== second) {
    second = now - millis
    upToSecond = new Date(second).toISOString().slice(0, -'000Z'.length)
  }
  return `${upToSecond}${String(millis).padStart(3, '0')}Z`
}

/** The reader of the log may be gone already. */
function flushQuietly(out: Out): void {
  try {
    out.flushSync()
  } catch {}
}
