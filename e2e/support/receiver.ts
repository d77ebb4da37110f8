import { createServer } from 'node:http'
import { freePort } from './postgres'

/** An application that is told of logouts, or a service that is told of events. */

export type Receiver = {
  port: number
  bodies: string[]
  status: number
  /** Nobody is answered until what it gives is called. */
  hold(): () => void
  close(): void
}

/** On any port, unless told. */
export async function startReceiver(wanted?: number): Promise<Receiver> {
  const port = wanted ?? (await freePort())
  let held: Promise<void> = Promise.resolve()
  const hold = () => {
    let release = () => {}
    held = new Promise((resolve) => {
      release = resolve
    })
    return release
  }
  const receiver: Receiver = { port, bodies: [], status: 200, hold, close: () => server.close() }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    receiver.bodies.push(body)
    await held
    response
      .writeHead(receiver.status, receiver.status === 302 ? { location: '/elsewhere' } : {})
      .end()
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return receiver
}
