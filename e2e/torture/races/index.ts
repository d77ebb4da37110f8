import { type Arena, type Pair, startPair } from '../arena'
import type { Line } from '../report'
import { FIRST_KEYS, firstKeys } from './first-key'
import { loginRace, recoveryRace, resetRace, setUpRace, totpRace } from './form-races'
import { type Race, run } from './race'
import { assertionRace, codeRace, refreshRace } from './token-races'

/** Everybody at once, at two processes on one database: one wins, and the others are told so. */
export async function races(arena: Arena): Promise<Line[]> {
  return [
    ...(arena.wants(FIRST_KEYS) ? [await firstKeys(arena)] : []),
    ...(await withPair(arena, { demo: false }, async () => [setUpRace])),
    ...(await withPair(arena, { demo: true, env: { REFRESH_REPLAY_SECONDS: '0' } }, async () => [
      refreshRace(0),
    ])),
    ...(await withPair(arena, { demo: true }, async (pair) => [
      codeRace,
      refreshRace(10),
      await assertionRace(pair),
      resetRace,
      recoveryRace,
      totpRace,
      loginRace,
    ])),
  ]
}

async function withPair(
  arena: Arena,
  how: Parameters<typeof startPair>[1],
  racesOf: (pair: Pair) => Promise<Race[]>,
): Promise<Line[]> {
  const pair = await startPair(arena, how)
  const lines: Line[] = []
  try {
    const wanted = (await racesOf(pair)).filter(({ name }) => arena.wants(name))
    for (const race of wanted) lines.push(await run(arena, pair, race))
  } finally {
    await pair.stop()
  }
  return lines
}
