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
  '57P01', // PostgreSQL: admin_shutdown
  '57P03', // PostgreSQL: cannot_connect_now
  '40P01', // PostgreSQL: deadlock_detected, nothing of it was written
  '53100', // PostgreSQL: disk_full
  '53300', // PostgreSQL: too_many_connections
])

const UNREACHABLE_MESSAGE =
  /ECONNREFUSED|can't reach database|connection terminated|connection error and is not queryable|timeout exceeded when trying|has closed the connection|query read timeout|operation has timed out|database is locked|database or disk is full|disk I\/O error/i

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
  for (let e = error; typeof e === 'object' && e !== null; e = (e as Error).cause) {
    const { name, code, originalCode, message } = e as Record<string, unknown>
    if (name === 'StoreUnavailable') return true
    if (PRISMA_UNAVAILABLE.has(String(code)) || SYSTEM_UNAVAILABLE.has(String(code))) return true
    if (SYSTEM_UNAVAILABLE.has(String(originalCode))) return true
    if (UNREACHABLE_MESSAGE.test(String(message))) {
      return true
    }
  }
  return false
}
