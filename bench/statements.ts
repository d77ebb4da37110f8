import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './measure'

/** How many statements reach a PostgreSQL, by what it logs with `log_statement=all`. */

const TIMES = 7
const LOGGED_MS = 100
/** What begins and ends a transaction is none. */
const LOGGED = /LOG: {2}(?:statement|execute [^:]+): (?!BEGIN|COMMIT|ROLLBACK)/g

/** The median of a few, because the portal looks for changes once a second. */
export async function countStatements(
  log: readonly string[],
  work: () => Promise<unknown>,
): Promise<number> {
  const counts: number[] = []
  for (let time = 0; time < TIMES; time += 1) {
    await sleep(LOGGED_MS)
    const before = log.length
    await work()
    await sleep(LOGGED_MS)
    counts.push(statementsIn(log.slice(before)))
  }
  return median(counts)
}

/** A piece of the log may end within a line. */
export function statementsIn(log: readonly string[]): number {
  return log.join('').match(LOGGED)?.length ?? 0
}
