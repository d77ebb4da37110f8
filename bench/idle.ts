import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerUnderTest } from './server'

/** What a process that nobody asks anything costs: CPU in a second. */

/** In the first minute V8 collects what the start has left behind: half a second of CPU, once. */
const SETTLE_MS = 50_000

export async function measureIdle({ usage }: Pick<ServerUnderTest, 'usage'>, seconds: number) {
  await sleep(SETTLE_MS)
  const before = await usage()
  const started = performance.now()
  await sleep(seconds * 1000)
  const after = await usage()
  return ((after.cpuMs - before.cpuMs) * 1000) / (performance.now() - started)
}
