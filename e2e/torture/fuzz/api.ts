import fc from 'fast-check'
import type { AnyOperation } from '../../../lib/api/http/operation'
import { problemsOf, toSchema } from '../../../lib/api/openapi/openapi'
import { routes } from '../../../lib/api/table'
import { type ApiAnswer, callApi, machineToken } from '../../support/api'
import type { Portal } from '../../support/portal'
import type { Tally } from '../report'
import { fromSchema, type Schema } from './from-schema'
import { BROKEN_BODIES, nastyText, nastyValue, spoiled } from './nasty'
import type { Samples } from './samples'

/**
 * Every operation of the OpenAPI document with what its schema accepts and with what it does not: no
 * fault of ours, a status that is declared, a body as its schema says (`callApi` holds it to that).
 */

/** A path that nobody's router could take for something else. */
const MAX_URL_LENGTH = 4_000
const WELL_MEANT = 0.5

type Sent = { method: string; path: string; body?: unknown; headers: Record<string, string> }

export async function fuzzApi(
  portal: Portal,
  samples: Samples,
  rounds: number,
  tally: Tally,
): Promise<Coverage> {
  const known = knownThings(portal)
  const succeeded = new Set<string>()
  let token = await machineToken(portal)
  const call = async ({ method, path, body, headers }: Sent): Promise<ApiAnswer> => {
    const send = () => callApi(portal, token, method, path, body, headers)
    const answer = await send()
    if (answer.status !== 401) return answer
    // A signing key was revoked, which is one of the operations.
    token = await machineToken(portal)
    return send()
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const route of inAnyOrder(samples)) {
      const sent = await requestFor(route, samples, known, call)
      const answer = await tryOne(route, sent, call, tally)
      if (!answer || answer.status >= 300) continue
      succeeded.add(route.id)
      known.learn(route.path, answer.json)
    }
    tally.rounds += 1
  }
  return { operations: routes.length, succeeded: succeeded.size }
}

/** How many operations did what they are for, and not only refused. */
export type Coverage = { operations: number; succeeded: number }

async function tryOne(
  route: AnyOperation,
  sent: Sent,
  call: (sent: Sent) => Promise<ApiAnswer>,
  tally: Tally,
): Promise<ApiAnswer | null> {
  const said = `${route.id}: ${sent.method} ${sent.path} ${JSON.stringify(sent.body)?.slice(0, 300)}`
  try {
    const answer = await call(sent)
    const { status, raw } = answer
    tally.check(status < 500, `${status} for ${said}: ${raw.slice(0, 300)}`)
    tally.check(isDeclared(route, status), `${status} is not declared, for ${said}`)
    return answer
  } catch (error) {
    tally.check(false, `${error instanceof Error ? error.message : error}, for ${said}`)
    return null
  }
}

/** Reads first, lists before what is in them: what they find is what changes are made to. */
function inAnyOrder(samples: Samples): AnyOperation[] {
  const weighed = routes.map((route) => ({ route, at: samples.next() }))
  const reads = weighed.filter(({ route }) => route.method === 'GET')
  const others = weighed.filter(({ route }) => route.method !== 'GET')
  const sorted = (list: typeof weighed) => list.sort((a, b) => a.at - b.at)
  const fromLists = sorted(reads).sort((a, b) => depthOf(a.route) - depthOf(b.route))
  return [...fromLists, ...sorted(others)].map(({ route }) => route)
}

function depthOf({ path }: AnyOperation): number {
  return path.split('{').length
}

function isDeclared(route: AnyOperation, status: number): boolean {
  const unmatched = [404, 405] // a parameter that makes it another path, or none
  const told = [...Object.keys(route.answers).map(Number), ...problemsOf(route)]
  return [...told, ...(route.path.includes('{') ? unmatched : [])].includes(status)
}

// ---------------------------------------------------------------- requests

async function requestFor(
  route: AnyOperation,
  samples: Samples,
  known: Known,
  call: (sent: Sent) => Promise<ApiAnswer>,
): Promise<Sent> {
  const path = pathFor(route, samples, known)
  const url = `${path}${queryFor(route, samples)}`.slice(0, MAX_URL_LENGTH)
  const headers = await headersFor(route, path, samples, call)
  const body = route.body ? { body: bodyFor(route, samples, known) } : {}
  return { method: route.method, path: url, headers, ...body }
}

/** What most other things are in. */
const LASTING = new Set(['demo', 'spc_demo'])

