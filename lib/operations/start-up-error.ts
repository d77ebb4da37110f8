import { ConfigurationError } from '../api/configuration/schema'
import { UnsoundKey } from '../crypto/keys'
import { SealError } from '../crypto/seal'
import { type Config, ConfigError, config } from '../settings/config'
import { NotMigrated } from '../store/operations/copy'
import { NewerSchemaError } from '../store/operations/migration-status'
import { BackupError } from './backup/file'
import { DemoRefused } from './demo/kind'

/** Why the portal could not start, in one line that says what to do. */

export class ListenError extends Error {
  readonly code: string | undefined

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause })
    this.code = cause.code
  }
}

const OURS = [
  BackupError,
  ConfigError,
  ConfigurationError,
  DemoRefused,
  NewerSchemaError,
  NotMigrated,
  SealError,
  UnsoundKey,
]

export function explainStartUpError(error: unknown, settingsOf = knownConfig): string {
  const isOurs = OURS.some((kind) => error instanceof kind)
  if (isOurs) return (error as Error).message
  const chain = causesOf(error)
  return chain.map((cause) => explain(cause, settingsOf())).find(Boolean) ?? unexplained(error)
}

function explain(error: Error, settings: Config | null): string | null {
  if (error instanceof ListenError) return explainListen(error, settings)
  const text = `${(error as NodeJS.ErrnoException).code} ${error.message}`
  if (
    /EACCES|EROFS|EPERM|ENOTDIR|ENOSPC|EEXIST|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_FULL|readonly database|unable to open|disk I\/O error|disk is full/i.test(
      text,
    )
  ) {
    return `cannot write to ${settings?.dataDir ?? 'the data folder'}: make it writable for this user, or set DATA_DIR (or DATABASE_URL) to a writable place`
  }
  if (
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|P1001|timeout expired|can't reach database/i.test(
      text,
    )
  ) {
    return `the database at ${addressOf(settings)} cannot be reached: start it, or correct DATABASE_URL`
  }
  if (/25006|read-only transaction/i.test(text)) {
    return `the database at ${addressOf(settings)} can only be read: make it writable, or name the primary in DATABASE_URL`
  }
  if (/28P01|28000|password authentication|P1000|authentication failed/i.test(text)) {
    return `the database at ${addressOf(settings)} refuses this user or password: correct DATABASE_URL`
  }
  if (/3D000|P1003|database .* does not exist/.test(text)) {
    return `the database at ${addressOf(settings)} does not exist: create it, or correct DATABASE_URL`
  }
  return null
}

function explainListen({ code }: ListenError, settings: Config | null): string {
  const { port, host } = settings ?? {}
  if (code === 'EADDRINUSE') {
    return `port ${port} is in use: stop the program that uses it, or set PORT to another port`
  }
  if (code === 'EACCES') return `port ${port} needs more privileges: set PORT to a port above 1023`
  return `cannot listen on ${host ?? 'any address'} (${code}): correct HOST, or unset it`
}

/** The configuration itself may be what is wrong. */
function knownConfig(): Config | null {
  try {
    return config()
  } catch {
    return null
  }
}

/** Host and database name only: the URL contains a password. */
function addressOf(config: Config | null): string {
  const url = config?.databaseUrl ?? ''
  if (url.startsWith('file:')) return url
  if (!URL.canParse(url)) return 'DATABASE_URL'
  const { host, pathname } = new URL(url)
  return host + pathname
}

function causesOf(error: unknown): Error[] {
  if (error instanceof AggregateError) return [error, ...error.errors.flatMap(causesOf)]
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

function unexplained(error: unknown): string {
  return `the portal could not start: ${error instanceof Error ? error.stack : String(error)}`
}
