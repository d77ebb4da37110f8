/**
 * Recognises errors that mean "the database cannot be reached, is too busy or is full", so that
 * endpoints answer 503 with Retry-After instead of 500.
 */

const PRISMA_UNAVAILABLE = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034'])
const SYSTEM_UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  '08000', // PostgreSQL: connection_exception
  '08001', // PostgreSQL: sqlclient_unable_to_establish_sqlconnection
  '08003', // PostgreSQL: connection_does_not_exist
  '08006', // PostgreSQL: connection_failure
  '25006', // PostgreSQL: read_only_sql_transaction, as on a standby
  '57P01', // PostgreSQL: admin_shutdown
  '57P02', // PostgreSQL: crash_shutdown
  '57P03', // PostgreSQL: cannot_connect_now
  '58030', // PostgreSQL: io_error
  '40P01', // PostgreSQL: deadlock_detected, nothing of it was written
  '53100', // PostgreSQL: disk_full
  '53200', // PostgreSQL: out_of_memory
  '53300', // PostgreSQL: too_many_connections
])

const UNREACHABLE_MESSAGE =
  /ECONNREFUSED|can't reach database|connection terminated|is not queryable|timeout exceeded when trying|has closed the connection|query read timeout|operation has timed out|database is locked|database or disk is full|disk I\/O error|readonly database|unable to open database file/i

/** A name replaces `instanceof`: both hosts carry a copy of this class. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

const ANSWER_WITHIN_MS = 3_000

/**
 * The result of the database; throws `StoreUnavailable` if it cannot be reached or does not answer.
 */
export async function reaching<T>(work: Promise<T>): Promise<T> {
  try {
    return await inTime(work)
  } catch (error) {
    if (error instanceof StoreUnavailable || !isUnavailable(error)) throw error
    throw new StoreUnavailable('the database cannot be reached', { cause: error })
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new StoreUnavailable('the database did not answer in time')),
      ANSWER_WITHIN_MS,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

export function isUnavailable(error: unknown): boolean {
  return causesOf(error).some(meansUnavailable)
}

type Thrown = Record<string, unknown>

/** Prisma keeps what the driver threw in `meta`, and not as the cause. */
function causesOf(error: unknown): Thrown[] {
  if (typeof error !== 'object' || error === null) return []
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } }
  return [error as Thrown, ...causesOf(cause), ...causesOf(meta?.driverAdapterError)]
}

function meansUnavailable({ name, code, originalCode, message }: Thrown): boolean {
  if (name === 'StoreUnavailable') return true
  if (PRISMA_UNAVAILABLE.has(String(code)) || SYSTEM_UNAVAILABLE.has(String(code))) return true
  return SYSTEM_UNAVAILABLE.has(String(originalCode)) || UNREACHABLE_MESSAGE.test(String(message))
}
