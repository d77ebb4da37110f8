/**
 * Marks errors that mean "the database cannot be reached or is too busy", so that endpoints can
 * answer 503 with Retry-After instead of 500.
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
  '53300', // PostgreSQL: too_many_connections
])

const UNREACHABLE_MESSAGE =
  /ECONNREFUSED|can't reach database|connection terminated|timeout exceeded when trying|has closed the connection|query read timeout|operation has timed out|database is locked/i

export class StoreUnavailable extends Error {
  readonly unavailable = true
}

const ANSWER_WITHIN_MS = 3_000

/** The same store, whose every question says `StoreUnavailable` when the database is away. */
export function marking<S extends Record<string, unknown>>(store: S): S {
  const marked = Object.entries(store).map(([name, question]) => [name, markingCall(question)])
  return Object.fromEntries(marked) as S
}

function markingCall(question: unknown): unknown {
  if (typeof question !== 'function') return question
  return (...given: unknown[]) => marked(() => question(...given))
}

export async function marked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asUnavailable(error)
  }
}

function asUnavailable(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !isUnavailable(error)) return error
  return new StoreUnavailable('the database cannot be reached', { cause: error })
}

/** Gives what the database gave, or `StoreUnavailable` when it cannot be reached or does not answer. */
export async function reaching<T>(work: Promise<T>): Promise<T> {
  try {
    return await inTime(work)
  } catch (error) {
    throw asUnavailable(error)
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable('no answer in time')), ANSWER_WITHIN_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function isUnavailable(error: unknown): boolean {
  for (let e = error; typeof e === 'object' && e !== null; e = (e as Error).cause) {
    const { code, originalCode, message } = e as Record<string, unknown>
    if (PRISMA_UNAVAILABLE.has(String(code)) || SYSTEM_UNAVAILABLE.has(String(code))) return true
    if (SYSTEM_UNAVAILABLE.has(String(originalCode))) return true
    if (UNREACHABLE_MESSAGE.test(String(message))) {
      return true
    }
  }
  return false
}
