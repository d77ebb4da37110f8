import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lineTo } from './load'
import { median } from './measure'
import { portalDialect, portalEnvironment, type World } from './portal'
import { NODE_OPTIONS, type ServerUnderTest, START, serve, serveByNpm } from './server'

/** From `npm start` to the first token, what an idle portal holds, and its first page. */

const IDLE_MS = 10_000

export type Start = {
  /** Wall time, and the CPU that it took. */
  tokenMs: number
  /** The same by `npm start`: npm's own time is in it. */
  npmMs: number
  cpuMs: number
  rssMb: number
  /** The first page that anybody asks for: wall time and CPU. */
  coldPageMs: number
  coldPageCpuMs: number
}

export async function measureStart(world: World, times: number): Promise<Start> {
  const starts: Start[] = []
  for (let time = 0; time < times; time += 1) starts.push(await startOnce(world))
  const middle = (of: keyof Start) => median(starts.map((start) => start[of]))
  return {
    tokenMs: middle('tokenMs'),
    npmMs: middle('npmMs'),
    cpuMs: middle('cpuMs'),
    rssMb: middle('rssMb'),
    coldPageMs: middle('coldPageMs'),
    coldPageCpuMs: middle('coldPageCpuMs'),
  }
}

async function startOnce(world: World): Promise<Start> {
  const started = performance.now()
  const served = await serve({
    args: [START], // with everything installed and built
    nodeArgs: NODE_OPTIONS,
    env: portalEnvironment(world.url, world.folder),
    logFile: join(world.folder, 'portal.log'),
    ready: '/healthz',
  })
  const line = lineTo([served.port])
  const { token, page } = portalDialect(world)
  await line.send([token(0)])
  const tokenMs = performance.now() - started
  const { cpuMs } = await served.usage()
  await sleep(IDLE_MS)
  const { rssMb } = await served.usage()
  const cold = await coldPage(served, () => line.send(page ? [page('login')] : []))
  line.close()
  await served.stop()
  return { tokenMs, npmMs: await startByNpm(world), cpuMs, rssMb, ...cold }
}

async function startByNpm(world: World): Promise<number> {
  const started = performance.now()
  const { port, stop } = await serveByNpm(portalEnvironment(world.url, world.folder), '/healthz')
  const line = lineTo([port])
  await line.send([portalDialect(world).token(0)])
  const tookMs = performance.now() - started
  line.close()
  await stop()
  return tookMs
}

async function coldPage(served: ServerUnderTest, open: () => Promise<unknown>) {
  const before = await served.usage()
  const started = performance.now()
  await open()
  const coldPageMs = performance.now() - started
  const after = await served.usage()
  return { coldPageMs, coldPageCpuMs: after.cpuMs - before.cpuMs }
}
