import type { Answer } from '../../support/ask'
import type { Arena, Pair } from '../arena'
import { type Line, newTally, type Tally } from '../report'
import { type Shot, volley } from './volley'

/** One thing that may happen once, and many who want it. */

export const RACERS = 50

export type Race = {
  name: string
  /** What is fought for in this round, and by what requests. */
  prepare(pair: Pair, arena: Arena): Promise<Bout>
}

export type Bout = { shots: Shot[]; judge(answers: Answer[], tally: Tally): Promise<void> | void }

export async function run(arena: Arena, pair: Pair, race: Race): Promise<Line> {
  const tally = newTally('races', race.name, arena.kind)
  for (; tally.rounds < arena.rounds; tally.rounds += 1) {
    const { shots, judge } = await race.prepare(pair, arena)
    await judge(await volley(shots), tally)
  }
  arena.say(`${race.name}: ${tally.checks} checks, ${tally.violations.length} violations`)
  return tally
}

/** Exactly one of them won, and each of the others was told one of these. */
export function oneWins(tally: Tally, words: readonly string[], won: string, lost: string[]): void {
  fewWin(tally, words, won, lost, { least: 1, most: 1 })
}

export function fewWin(
  tally: Tally,
  words: readonly string[],
  won: string,
  lost: string[],
  { least, most }: { least: number; most: number },
): void {
  const { length } = words.filter((word) => word === won)
  tally.check(length >= least && length <= most, `${length} won (${won}) in ${summary(words)}`)
  for (const word of words) {
    tally.check(word === won || lost.includes(word), `somebody was told: ${word}`)
  }
}

export function summary(words: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].map(([word, count]) => `${count} x ${word}`).join(', ')
}

/** Only the Node host can say in a page's status that a form was refused. */
export function refused({ host }: Arena, status: 400 | 429): number {
  return host === 'node' ? status : 200
}
