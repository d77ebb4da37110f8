import type { Contender, Row } from './works'

/** What the first requests of a fresh process cost, before the compiler has warmed up: CPU each. */

export const COLD_REQUESTS = 2_000

export async function measureCold(row: Row, of: Contender): Promise<number | null> {
  const work = row.work(of)
  if (!work) return null
  const asks = await work.prepare(COLD_REQUESTS)
  const before = await of.usage()
  await of.line.send(asks)
  return ((await of.usage()).cpuMs - before.cpuMs) / asks.length
}
