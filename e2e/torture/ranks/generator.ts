import { isPortalScope } from '../../../lib/access/portal-api'
import type { AnyOperation } from '../../../lib/api/http/operation'
import { tools } from '../../../lib/api/mcp/tools'
import { routes } from '../../../lib/api/table'
import type { Samples } from '../fuzz/samples'
import { bodyFor, pickName, queryFor } from './bodies'
import { agentMove } from './generator-agents'
import { requestMove } from './generator-requests'
import type { Grant } from './model-facts'
import type { Move } from './moves'
import type { Play } from './play'

/** The next thing that an attacker might try. */

export function nextMove(play: Play, serial: number, samples: Samples, publicKey: object): Move {
  const own = specialMove(play, serial, samples) ?? toolMove(play, serial, samples, publicKey)
  if (own) return own
  const [as, held] = pickCaller(play, samples)
  const route = pickRoute(play.demoted ? play.former : held, samples)
  const path = pathFor(route, play, samples)
  const current = currentGrants(path, play)
  const { names } = play.hands.world
  const choice = { names, samples, serial, publicKey, held: [...held], current }
  const body = bodyFor(route, choice)
  return {
    serial,
    do: 'call',
    as,
    route: route.id,
    old: play.demoted || samples.chance(0.1),
    path: `${path}${queryFor(route, choice)}`,
    ...(body !== undefined && { body }),
  }
}

type Able = [name: string, held: ReadonlySet<string>]

/** Itself, or whoever else it can be who may do anything here. */
function pickCaller({ hands: { held, userTokens } }: Play, samples: Samples): Able {
  const me: Able = ['me', held.get('me') ?? new Set()]
  const isForMcp = (name: string) => userTokens.some((one) => one.name === name && one.at === 'mcp')
  const tries = samples.chance(0.1)
  const able = [...held].filter(
    ([name, scopes]) => [...scopes].some(isPortalScope) && (tries || !isForMcp(name)),
  )
  return held.has('me') && samples.chance(0.7) ? me : (samples.pick(able) ?? me)
}

const CHANGING = tools.filter(({ changes }) => changes !== undefined)

/** An agent at the portal's MCP server. */
function toolMove(play: Play, serial: number, samples: Samples, publicKey: object): Move | null {
  const { userTokens, held, world } = play.hands
  const token = samples.pick(userTokens.filter(({ at }) => at === 'mcp'))
  if (!token || !samples.chance(0.3)) return null
  const own = held.get(token.name) ?? new Set()
  const wanted = samples.chance(0.85) ? CHANGING : tools
  const open = wanted.filter(({ operation }) => own.has(operation.scope))
  const tool = samples.pick(open.length > 0 && samples.chance(0.85) ? open : wanted)
  if (!tool) return null
  const { operation } = tool
  const params = paramsFor(operation, play, samples)
  const current = currentGrants(filled(operation, params), play)
  const { names } = world
  const choice = { names, samples, serial, publicKey, held: [...own], current }
  const body = bodyFor(operation, choice)
  const given = {
    ...Object.fromEntries(params),
    ...(typeof body === 'object' ? body : {}),
    ...(operation.versioned && { version: '*' }),
  }
  return { serial, do: 'tool', as: token.name, tool: tool.name, given }
}

function specialMove(play: Play, serial: number, samples: Samples): Move | null {
  const { links, lures, clients, world } = play.hands
  const link = samples.pick(links)
  if (link && samples.chance(0.3)) return { serial, do: 'open link', link: link.name }
  const application = samples.pick([...lures.keys()])
  if (application && samples.chance(0.15)) {
    const id = world.names.fill(application)
    const client = samples.pick(clients.filter((one) => one.clientId === id))?.name ?? null
    return { serial, do: 'lure', application, client, mcp: samples.chance(0.3) }
  }
  const other = agentMove(play, serial, samples) ?? requestMove(play, serial, samples)
  if (other) return other
  if (samples.chance(0.004)) {
    return { serial, do: 'forgot', user: samples.pick(['<users/owner>', '<users/admin>']) ?? '' }
  }
  return samples.chance(0.008) && !play.demoted ? { serial, do: 'demote' } : null
}

/** In names that hold in every world. */
function currentGrants(path: string, { hands }: Play): Grant[] {
  const { names, given } = hands.world
  const [application] = /<applications\/[^>]+>/.exec(path) ?? []
  const grants = application ? given.get(names.fill(application)) : undefined
  return JSON.parse(names.told(JSON.stringify(grants ?? [])))
}

// ---------------------------------------------------------------- routes

const CHANGES = routes.filter(({ scope }) => scope.endsWith(':write'))
const READS = routes.filter(({ scope }) => !scope.endsWith(':write') && scope !== 'public')
/** They take away what there is to win, or give nobody anything; a few are enough. */
const SELDOM = /^(delete|remove)|Logo|Branding|Assertion|AuditView|TestLogin|cleanUp|testMail/
const HOW_SELDOM = 0.2

/** They give something to somebody. */
const GIVING =
  /Grants|Secret$|AccessKey$|Application$|(create|change|import|invite|give)(User|Role)|InitialToken$/
const OFTEN = 0.4

/** Mostly what its scopes open, mostly changes, and often those that give. */
function pickRoute(held: ReadonlySet<string>, samples: Samples): AnyOperation {
  const isOpen = ({ scope }: AnyOperation) => held.has(scope)
  const wanted = samples.chance(0.85) ? CHANGES : READS
  const open = samples.chance(0.9) ? wanted.filter(isOpen) : wanted
  const giving = samples.chance(OFTEN) ? open.filter(({ id }) => GIVING.test(id)) : []
  const from = [giving, open, wanted].find((list) => list.length > 0) ?? wanted
  const route = samples.pick(from) as AnyOperation
  const spare = SELDOM.test(route.id) && !samples.chance(HOW_SELDOM)
  return spare ? pickRoute(held, samples) : route
}

// ---------------------------------------------------------------- paths

/** What stands before a parameter says what it is the name of. */
const KINDS: Record<string, string> = {
  permissions: 'items',
  members: 'users',
  people: 'users',
  'signing-keys': 'signing-keys',
}
const PROVIDERS = ['evil', 'acme']

function pathFor(route: AnyOperation, play: Play, samples: Samples): string {
  return filled(route, paramsFor(route, play, samples))
}

function filled({ path }: AnyOperation, params: ReadonlyMap<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => params.get(name) ?? 'none')
}

function paramsFor({ path }: AnyOperation, play: Play, samples: Samples): Map<string, string> {
  const { names, parents } = play.hands.world
  const chosen = new Map<string, string>()
  const places = [...path.matchAll(/([^/{]*)\/\{(\w+)\}/g)].map(
    ([, collection = '', name = '']) => ({
      name,
      kind: KINDS[collection] ?? collection,
    }),
  )
  // The last first: whose key it is follows from the key.
  for (const { name, kind } of places.toReversed()) {
    if (chosen.has(name)) continue
    const one = kind === 'providers' ? samples.pick(PROVIDERS) : pickName(names, kind, samples)
    const value = one ?? `no-${kind}`
    chosen.set(name, value)
    const parent = parents.get(value.replaceAll(/[<>]/g, ''))
    const above = places.find((place) => parent?.startsWith(`${place.kind}/`))
    if (parent && above && samples.chance(0.9)) chosen.set(above.name, `<${parent}>`)
  }
  return chosen
}
