import { ratioOf, type Spread } from './goals'
import { lineTo } from './load'
import { median, quantile } from './measure'
import { forSeconds, until } from './tail'
import type { Contender, Row } from './works'

/** How long tokens take while many people ask for the sign-in page in the same moment. */

export const CROWD_PAGES = 200
const BURST = 100

type Waits = { p50: number; p99: number }

/** `ratio`: of the slowest hundredth, during and idle. `seconds`: until the last page was there. */
export type Crowd = { idle: Waits; during: Waits; ratio: Spread; seconds: number }

type Effort = { rounds: number; idleSeconds: number }

/** Null: it has no such page. */
export async function measureCrowd(
  row: Row,
  of: Contender,
  { rounds, idleSeconds }: Effort,
): Promise<Crowd | null> {
  const work = row.work(of)
  const page = of.dialect.page?.('login')
  const [served] = of.served
  if (!work || !page || !served) return null
  const crowd = lineTo([served.port], CROWD_PAGES)
  const pages = Array.from({ length: CROWD_PAGES }, () => page)
  const tokens = async () => (await of.line.send(await work.prepare(BURST))).latenciesMs
  await crowd.send(pages)
  await forSeconds(idleSeconds, tokens) // until the compiler is through
  const idle: number[][] = []
  const during: number[][] = []
  const seconds: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    idle.push(await forSeconds(idleSeconds, tokens))
    let isOver = false
    const asked = crowd.send(pages).then((burst) => {
      isOver = true
      seconds.push(burst.seconds)
    })
    during.push(await until(() => isOver, tokens))
    await asked
  }
  crowd.close()
  return crowdOf(idle, during, median(seconds))
}

/** Of the rounds of a run: what each request waited. */
export function crowdOf(idle: number[][], during: number[][], seconds: number): Crowd {
  return {
    idle: waitsOf(idle),
    during: waitsOf(during),
    ratio: ratioOf(tailOf(during), tailOf(idle)),
    seconds,
  }
}

function waitsOf(rounds: number[][]): Waits {
  const all = rounds.flat()
  return { p50: quantile(all, 0.5), p99: quantile(all, 0.99) }
}

/** The middle is that of all rounds together, and the spread that of the single ones. */
function tailOf(rounds: number[][]): Spread {
  const tails = rounds.map((round) => quantile(round, 0.99))
  return {
    middle: quantile(rounds.flat(), 0.99),
    low: quantile(tails, 0.25),
    high: quantile(tails, 0.75),
  }
}
