import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoDatabase, usually } from '../support/databases'
import { type Portal, startPortal } from '../support/portal'
import { fuzzPortal } from '../torture/fuzz/index'

/** A few rounds of `npm run torture -- fuzz`. FUZZ_SEED tries others. */

const seed = Number(process.env.FUZZ_SEED ?? 20_261_115)
const rounds = Number(process.env.FUZZ_ROUNDS ?? 2)

describe.each(usually('sqlite'))('every operation and endpoint on %s', (kind) => {
  let portal: Portal

  beforeAll(async () => {
    const DATABASE_URL = await demoDatabase[kind]()
    portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL } })
  })
  afterAll(async () => {
    await portal.stop()
  })

  test(`answers good and bad input as it says, and never with a fault (seed ${seed})`, async () => {
    const { lines, coverage } = await fuzzPortal(portal, { kind, rounds, seed })
    for (const { checks } of lines) expect(checks).toBeGreaterThan(50 * rounds)
    expect(coverage.succeeded).toBeGreaterThan(coverage.operations / 4)
    expect(lines.flatMap(({ violations }) => violations)).toEqual([])
  }, 300_000)
})
