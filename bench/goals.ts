import { NAMES } from './names'

/** Every goal of the bench, and what a measurement says about it. */

/** At most so many times the CPU of another side, within the same run and on the same Node.js. */
export type Goal = { against: keyof typeof NAMES; times: number }

const PAGE: Goal[] = [{ against: 'barePage', times: 3 }]

/** By the ID of the row; a page that is not named has the goal of a page. */
const GOALS: Record<string, Goal[]> = {
  token: [
    { against: 'floor', times: 2.2 },
    { against: 'sqlite', times: 0.8 },
  ],
  flow: [{ against: 'sqlite', times: 1 }],
  exchange: [{ against: 'sqlite', times: 1 }],
  refresh: [{ against: 'sqlite', times: 1 }],
  check: [{ against: 'kind', times: 7 }],
  jwks: [{ against: 'memory', times: 0.5 }],
  discovery: [{ against: 'memory', times: 0.5 }],
  authorize: [{ against: 'sqlite', times: 1 }],
  introspection: [{ against: 'kind', times: 1.5 }],
  'introspection-again': [{ against: 'floor', times: 1.2 }],
  'page-login': [{ against: 'barePage', times: 1.6 }],
}

export function goalsOf(id: string): readonly Goal[] {
  return GOALS[id] ?? (id.startsWith('page-') ? PAGE : [])
}

export const START_GOAL = { seconds: 3, megabytes: 200 }
export const GROWTH_GOAL = 1.2
export const TAIL_GOAL = { times: 1.5, standstillMs: 20 }
export const IDLE_GOAL_MS = 2
/** The slowest hundredth of tokens while many pages are asked for, beside that of an idle portal. */
export const CROWD_GOAL = 3

/** Within what two runs of the same differ. */
const NOISE = 1.005

/** Half of the rounds lie between `low` and `high`. */
export type Spread = { middle: number; low: number; high: number }

/** If the goal lies within the spread, one run does not decide, and the verdict says so. */
export function verdict({ middle, low, high }: Spread, most: number): string {
  const met = isMet(middle, most)
  const decided = met ? high <= most : low > most
  return `${met ? 'met' : 'missed'}${decided ? '' : ', within the spread'}`
}

export function isMet(value: number, most: number): boolean {
  return value <= most * NOISE
}

/** The spread of a ratio is as wide as those of both sides together. */
export function ratioOf(mine: Spread, other: Spread): Spread {
  return {
    middle: mine.middle / other.middle,
    low: mine.low / other.high,
    high: mine.high / other.low,
  }
}

type Costs = { cpuMs: number; low: number; high: number }

const spreadOf = ({ cpuMs, low, high }: Costs): Spread => ({ middle: cpuMs, low, high })

export type Judged = { who: string; against: string; times: number; ratio: Spread; word: string }

/** On each Node.js that was measured, beside the others on the same one. */
export function judge(id: string, figures: ReadonlyMap<string, Costs>): Judged[] {
  return [...figures].flatMap(([who, mine]) => {
    if (!who.startsWith(NAMES.ours)) return []
    const runtime = who.slice(NAMES.ours.length)
    return goalsOf(id).flatMap(({ against, times }) => {
      const other = figures.get(`${NAMES[against]}${runtime}`)
      if (!other) return []
      const ratio = ratioOf(spreadOf(mine), spreadOf(other))
      return [{ who, against: NAMES[against], times, ratio, word: verdict(ratio, times) }]
    })
  })
}
