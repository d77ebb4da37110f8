import type { Samples } from '../fuzz/samples'
import { samplesFrom } from '../fuzz/samples'
import { nextMove } from './generator'
import type { Violation } from './model-facts'
import { type DoneMove, type Move, methodOf, told } from './moves'
import { begin, check, leave, named, type PlayResult, perform, replay } from './play'
import { type Attacker, attackers } from './principals'
import { fewest } from './shrink'
import type { Stage } from './stage'

/** Random sequences of each attacker, and the shortest of those that rise. */

export type SearchOptions = {
  seed: number
  /** Calls in a sequence. */
  length: number
  /** After so many worlds the portal is begun anew: what is left of them slows it down. */
  worldsOnStage: number
  isOver(rounds: number): boolean
  say(text: string): void
  /** Is this one of the attackers? */
  wants(who: string): boolean
  mostTries?: number
  /** Enough is enough. */
  mostFindings?: number
}

export type Finding = { who: string; violations: Violation[]; lines: string[] }

export type SearchResult = {
  rounds: number
  sequences: number
  calls: number
  /** Ids of routes that did what they are for, and of those that refused. */
  reached: Set<string>
  refused: Set<string>
  findings: Finding[]
  /** By kind of move. */
  moves: Map<string, { tried: number; done: number }>
}

const MAX_TRIES = 30

export async function search(
  open: () => Promise<Stage>,
  wanted: SearchOptions,
): Promise<SearchResult> {
  const searched: SearchResult = {
    rounds: 0,
    sequences: 0,
    calls: 0,
    reached: new Set<string>(),
    refused: new Set<string>(),
    findings: [],
    moves: new Map(),
  }
  const known = new Set<string>()
  const isOver = () =>
    wanted.isOver(searched.rounds) || searched.findings.length >= (wanted.mostFindings ?? Infinity)
  let stage = await open()
  try {
    let worlds = 0
    while (!isOver()) {
      const samples = samplesFrom(wanted.seed + searched.rounds)
      const all = attackers(samples).filter(({ who }) => wanted.wants(who))
      for (const attacker of all) {
        if (isOver()) break
        if (worlds >= wanted.worldsOnStage) {
          await stage.stop()
          stage = await open()
          worlds = 0
        }
        worlds += 1
        const found = await oneSequence(stage, attacker, samples, wanted, searched)
        if (!found || isKnown(known, attacker, found)) continue
        const finding = await shortest(stage, attacker, found, wanted)
        searched.findings.push(finding)
        wanted.say(toldWhole(finding))
      }
      searched.rounds += 1
    }
  } finally {
    await stage.stop()
  }
  return searched
}

async function oneSequence(
  stage: Stage,
  attacker: Attacker,
  samples: Samples,
  { length }: SearchOptions,
  searched: SearchResult,
): Promise<PlayResult | null> {
  const play = await begin(stage, attacker, CHECK_EVERY)
  const done: DoneMove[] = []
  searched.sequences += 1
  let last = length
  for (let serial = 1; serial <= last; serial += 1) {
    const move = nextMove(play, serial, samples, stage.evil.key.public)
    const { outcome, status, done: wasDone, violations } = await perform(play, move)
    searched.calls += 1
    count(searched, move, status)
    countMove(searched, move, wasDone)
    done.push({ move, outcome })
    if (violations.length > 0) return { violations: named(play, violations), done }
    if (move.do === 'demote') last = Math.min(length, serial + CALLS_AFTER)
  }
  const violations = await check(play)
  if (violations.length > 0) return { violations: named(play, violations), done }
  leave(play)
  return null
}

const CHECK_EVERY = 4

/** Whoever has nothing any more is refused soon enough. */
const CALLS_AFTER = 8

function count({ reached, refused }: SearchResult, move: Move, status: number): void {
  if (move.do !== 'call' || status === 0) return
  if (status < 300) reached.add(move.route)
  else if (status === 403 || status === 401) refused.add(move.route)
}

function countMove({ moves }: SearchResult, move: Move, wasDone: boolean): void {
  const kind = move.do === 'say' ? move.word : move.do
  const { tried, done } = moves.get(kind) ?? { tried: 0, done: 0 }
  moves.set(kind, { tried: tried + 1, done: done + Number(wasDone) })
}

/** One fault shows again and again: each attacker's is told once for each thing that it gets. */
function isKnown(known: Set<string>, { who }: Attacker, { violations }: PlayResult): boolean {
  const [first] = violations
  const kind = `${who} ${first?.clause} ${first?.what.replaceAll(/#\d+/g, '#')}`
  if (known.has(kind)) return true
  known.add(kind)
  return false
}

async function shortest(
  stage: Stage,
  attacker: Attacker,
  found: PlayResult,
  { mostTries = MAX_TRIES }: SearchOptions,
): Promise<Finding> {
  const clauses = new Set(found.violations.map(({ clause }) => clause))
  let best: PlayResult | null = null
  const shows = async (some: readonly Move[]) => {
    const again = await replay(stage, attacker, some)
    if (!again?.violations.some(({ clause }) => clauses.has(clause))) return false
    best = again
    return true
  }
  // Most calls were refused or only looked: mostly it goes without all of them at once.
  const acting = found.done.filter(({ move, outcome }) => !isIdle(move, outcome))
  const all = found.done.map(({ move }) => move)
  if (!(await shows(acting.map(({ move }) => move)))) await shows(all)
  const whole = best ?? found
  const moves = whole.done.map(({ move }) => move)
  const breaking = moves.slice(-1)
  await fewest(moves.slice(0, -1), (some) => shows([...some, ...breaking]), mostTries)
  const { violations, done } = best ?? found
  const lines = done.filter(({ outcome }) => !/^(4|not there)/.test(outcome)).map(told)
  return { who: attacker.who, violations, lines }
}

function isIdle(move: Move, outcome: string): boolean {
  if (move.do !== 'call') return false
  return methodOf(move.route) === 'GET' || !outcome.startsWith('2')
}

export function toldWhole(finding: Finding): string {
  return [`${finding.who}: ${toldAll(finding)}`, ...finding.lines].join('\n      ')
}

function toldAll({ violations }: Finding): string {
  const texts = violations.map(({ clause, what }) => `[${clause}] ${what}`)
  const shown = texts.slice(0, 3).join('; ')
  return texts.length > 3 ? `${shown} and ${texts.length - 3} more` : shown
}
