import { describe, expect, test } from 'vitest'
import { routes } from '../../lib/api/table'
import { freshDatabase, type Kind } from '../support/databases'
import { summary } from '../torture/ranks/index'
import { type SearchResult, search, toldWhole } from '../torture/ranks/search'
import { openStage } from '../torture/ranks/stage'

/**
 * A short `npm run torture -- ranks`: is there a way to more than the rule of authority gives?
 * RANKS_SEED and RANKS_ROUNDS try others, RANKS_WHO names the attackers; with RANKS_TRIES=0 a
 * sequence is not made shorter.
 */

const seed = Number(process.env.RANKS_SEED ?? 20_261_116)
const rounds = Number(process.env.RANKS_ROUNDS ?? 1)
const wanted = process.env.RANKS_WHO
const mostTries = Number(process.env.RANKS_TRIES ?? 30)
const length = 50
/** Those who can change something that gives power; `npm run torture` tries all. */
const STRONG =
  /person (admin|manager|auditor)|with (users|applications|assignments|roles|settings|webhooks|spaces|permissions|resources):write$|audit:read$|for a while|access key|agent of the (manager|auditor)|exchanges tokens|initial access token/
const FEW = /person manager|with users:write$|exchanges tokens/
/** A broken rule shows in many ways. */
const MAX_FINDINGS = 1
const TIME_MS = 600_000

function searchOn(kind: Kind, who: RegExp): Promise<SearchResult> {
  return search(async () => openStage(await freshDatabase[kind]()), {
    seed,
    length,
    worldsOnStage: 200,
    mostFindings: MAX_FINDINGS,
    mostTries,
    wants: (name) => (wanted ? new RegExp(wanted) : who).test(name),
    isOver: (done) => done >= rounds,
    say: () => {},
  })
}

/** The sequence is what is worth reading. */
function requireNone({ findings }: SearchResult): void {
  if (findings.length > 0) throw new Error(findings.map(toldWhole).join('\n'))
}

const changes = routes.filter(({ scope }) => scope.endsWith(':write')).map(({ id }) => id)

describe('nobody rises above their rank', () => {
  test(
    `by any sequence that the search finds on sqlite (seed ${seed})`,
    async () => {
      const searched = await searchOn('sqlite', STRONG)
      requireNone(searched)
      const succeeded = changes.filter((id) => searched.reached.has(id))
      const refused = changes.filter((id) => searched.refused.has(id))
      const told = `${summary(searched)}; never: ${changes.filter((id) => !succeeded.includes(id))}`
      expect(succeeded.length, told).toBeGreaterThan(changes.length * 0.4)
      expect(refused.length, told).toBeGreaterThan(changes.length / 2)
    },
    TIME_MS,
  )

  test(
    `nor on postgres (seed ${seed})`,
    async () => {
      const searched = await searchOn('postgres', FEW)
      requireNone(searched)
      expect(searched.reached.size, summary(searched)).toBeGreaterThan(5)
    },
    TIME_MS,
  )
})
