import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { freePort } from '../../support/postgres'

/** An application that wants to hear of logouts, and remembers each. */

export type LogoutReceiver = {
  host: string
  uri: string
  /** The `jti` of every logout token of this session, once there is one. */
  told(sid: string): Promise<string[]>
  close(): void
}

/** Longer than a message is locked for by a process that died with it. */
const DELIVERED_WITHIN_MS = 60_000
const LOOK_MS = 200

export async function listenForLogouts(): Promise<LogoutReceiver> {
  const heard: { sid: string; jti: string }[] = []
  const host = `localhost:${await freePort()}`
  const server = createServer(async (incoming, answer) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    const { sid, jti } = decodeJwt(new URLSearchParams(body).get('logout_token') ?? '')
    heard.push({ sid: String(sid), jti: String(jti) })
    answer.writeHead(200).end()
  })
  await new Promise<void>((resolve) =>
    server.listen(Number(new URL(`http://${host}`).port), 'localhost', resolve),
  )
  return {
    host,
    uri: `http://${host}/`,
    async told(sid) {
      const deadline = Date.now() + DELIVERED_WITHIN_MS
      const of = () => heard.filter((one) => one.sid === sid).map(({ jti }) => jti)
      while (of().length === 0 && Date.now() < deadline) await sleep(LOOK_MS)
      return of()
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
