import { existsSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { FORM, machineFields } from './ask'
import { type Portal, startPortal } from './portal'

/** A portal of several processes behind one port, and what its clients see of them. */

const LISTENS = 'a worker listens'

/** When all of them answer: `npm start` is ready when the first one does. */
export async function startWorkers(count: number, env: Record<string, string>): Promise<Portal> {
  const many = { WORKERS: String(count), CLIENT_REQUESTS_PER_MINUTE: '1000000' }
  const portal = await startPortal({ args: ['--demo'], env: { ...many, ...env } })
  await said(portal, LISTENS, count - 1)
  return portal
}

export function workersOf({ pid, output }: Portal): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  if (!existsSync(file)) throw new Error(`the portal has ended by itself:\n${output()}`)
  const children = readFileSync(file, 'utf8')
  return children.split(' ').filter(Boolean).map(Number)
}

/** Those that answer: itself, if there are no others. */
export function answeringOf(portal: Portal): number[] {
  return portal.env.WORKERS === '1' ? [portal.pid] : workersOf(portal)
}

/** As when the machine does something to all of its processes. */
export function signalAll(portal: Portal, signal: NodeJS.Signals): void {
  for (const pid of new Set([portal.pid, ...answeringOf(portal)])) process.kill(pid, signal)
}

export type LogLine = { msg: string; pid: number; requestId?: string; [name: string]: unknown }

export function logLines(portal: Portal): LogLine[] {
  const lines = portal.output().split('\n')
  return lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
}

const SAID_MS = 120_000

/** Waits until the log has so many lines with these words; gives them. */
export async function said(portal: Portal, words: string, count = 1): Promise<LogLine[]> {
  for (const deadline = Date.now() + SAID_MS; Date.now() < deadline; await sleep(50)) {
    const found = logLines(portal).filter(({ msg }) => msg.includes(words))
    if (found.length >= count) return found
  }
  throw new Error(`never said "${words}" ${count} times:\n${portal.output()}`)
}

export type WorkerAnswer = { status: number; requestId: string; closes: boolean; body: string }

/** One connection that stays open, or a new one for each request. */
export type Client = {
  token(): Promise<WorkerAnswer>
  send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<WorkerAnswer>
  close(): void
}

export function clientOf(portal: Portal, keepAlive: boolean): Client {
  const agent = new Agent({ keepAlive, maxSockets: 1 })
  const port = Number(portal.env.PORT)
  const fields = new URLSearchParams(machineFields(portal)).toString()
  const send: Client['send'] = (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const to = { host: '127.0.0.1', port, method, path, agent }
      const own = { host: `localhost:${port}`, ...headers }
      const sent = request({ ...to, headers: own }, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            requestId: String(response.headers['x-request-id']),
            closes: response.headers.connection === 'close',
            body: text,
          }),
        )
      })
      sent.on('error', reject)
      sent.end(body)
    })
  return {
    send,
    token: () => send('POST', '/oidc/token', FORM, fields),
    close: () => agent.destroy(),
  }
}

export type Load = {
  /** Resolves when so many more requests have been answered. */
  answers(count: number): Promise<void>
  stop(): Promise<{ answered: number; lost: string[] }>
}

/** Clients that ask for tokens one after the other; a request that gets no 200 is lost. */
export function startLoad(portal: Portal, kept: number, fresh: number): Load {
  const clients = [
    ...Array.from({ length: kept }, () => clientOf(portal, true)),
    ...Array.from({ length: fresh }, () => clientOf(portal, false)),
  ]
  const lost: string[] = []
  let answered = 0
  let stopped = false
  const running = clients.map(async ({ token, close }, at) => {
    while (!stopped) {
      const problem = await token().then(({ status }) => (status === 200 ? null : status), String)
      if (problem === null) answered += 1
      else lost.push(`${at < kept ? 'kept' : 'new'} connection: ${problem}`)
      await sleep(5)
    }
    close()
  })
  return {
    async answers(count) {
      const wanted = answered + count
      // Lost requests are counted in the end; without any answer the time limit of the test ends it.
      while (answered < wanted && lost.length < count) await sleep(5)
    },
    async stop() {
      stopped = true
      await Promise.all(running)
      return { answered, lost }
    },
  }
}
