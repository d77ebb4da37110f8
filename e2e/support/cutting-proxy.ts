import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './postgres'

/** In front of a PostgreSQL: hangs up on whoever asks for what it was told to cut. */

export type CuttingProxy = { port: number; cut(what: string | null): void; close(): void }

export async function cuttingProxy(target: number): Promise<CuttingProxy> {
  const port = await freePort()
  const sockets: Socket[] = []
  let marker: string | null = null
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    sockets.push(client, upstream)
    for (const [here, there] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      here.on('error', () => there.destroy())
      here.on('close', () => there.destroy())
    }
    client.on('data', (chunk) => {
      if (marker !== null && chunk.includes(marker)) client.destroy()
      else upstream.write(chunk)
    })
    upstream.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    cut: (what) => {
      marker = what
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
