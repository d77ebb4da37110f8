import type { Portal } from '../../support/portal'
import { type Arena, type Part, portalOf, startHost } from '../arena'
import { type Line, newTally } from '../report'
import { type Coverage, fuzzApi } from './api'
import { fuzzParsers } from './parsers/index'
import { fuzzProtocol } from './protocol'
import { samplesFrom } from './samples'

/** Good and bad input at every operation and every endpoint; a run can be had again by its seed. */
export const fuzz: Part = async (arena) => {
  const portal = await startDemo(arena)
  try {
    // First, as the operations leave little of the sample data.
    const parsers = await fuzzedParsers(portal, arena)
    const { lines, coverage } = await fuzzPortal(portal, arena)
    arena.say(
      `fuzz: ${coverage.succeeded} of ${coverage.operations} operations succeeded at least once`,
    )
    return [...lines, parsers]
  } finally {
    await portal.stop()
  }
}

/** There are fewer of them. */
const ENDPOINT_ROUNDS = 5
const RUNS_IN_ROUND = 500

type Found = { lines: Line[]; coverage: Coverage }
type Fuzzed = Pick<Arena, 'kind' | 'rounds' | 'seed'>

export async function fuzzPortal(portal: Portal, fuzzed: Fuzzed): Promise<Found> {
  const { kind, rounds, seed } = fuzzed
  const operations = newTally('fuzz', `operations, seed ${seed}`, kind)
  const coverage = await fuzzApi(portal, samplesFrom(seed), rounds, operations)
  const endpoints = newTally('fuzz', `endpoints, seed ${seed}`, kind)
  await fuzzProtocol(portal, samplesFrom(seed), rounds * ENDPOINT_ROUNDS, endpoints)
  return { lines: [operations, endpoints], coverage }
}

async function fuzzedParsers(portal: Portal, { kind, rounds, seed }: Fuzzed): Promise<Line> {
  const parsers = newTally('fuzz', `parsers, seed ${seed}`, kind)
  const op = await portalOf(portal)
  await fuzzParsers(op, { seed, numRuns: rounds * RUNS_IN_ROUND }, parsers)
  await op.close()
  return parsers
}

async function startDemo(arena: Arena): Promise<Portal> {
  const env = { DATABASE_URL: await arena.emptyDatabase(), LOG_LEVEL: 'warn' }
  return startHost({ host: 'node' }, env, ['--demo'])
}
