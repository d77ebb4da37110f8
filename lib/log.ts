import pino, { type Logger } from 'pino'

/** JSON lines. Bodies, headers and query strings are never logged; the list is a second fence. */

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
  /** The line of one request: fields of our own making only, so nothing in it needs hiding. */
  answered(line: Record<string, string | number | null | undefined>, what: string): void
  /** Everything is written when it returns. */
  flush(): void
}

/** Lines are gathered for so long: a write for each would cost as much as a signature. */
const GATHER_MS = 100
const GATHER_BYTES = 8 * 1024

/** `gathered`: where the process lives on between requests, unlike a function that is frozen. */
export function createLog(level: string, gathered: boolean): Log {
  const out = pino.destination(
    gathered
      ? { dest: 1, sync: false, minLength: GATHER_BYTES, periodicFlush: GATHER_MS }
      : { dest: 1, sync: true },
  )
  if (gathered) process.once('exit', () => flushQuietly(out))
  const common = { level, base: { name: 'gatehouse' }, timestamp: pino.stdTimeFunctions.isoTime }
  const paths = SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  const full = pino({ ...common, redact: { paths, censor: '[redacted]' } }, out)
  const requests = pino(common, out)
  return Object.assign(full, {
    answered: (line: object, what: string) => requests.info(line, what),
    flush: () => flushQuietly(out),
  })
}

/** Whoever read the log may be gone already. */
function flushQuietly(out: ReturnType<typeof pino.destination>): void {
  try {
    out.flushSync()
  } catch {}
}
