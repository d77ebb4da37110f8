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
    const asked = statementsOf()
    client.on('data', (chunk) => {
      const texts = asked(chunk)
      const cut = marker
      if (cut !== null && texts.some((text) => text.includes(cut))) client.destroy()
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

/**
 * The statements that a chunk asks for. A prepared one is sent once as text and then by its name, so
 * the names are remembered (PostgreSQL, "Message Formats": Query, Parse, Bind).
 */
function statementsOf(): (chunk: Buffer) => string[] {
  const prepared = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let started = false
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const texts: string[] = []
    for (;;) {
      const kind = started ? 1 : 0 // the first message has no type
      if (rest.length < kind + 4) return texts
      const end = kind + rest.readInt32BE(kind)
      if (rest.length < end) return texts
      const type = started ? String.fromCharCode(rest[0] ?? 0) : ''
      const [first = '', second = ''] = rest.toString('latin1', kind + 4, end).split('\0')
      if (type === 'Q') texts.push(first)
      if (type === 'P') prepared.set(first, second)
      if (type === 'P') texts.push(second)
      if (type === 'B') texts.push(prepared.get(second) ?? '')
      rest = rest.subarray(end)
      started = true
    }
  }
}
