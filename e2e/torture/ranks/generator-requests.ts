import type { Samples } from '../fuzz/samples'
import type { Move } from './moves'
import type { Play } from './play'

/** What people do about access that they lack. */
export function requestMove({ hands }: Play, serial: number, samples: Samples): Move | null {
  const { sessions, userTokens, requests, world } = hands
  const session = samples.pick(sessions)
  if (!session) return null
  const token = samples.pick(userTokens.filter(({ at }) => at === 'api'))
  const as = token && samples.chance(0.2) ? token.name : session.name
  const request = samples.pick(requests)?.name
  if (request !== undefined && samples.chance(0.25)) {
    const isBack = samples.chance(0.2)
    if (isBack) return { serial, do: 'take back', as, request }
    return { serial, do: 'decide', as, request, yes: samples.chance(0.9) }
  }
  if (!samples.chance(0.08)) return null
  const from = samples.chance(0.8) ? REQUESTABLE : world.names.of('items')
  return { serial, do: 'ask', as, item: samples.pick(from) ?? '' }
}

const REQUESTABLE = ['<items/closed:ranked>', '<items/kept:ranked>']
