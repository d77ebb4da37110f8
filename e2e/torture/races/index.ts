import { type Arena, startPair } from '../arena'
import type { Line } from '../report'
import { FIRST_KEYS, firstKeys } from './first-key'
import { loginRace, recoveryRace, resetRace, setUpRace, totpRace } from './form-races'
import { type Race, run } from './race'
import { assertionRace, codeRace, refreshRaces, strictRefreshRace } from './token-races'

/** Everybody at once, at two processes on one database: one wins, and the others are told so. */
export async function races(arena: Arena): Promise<Line[]> {
  const strict = { REFRESH_REPLAY_SECONDS: '0' }
  return [
    ...(arena.wants(FIRST_KEYS) ? [await firstKeys(arena)] : []),
    ...(await at(arena, { demo: false }, [setUpRace])),
    ...(await at(arena, { demo: true, env: strict }, [strictRefreshRace])),
    ...(await at(arena, { demo: true }, [
      ...[codeRace, ...refreshRaces, assertionRace],
      ...[resetRace, recoveryRace, totpRace, loginRace],
    ])),
  ]
}

/** All of them at one pair of processes. */
async function at(
  arena: Arena,
  how: Parameters<typeof startPair>[1],
  all: Race[],
): Promise<Line[]> {
  const wanted = all.filter(({ name }) => arena.wants(name))
  if (wanted.length === 0) return []
  const pair = await startPair(arena, how)
  const lines: Line[] = []
  try {
    for (const race of wanted) lines.push(await run(arena, pair, race))
  } finally {
    await pair.stop()
  }
  return lines
}