function pathFor({ path, method }: AnyOperation, samples: Samples, known: Known): string {
  return path.replaceAll(/([^/{]*)\/\{(\w+)\}/g, (_all, collection: string) => {
    const usable = known.of(collection).filter((one) => method !== 'DELETE' || !LASTING.has(one))
    const name = samples.pick(path.endsWith('s/{space}') ? usable : known.of(collection))
    const nasty = name === undefined || !samples.chance(0.9)
    return `${collection}/${encoded(nasty ? samples.one(nastyText) : name)}`
  })
}

/** Half a character has no percent-encoding. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed().slice(0, 200)) || '%20'
}

function queryFor({ query }: AnyOperation, samples: Samples): string {
  if (!query || samples.chance(0.3)) return ''
  const good = samples.one(fromSchema(toSchema(query, 'input') as Schema)) as object
  const sent = Object.entries(good).map(([name, value]): [string, string] => [name, String(value)])
  if (!samples.chance(WELL_MEANT)) {
    const [name = 'extra'] = samples.pick(sent) ?? []
    sent.push([name, samples.one(nastyText)])
  }
  const pairs = sent.map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

const headerText = fc.string({ unit: fc.constantFrom(...'aZ09"*, -_;=/\\'), maxLength: 40 })

async function headersFor(
  { method, versioned }: AnyOperation,
  path: string,
  samples: Samples,
  call: (sent: Sent) => Promise<ApiAnswer>,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = {}
  if (versioned && samples.chance(0.8)) {
    const seen = await call({ method: 'GET', path, headers: {} }).catch(() => null)
    headers['if-match'] = seen?.headers.etag ?? samples.one(headerText)
  }
  if (method === 'POST' && samples.chance(0.2)) headers['idempotency-key'] = samples.one(headerText)
  if (samples.chance(0.1)) headers.consistency = samples.one(headerText)
  return headers
}

function bodyFor({ body, example }: AnyOperation, samples: Samples, known: Known): unknown {
  if (samples.chance(0.05)) return samples.pick(BROKEN_BODIES)
  const schema = toSchema(body as NonNullable<AnyOperation['body']>, 'input') as Schema
  const good =
    example !== null && samples.chance(0.6)
      ? filledIn(example, samples, known)
      : samples.one(fromSchema(schema))
  if (samples.chance(WELL_MEANT)) return good
  return spoiled(good, samples.at, samples.one(nastyValue))
}

/** `usr_...` in an example stands for one of them. */
function filledIn(example: unknown, samples: Samples, known: Known): unknown {
  return JSON.parse(JSON.stringify(example), (_name, value) => {
    const prefix = typeof value === 'string' ? /^([a-z]+)_\.\.\.$/.exec(value)?.[1] : undefined
    return prefix === undefined ? value : (samples.pick(known.like(prefix)) ?? value)
  })
}

// ---------------------------------------------------------------- what is there

type Known = {
  /** Of that kind, such as `usr`. */
  like(prefix: string): readonly string[]
  of(collection: string): readonly string[]
  learn(path: string, answer: unknown): void
}

const NAMES = ['id', 'key', 'kid', 'accessKey']
const MAX_KNOWN = 20

/** By the last word of a list's path. Never who calls, nor the owner: both are needed to the end. */
function knownThings(portal: Portal): Known {
  const { machine, web } = portal.demo()
  const needed = new Set([machine.client_id, machine.access_key, web.client_id, 'usr_demo_admin'])
  const found = new Map<string, string[]>([
    ['spaces', ['demo']],
    ['providers', ['acme']],
  ])
  return {
    of: (collection) => found.get(collection) ?? [],
    like: (prefix) => [...found.values()].flat().filter((name) => name.startsWith(`${prefix}_`)),
    learn(path, answer) {
      const collection =
        path
          .replaceAll(/\/\{\w+\}$/g, '')
          .split('/')
          .at(-1) ?? ''
      const names = namesIn(answer).filter((name) => !needed.has(name))
      const all = [...(found.get(collection) ?? []), ...names]
      found.set(collection, [...new Set(all)].slice(-MAX_KNOWN))
    },
  }
}

function namesIn(answer: unknown): string[] {
  const things = (answer as { data?: unknown } | undefined)?.data ?? answer
  return [things].flat().flatMap((thing) => {
    if (typeof thing !== 'object' || thing === null) return []
    const members = thing as Record<string, unknown>
    return NAMES.flatMap((name) => (typeof members[name] === 'string' ? [members[name]] : []))
  })
}
