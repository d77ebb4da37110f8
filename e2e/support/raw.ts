import { connect } from 'node:net'
import type { AnyPortal } from './portal'

/** Sends these bytes to a built portal; gives what comes back until the connection ends. */
export function sendRaw({ origin }: Pick<AnyPortal, 'origin'>, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
    socket.write(text)
  })
}
