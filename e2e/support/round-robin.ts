import { createServer, request } from 'node:http'

/** The proxy in front of several instances: each request goes to the next one, whoever sent it. */

export type RoundRobin = { close(): void }

export async function startRoundRobin(port: number, targets: string[]): Promise<RoundRobin> {
  let turn = 0
  const server = createServer((incoming, answer) => {
    turn += 1
    const { hostname, port: behind } = new URL(targets[turn % targets.length] ?? '')
    const { method, url: path, headers, socket } = incoming
    // As every proxy does; TRUSTED_PROXIES=1 believes this entry.
    const forwarded = [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ')
    const sent = request(
      {
        hostname,
        port: behind,
        method,
        path,
        headers: { ...headers, 'x-forwarded-for': forwarded },
      },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
        reply.pipe(answer)
      },
    )
    sent.on('error', () => answer.destroy())
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return {
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
