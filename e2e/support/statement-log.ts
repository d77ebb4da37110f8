import { connect, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './postgres'

/** In front of a PostgreSQL: writes down what is asked of it, with the values. */

export type StatementLog = {
  url: string
  /** What was asked since the last call; waits until nothing is asked any more. */
  taken(): Promise<string[]>
  close(): void
}

const QUIET_MS = 150

export async function statementLog(databaseUrl: string): Promise<StatementLog> {
  const target = new URL(databaseUrl)
  const sockets: Socket[] = []
  let asked: string[] = []
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    sockets.push(client, upstream)
    const read = reader((statement) => asked.push(statement))
    client.on('data', (chunk) => {
      read(chunk)
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => client.write(chunk))
    for (const [here, there] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      here.on('error', () => there.destroy())
      here.on('close', () => there.destroy())
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = String(port)
  url.hostname = '127.0.0.1'
  return {
    url: url.href,
    async taken() {
      for (let before = -1; before !== asked.length; ) {
        before = asked.length
        await setTimeout(QUIET_MS)
      }
      const all = asked
      asked = []
      return all
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const TYPE_BYTES = 1
const LENGTH_BYTES = 4

/** The messages of one connection (PostgreSQL, Frontend/Backend Protocol); the first has no type. */
function reader(tell: (statement: string) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>()
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = true
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const start = isFirst ? 0 : TYPE_BYTES
      if (rest.length < start + LENGTH_BYTES) return
      const end = start + rest.readUInt32BE(start)
      if (rest.length < end) return
      const type = isFirst ? '' : String.fromCharCode(rest[0] ?? 0)
      const body = rest.subarray(start + LENGTH_BYTES, end)
      rest = rest.subarray(end)
      isFirst = false
      const statement = statementIn(type, body, texts)
      if (statement !== null) tell(statement)
    }
  }
}

function statementIn(type: string, body: Buffer, texts: Map<string, string>): string | null {
  const parts = body.toString('latin1').split('\0')
  const [first = '', second = ''] = parts
  if (type === 'P') texts.set(first, second)
  if (type === 'Q') return first
  if (type !== 'B') return null
  // After the names of portal and statement come formats and values, which are compared as they are.
  const values = body.subarray(first.length + second.length + 2)
  return `${texts.get(second) ?? ''} -- ${values.toString('base64')}`
}
