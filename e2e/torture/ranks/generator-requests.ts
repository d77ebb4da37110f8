import type { Samples } from '../fuzz/samples'
import { pickName } from './bodies'
import type { Move } from './moves'
import type { Names } from './names'
import type { Play } from './play'

/** What people do about access that they lack. */
export function requestMove({ hands }: Play, serial: number, samples: Samples): Move | null {
  const { sessions, userTokens, requests, reviews, world } = hands
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
  const review = samples.pick(reviews)?.name
  if (review !== undefined && samples.chance(0.05)) {
    const decision = samples.chance(0.7) ? 'remove' : 'keep'
    return { serial, do: 'review', as, review, decision }
  }
  if (samples.chance(0.04)) return startingReview(session.name, serial, world.names, samples)
  if (!samples.chance(0.08)) return null
  const from = samples.chance(0.8) ? REQUESTABLE : world.names.of('items')
  return { serial, do: 'ask', as, item: samples.pick(from) ?? '' }
}

const REQUESTABLE = ['<items/closed:ranked>', '<items/kept:ranked>']

const KINDS = { role: 'roles', application: 'applications', user: 'users', api: 'resources' }

function startingReview(as: string, serial: number, names: Names, samples: Samples): Move {
  const pick = (kind: string) => pickName(names, kind, samples) ?? ''
  const [type, kind] = samples.pick(Object.entries(KINDS)) ?? ['role', 'roles']
  const over = samples.chance(0.2) ? { type: 'portal' } : { type, id: pick(kind) }
  return { serial, do: 'start review', as, over, reviewers: [pick('users'), pick('users')] }
}
