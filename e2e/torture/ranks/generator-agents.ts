import type { Samples } from '../fuzz/samples'
import type { Asks, Move, SaidWord } from './moves'
import { wordAbout } from './people-tokens'
import type { Play } from './play'

/** What agents, services and unknown clients try, and what people say to it. */

type Choose = (play: Play, serial: number, samples: Samples) => Move | null

export const agentMove: Choose = (play, serial, samples) => {
  for (const choose of [confirming, exchanging, saying, arriving]) {
    const move = choose(play, serial, samples)
    if (move) return move
  }
  return null
}

const confirming: Choose = ({ hands }, serial, samples) => {
  const change = samples.pick(hands.changes)
  if (!change) return null
  const { name, answer } = change
  if (answer === null && samples.chance(0.5)) {
    return { serial, do: 'answer', change: name, yes: samples.chance(0.85) }
  }
  const again = answer === 'yes' ? 0.6 : 0.08
  return samples.chance(again) ? { serial, do: 'again', change: name } : null
}

/** Of a token that an API got, or that came from an exchange itself. */
const exchanging: Choose = ({ hands: { userTokens, clients, world } }, serial, samples) => {
  const keys = new Set(world.items.map(({ key }) => key))
  const subjects = userTokens.filter(({ scopes }) => scopes.some((scope) => keys.has(scope)))
  const token = samples.pick(subjects)
  const client = samples.pick(clients)
  if (!token || !client || !samples.chance(0.25)) return null
  return { serial, do: 'exchange', client: client.name, token: token.name }
}

const WORDS: readonly SaidWord[] = ['pause', 'pause', 'narrow', 'end']

const saying: Choose = ({ hands }, serial, samples) => {
  const token = samples.pick(hands.userTokens.filter(({ parent }) => parent === null))
  if (!token || !samples.chance(0.08)) return null
  const { paused } = wordAbout(hands, token.user, token.application)
  const word = paused && samples.chance(0.6) ? 'resume' : (samples.pick(WORDS) ?? 'pause')
  return { serial, do: 'say', word, token: token.name }
}

const ASKS: readonly Asks[] = ['nothing', 'items', 'all']

/** Who has nothing else tries it more often. */
const arriving: Choose = ({ hands }, serial, samples) => {
  const { initialTokens, held } = hands
  const isOutsider = !held.has('me')
  const asks = samples.pick(ASKS) ?? 'all'
  const often = isOutsider ? 0.25 : 0.01
  if (samples.chance(initialTokens.length > 0 ? Math.max(often, 0.15) : often)) {
    const initial = samples.pick([...initialTokens.map(({ name }) => name), null]) ?? null
    return { serial, do: 'register', initial, asks }
  }
  return samples.chance(isOutsider ? 0.1 : 0.005) ? { serial, do: 'publish', asks } : null
}
