import { routes } from '../../../lib/api/table'
import type { Fields } from '../../support/ask'
import { answer, askAgain, askTool, exchange, lure, publish, register, say } from './agents'
import { readFacts } from './facts'
import { type Hands, handsOf, headersOf, heldBy, learn, lookAgain, lookAround } from './hands'
import { beyondHeld, violationsOf } from './model'
import { type Ceiling, ceilingOf } from './model-ceiling'
import type { Facts, Violation } from './model-facts'
import type { CallMove, DoneMove, Move } from './moves'
import { NotThere } from './names'
import type { Attacker, EnteredPrincipals } from './principals'
import { askForAccess, decide, takeBack } from './requests'
import { review, startReview } from './reviews'
import type { Stage } from './stage'
import { forgot, openLink, type Step } from './steps'
import { callAs, type WireAnswer } from './wire'
import { newWorld } from './world'

/**
 * One attacker in one world: performs its moves, keeps what comes into its hands, and asks the model
 * whether that is more than it may have.
 */
export type Play = {
  hands: Hands
  entered: EnteredPrincipals
  ceiling: Ceiling
  /** What stood there before. */
  start: Facts
  /** What it held then. */
  former: ReadonlySet<string>
  demoted: boolean
  changes: number
  /** Since the model was asked. */
  unchecked: number
  checkEvery: number
}

/** `checkEvery`: so many changes; the model looks at what stands there, and little of it goes away. */
export async function begin(stage: Stage, attacker: Attacker, checkEvery = 1): Promise<Play> {
  const world = stage.takeWorld() ?? (await newWorld(stage))
  world.names.forget('me')
  const entered = await attacker.enter(stage, world)
  const hands = handsOf(stage, world, entered)
  const start = await readFacts(stage, world, { grantsOf: new Set() })
  const reach = await lookAround(hands, start)
  const former = new Set(hands.held.get('me'))
  const { person, application } = entered
  const holds = person === null ? [...former] : []
  const mayRegister = hands.initialTokens.length > 0
  const calledBy = [...hands.lures.keys()].map((name) => world.names.fill(name))
  const principal = { person, application, holds, mayRegister, calledBy }
  const ceiling = ceilingOf(principal, start, reach)
  const counts = { demoted: false, changes: 0, unchecked: 0, checkEvery }
  return { hands, entered, ceiling, start, former, ...counts }
}

/** A world in which nothing was changed is good for another. */
export function leave({ hands, changes, demoted }: Play): void {
  const isIntact = changes === 0 && !demoted && hands.person === null
  if (isIntact) hands.stage.keepWorld(hands.world)
}

// ---------------------------------------------------------------- moves

export type MoveResult = {
  outcome: string
  status: number
  violations: Violation[]
  /** It was not refused. */
  done: boolean
}

export async function perform(play: Play, move: Move): Promise<MoveResult> {
  try {
    if (move.do === 'call') return await call(play, move)
    const { outcome, done, violations = [] } = await step(play, move)
    if (done) play.changes += 1
    const found = violations.length > 0 || !done ? violations : await ask(play)
    return { status: 0, outcome, done, violations: found }
  } catch (error) {
    if (!(error instanceof NotThere)) throw error
    return { status: 0, done: false, violations: [], outcome: `not there: ${error.message}` }
  }
}

async function call(play: Play, move: CallMove): Promise<MoveResult> {
  const { hands, unchecked } = play
  const { names } = hands.world
  const route = routes.find(({ id }) => id === move.route)
  if (!route) throw new NotThere(move.route)
  const who = headersOf(hands, move.as, move.old)
  const [path, body] = [encodeURI(names.fill(move.path)), names.fill(move.body)]
  const more: Fields = route.versioned ? { 'if-match': '*' } : {}
  if (unchecked > 0) await lookAgain(hands, move.as)
  const held = await heldBy(hands, move)
  const told = await callAs(hands.stage.origin, who, route.method, path, body, more)
  const { status } = told
  if (status >= 300) return { status, done: false, violations: [], outcome: refusal(told) }
  learn(hands, move, told, body)
  const violations = beyondHeld(route, held)
  const changed = route.scope.endsWith(':write') && violations.length === 0
  const found = changed ? await count(play) : violations
  return { status, done: true, outcome: String(status), violations: found }
}

function refusal({ status, json }: WireAnswer): string {
  return `${status} ${json?.code ?? ''}`.trim()
}

async function count(play: Play): Promise<Violation[]> {
  play.changes += 1
  play.unchecked += 1
  return play.unchecked >= play.checkEvery ? ask(play) : []
}

async function step(play: Play, move: Exclude<Move, CallMove>): Promise<Step> {
  const { hands } = play
  const { names } = hands.world
  switch (move.do) {
    case 'open link':
      return openLink(hands, move.link, move.serial)
    case 'forgot':
      return forgot(hands, move.user, move.serial)
    case 'lure':
      return lure(hands, move)
    case 'exchange':
      return exchange(hands, move)
    case 'register':
      return register(hands, move)
    case 'publish':
      return publish(hands, move)
    case 'tool': {
      const { as: token, tool, given, serial } = move
      return askTool(hands, { token, tool, given: names.fill(given), serial })
    }
    case 'again':
      return askAgain(hands, move)
    case 'answer':
      return answer(hands, move)
    case 'say':
      return say(hands, move)
    case 'ask':
      return askForAccess(hands, move)
    case 'decide':
      return decide(hands, move)
    case 'take back':
      return takeBack(hands, move)
    case 'start review':
      return startReview(hands, move)
    case 'review':
      return review(hands, move)
    case 'demote':
      return demote(play)
  }
}

/** What the owner changes here is no doing of the attacker's. */
async function demote(play: Play): Promise<Step> {
  const { hands, entered } = play
  await entered.demote()
  play.demoted = true
  const { start } = play
  play.start = await readFacts(hands.stage, hands.world, { grantsOf: inHand(hands), start })
  return { outcome: 'done', done: true }
}

// ---------------------------------------------------------------- the question

/** Asks, if anything has changed since it was asked. */
export async function check(play: Play): Promise<Violation[]> {
  return play.unchecked > 0 ? ask(play) : []
}

async function ask(play: Play): Promise<Violation[]> {
  const { hands, ceiling, start } = play
  play.unchecked = 0
  const now = await readFacts(hands.stage, hands.world, { grantsOf: inHand(hands), start })
  const reach = await lookAround(hands, now)
  return violationsOf(ceiling, start, now, reach)
}

function inHand({ clients }: Hands): Set<string> {
  return new Set(clients.map(({ application }) => application))
}

// ---------------------------------------------------------------- again

export type PlayResult = { violations: Violation[]; done: DoneMove[] }

/** The same moves in a world of their own; null where nothing is found. */
export async function replay(
  stage: Stage,
  attacker: Attacker,
  moves: readonly Move[],
): Promise<PlayResult | null> {
  const play = await begin(stage, attacker)
  const done: DoneMove[] = []
  for (const move of moves) {
    const { outcome, violations } = await perform(play, move)
    done.push({ move, outcome })
    if (violations.length > 0) return { violations: named(play, violations), done }
  }
  return null
}

export function named({ hands }: Play, violations: readonly Violation[]): Violation[] {
  const { names } = hands.world
  return violations.map(({ clause, what }) => ({ clause, what: names.told(what) }))
}
