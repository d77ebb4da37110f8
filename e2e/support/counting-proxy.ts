import { connect, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './postgres'

/**
 * In front of a PostgreSQL: counts round trips. One is what a connection sends before the server
 * says something again, however many messages that are.
 */

export type CountingProxy = {
  url: string
  roundTrips(): number
  /** Waits until what was asked for has been written, audit batches too. */
  quiet(): Promise<void>
  close(): void
}

const QUIET_MS = 100

export async function countingProxy(databaseUrl: string): Promise<CountingProxy> {
  const port = await freePort()
  const target = new URL(databaseUrl)
  const sockets: Socket[] = []
  let trips = 0
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    sockets.push(client, upstream)
    let asking = false
    client.on('data', (chunk) => {
      if (!asking) trips += 1
      asking = true
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      asking = false
      client.write(chunk)
    })
    for (const [here, there] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      here.on('error', () => there.destroy())
      here.on('close', () => there.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = String(port)
  url.hostname = '127.0.0.1'
  return {
    url: url.href,
    roundTrips: () => trips,
    quiet: async () => {
      for (let before = -1; before !== trips; ) {
        before = trips
        await setTimeout(QUIET_MS)
      }
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
