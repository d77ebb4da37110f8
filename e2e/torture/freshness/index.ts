import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiAnswer, type Call, caller, machineToken } from '../../support/api'
import { type Arena, type Pair, type Part, startPair } from '../arena'
import { type Line, newTally, type Tally } from '../report'

/**
 * A change that one process has answered counts at the other within a second. Many changes are made
 * at the first process, and the second is asked until its answer has changed. How late it was is the
 * time between the answer to the change and the last question that was still answered the old way.
 */

const LATEST_MS = 1_000
const CHANGES = 10_000
const FEW_CHANGES = 300
/** Each changes a user of its own, one change after the other. */
const WALKERS = 24
const POLL_MS = 40
const GIVEN_UP_MS = 10_000
const PERMISSION = 'fresh:read'

type World = { here: Call; there: Call; role: string; group: string }

/** `holds`: what the other process must answer about the user afterwards. */
type Change = {
  name: string
  holds: boolean
  make(world: World, user: string): Promise<ApiAnswer>
}

const CHANGES_OF_A_ROUND: readonly Change[] = [
  {
    name: 'a role is given',
    holds: true,
    make: ({ here, role }, user) => here('PUT', `/users/${user}/roles/${role}`),
  },
  {
    name: 'the user is disabled',
    holds: false,
    make: ({ here }, user) => here('PATCH', `/users/${user}`, { enabled: false }, ANY_VERSION),
  },
  {
    name: 'the user is enabled',
    holds: true,
    make: ({ here }, user) => here('PATCH', `/users/${user}`, { enabled: true }, ANY_VERSION),
  },
  {
    name: 'the role is taken',
    holds: false,
    make: ({ here, role }, user) => here('DELETE', `/users/${user}/roles/${role}`),
  },
  {
    name: 'the user joins a group',
    holds: true,
    make: ({ here, group }, user) => here('PUT', `/groups/${group}/members/${user}`),
  },
  {
    name: 'the user leaves the group',
    holds: false,
    make: ({ here, group }, user) => here('DELETE', `/groups/${group}/members/${user}`),
  },
]

const ANY_VERSION = { 'if-match': '*' }

export const freshness: Part = async (arena) => {
  const pair = await startPair(arena, { demo: true })
  try {
    return await walkAll(arena, await furnish(pair))
  } finally {
    await pair.stop()
  }
}

async function furnish({ portals: [first, second] }: Pair): Promise<World> {
  const token = await machineToken(first)
  const [here, there] = [caller(first, token), caller(second, token)]
  await here('POST', '/spaces', { key: 'fresh', name: 'Fresh' })
  const model = {
    resources: [
      {
        prefix: 'fresh',
        audience: 'https://fresh.example.com',
        name: 'Fresh',
        permissions: [{ key: PERMISSION }],
      },
    ],
    roles: [{ key: 'reader', name: 'Reader', permissions: [{ pattern: PERMISSION }] }],
  }
  await here('PUT', '/spaces/fresh/model', model, ANY_VERSION)
  const role = (await here('GET', '/spaces/fresh/roles/reader')).json.id
  const group = (await here('POST', '/groups', { key: 'readers', name: 'Readers' })).json.id
  const subject = { type: 'group', id: group }
  await here('POST', '/spaces/fresh/assignments', { role: 'reader', subject })
  return { here, there, role, group }
}

async function walkAll({ kind, quick, say }: Arena, world: World): Promise<Line[]> {
  const tally = newTally('freshness', 'a change at the other process', kind)
  const rounds = Math.ceil((quick ? FEW_CHANGES : CHANGES) / WALKERS / CHANGES_OF_A_ROUND.length)
  const late = new Map<string, number[]>(CHANGES_OF_A_ROUND.map(({ name }) => [name, []]))
  await Promise.all(
    Array.from({ length: WALKERS }, async (_, at) => {
      const { json } = await world.here('POST', '/users', { username: `fresh-${at}` })
      for (let round = 0; round < rounds; round += 1) await walk(world, json.id, tally, late)
    }),
  )
  for (const [name, times] of late) {
    const sorted = times.toSorted((a, b) => a - b)
    const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]?.toFixed(0)
    say(`  ${name}: ${sorted.length} times, late by ${at(0.5)} ms, at most ${at(1)} ms`)
  }
  return [tally]
}

async function walk(
  world: World,
  user: string,
  tally: Tally,
  late: ReadonlyMap<string, number[]>,
): Promise<void> {
  for (const change of CHANGES_OF_A_ROUND) {
    const { status } = await change.make(world, user)
    // What was not changed cannot be seen to be late.
    tally.check(status < 300, `${change.name}: answered ${status} for ${user}`)
    const { ms, answers } = await lateness(world, user, change.holds)
    tally.rounds += 1
    tally.check(
      ms <= LATEST_MS,
      `${change.name}: ${ms.toFixed(0)} ms late for ${user}; answers: ${[...answers].join(' ')}`,
    )
    late.get(change.name)?.push(ms)
  }
}

type Lateness = { ms: number; answers: ReadonlySet<string> }

/** 0 if the first answer after the change was right. */
async function lateness({ there }: World, user: string, wanted: boolean): Promise<Lateness> {
  const changed = performance.now()
  const answers = new Set<string>()
  let ms = 0
  while (ms < GIVEN_UP_MS) {
    const asked = performance.now()
    const question = { user, permission: PERMISSION }
    const { status, json } = await there('POST', '/permissions/check', question)
    if (json.allowed === wanted) break
    answers.add(`${status} ${json.allowed ?? json.code}`)
    ms = asked - changed
    await sleep(POLL_MS)
  }
  return { ms, answers }
}
