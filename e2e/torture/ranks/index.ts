import type { Part } from '../arena'
import { type Line, newTally } from '../report'
import { type SearchResult, search, toldWhole } from './search'
import { openStage } from './stage'

/**
 * Nobody rises above their rank: random sequences of calls as a person of each rank and as a machine
 * with each scope; after each change an independent model is asked whether they now can do more.
 */
export const ranks: Part = async (arena) => {
  const { kind, seed, rounds, quick, minutes, say } = arena
  const until = minutes === null ? Infinity : Date.now() + minutes * 60_000
  const most = minutes === null ? rounds : Infinity
  const searched = await search(async () => openStage(await arena.emptyDatabase()), {
    seed,
    length: quick ? QUICK_LENGTH : LENGTH,
    worldsOnStage: WORLDS_ON_STAGE,
    isOver: (done) => done >= most || Date.now() >= until,
    say: (text) => say(`ranks: ${text}`),
    wants: arena.wants,
  })
  say(`ranks: ${summary(searched)}`)
  say(`ranks: done of tried: ${byKind(searched)}`)
  return [lineOf(searched, kind, seed)]
}

const LENGTH = 60
const QUICK_LENGTH = 30
const WORLDS_ON_STAGE = 60

export function summary({ sequences, calls, reached, refused, findings }: SearchResult): string {
  const routes = `${reached.size} routes did what they are for, ${refused.size} refused`
  return `${sequences} sequences, ${calls} calls, ${routes}, ${findings.length} violations`
}

function byKind({ moves }: SearchResult): string {
  const kinds = [...moves].sort(([, one], [, other]) => other.tried - one.tried)
  return kinds.map(([kind, { tried, done }]) => `${kind} ${done}/${tried}`).join(', ')
}

function lineOf(searched: SearchResult, kind: string, seed: number): Line {
  const tally = newTally('ranks', `sequences, seed ${seed}`, kind)
  tally.rounds = searched.sequences
  tally.checks = searched.calls
  tally.violations.push(...searched.findings.map(toldWhole))
  return tally
}
