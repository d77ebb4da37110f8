import { parseArgs } from 'node:util'
import { TESTED_WORKERS } from '../support/portal'
import { type Ground, ground, type Host, type Kind } from './arena'
import { parts } from './parts'
import { type Line, newTally, summaryOf, table, told } from './report'

/** `npm run torture`: exit code 1 on any violation. */

const KINDS: readonly Kind[] = ['sqlite', 'postgres']
const HOSTS: readonly Host[] = ['node', 'next']
const ROUNDS = 20
const QUICK_ROUNDS = 2

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    database: { type: 'string' },
    host: { type: 'string', default: 'node' },
    workers: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})

const names = positionals.length > 0 ? positionals : Object.keys(parts)
const kinds = values.database === undefined ? KINDS : [oneOf(KINDS, values.database)]
const host = oneOf(HOSTS, values.host)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const rounds = Number(values.rounds ?? (values.quick ? QUICK_ROUNDS : ROUNDS))
const minutes = values.minutes === undefined ? null : Number(values.minutes)

process.env[TESTED_WORKERS] = values.workers

const started = performance.now()
console.log(
  `\ntorture: ${names.join(', ')}, ${rounds} rounds, seed ${seed}, host ${host}, workers ${values.workers}`,
)
const lines: Line[] = []
for (const kind of kinds) lines.push(...(await on(kind)))
console.log(`\n${table(lines)}`)
for (const line of lines) for (const text of told(line)) console.log(text)
console.log(`\nall of it took ${((performance.now() - started) / 60_000).toFixed(1)} minutes`)
// Whatever still listens must not keep the command from ending.
process.exit(lines.length > 0 && lines.every(({ violations }) => violations.length === 0) ? 0 : 1)

async function on(kind: Kind): Promise<Line[]> {
  const place: Ground = await ground(kind)
  const { emptyDatabase } = place
  const say = (text: string) => console.log(`  ${kind}: ${text}`)
  const wants = (what: string) => what.includes(values.only)
  const { quick } = values
  const arena = { kind, host, rounds, minutes, seed, quick, wants, emptyDatabase, say }
  const found: Line[] = []
  try {
    for (const name of names) {
      const part = Object.hasOwn(parts, name) ? parts[name] : undefined
      if (!part) throw new Error(`no part ${name}; there are: ${Object.keys(parts).join(', ')}`)
      const lines = await part(arena).catch((error) => [broken(name, kind, error)])
      for (const line of lines) for (const text of summaryOf(line)) say(text)
      found.push(...lines)
    }
  } finally {
    await place.leave()
  }
  return found
}

/** A part that could not go on has proved nothing. */
function broken(name: string, kind: Kind, error: unknown): Line {
  const tally = newTally(name, 'could not go on', kind)
  tally.check(false, error instanceof Error ? (error.stack ?? error.message) : String(error))
  return tally
}

function oneOf<T extends string>(known: readonly T[], given: string): T {
  const found = known.find((one) => one === given)
  if (found === undefined) throw new Error(`${given}: choose one of ${known.join(', ')}`)
  return found
}
