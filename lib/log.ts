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

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>

export function createLog(level: string): Log {
  return pino({
    level,
    base: { name: 'gatehouse' },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[redacted]',
    },
  })
}
