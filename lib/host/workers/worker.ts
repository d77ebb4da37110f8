import cluster from 'node:cluster'
import type { DemoKind } from '../../operations/demo/kind'
import { type Host, openHost, STOP_MS, setUp, setUpAgain, tellNews } from '../start'
import { type Line, openLine } from './line'
import type { Role } from './messages'

/** One of several processes behind the port. */

/** Workers of a primary that was killed stop by themselves; one that is busy notices it later. */
const WAIT_FOR_PORT_MS = 10_000

export async function startWorker(role: Role, demo: DemoKind | null): Promise<void> {
  // The primary tells workers what to do; a terminal sends these to all of them.
  process.on('SIGHUP', () => {})
  process.on('SIGINT', () => {})
  const line = openLine()
  const news =
    role === 'first' ? await setUp(demo, WAIT_FOR_PORT_MS) : await setUpAgain(role === 'successor')
  const host = openHost(news)
  // A successor must be able to do everything before it takes over; nobody waits for it.
  if (role !== 'first') await host.openPages()
  await line.ready()
  obey(host, line)
  await host.listen()
  if (role === 'first') await host.openPages()
  line.listening()
  if (role === 'first') tellNews(news)
}

function obey(host: Host, line: Line): void {
  const { meter } = host.portal
  const sendReadings = async () => line.sendReadings(await meter.readings())
  let stopping = false
  const leave = async (work: () => Promise<void>) => {
    await work()
    await sendReadings()
    process.exit(0)
  }
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOP_MS).unref()
    leave(host.stop)
  }
  meter.gatherBy(line.gather)
  line.on('read', sendReadings)
  line.on('work', host.work)
  line.on('retire', () => leave(host.retire))
  line.on('stop', stop)
  process.on('SIGTERM', stop)
  // Otherwise Node ends a worker whose primary is gone, in the middle of its requests.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  line.onLost(stop)
}
