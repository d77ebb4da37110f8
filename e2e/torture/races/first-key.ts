import { SIGNING_ALGORITHMS } from '../../../lib/crypto/keys'
import { ask } from '../../support/ask'
import { type Arena, startPair } from '../arena'
import { type Line, newTally } from '../report'

export const FIRST_KEYS = 'first signing keys'

/**
 * Attack H16: two processes that meet an empty database make its tables once, and one key an
 * algorithm.
 */
export async function firstKeys(arena: Arena): Promise<Line> {
  const tally = newTally('races', FIRST_KEYS, arena.kind)
  for (; tally.rounds < arena.rounds; tally.rounds += 1) {
    const pair = await startPair(arena, { demo: false, together: true })
    const sets = await Promise.all(
      pair.portals.map(({ origin }) => ask(origin, { path: '/oidc/.well-known/jwks.json' })),
    )
    tally.check(sets[0]?.body === sets[1]?.body, 'the two publish different keys')
    const rows = await pair.op.db.signingKey.findMany({ select: { alg: true, state: true } })
    for (const alg of SIGNING_ALGORITHMS) {
      const states = rows.filter((row) => row.alg === alg).map(({ state }) => state)
      tally.check(states.join() === 'active', `keys of ${alg}: ${states.join() || 'none'}`)
    }
    const heads = await pair.op.db.auditHead.count()
    tally.check(heads === 1, `${heads} heads of the audit chain`)
    await pair.stop()
  }
  arena.say(`${FIRST_KEYS}: ${tally.checks} checks, ${tally.violations.length} violations`)
  return tally
}
