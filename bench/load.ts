import { Agent, request } from 'node:http'

/** So many requests at a time over connections that stay open; every answer must be the expected one. */

export const CONCURRENCY = 16

export type Ask = {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** 200 unless told; `any`: whoever asks looks at it. */
  expect?: number | 'any'
}

/** `cookies`: what it sets, as a browser sends it back. */
export type Answer = { status: number; location: string; cookies: string; body: string }

export type Burst = { answers: Answer[]; latenciesMs: number[]; seconds: number }

export type Send = (ask: Ask) => Promise<Answer>

/** What is done for one ask: several requests, where each needs the answer of the one before. */
export type Visit = (send: Send, ask: Ask) => Promise<Answer>

const askedAlone: Visit = (send, ask) => send(ask)

export type Line = { send(asks: readonly Ask[], visit?: Visit): Promise<Burst>; close(): void }

/** To one port, or round about to several: each has as many connections as one alone would. */
export function lineTo(ports: readonly number[], each = CONCURRENCY): Line {
  const connections = each * ports.length
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    close: () => agent.destroy(),
    async send(asks, visit = askedAlone) {
      const answers: Answer[] = []
      const latenciesMs: number[] = []
      let next = 0
      async function worker(): Promise<void> {
        for (let at = next++; at < asks.length; at = next++) {
          const ask = asks[at]
          const port = ports[at % ports.length]
          if (!ask || port === undefined) return
          const started = performance.now()
          answers[at] = await visit((one) => askOnce(agent, port, one), ask)
          latenciesMs.push(performance.now() - started)
        }
      }
      const started = performance.now()
      await Promise.all(Array.from({ length: connections }, worker))
      return { answers, latenciesMs, seconds: (performance.now() - started) / 1000 }
    },
  }
}

export function askOnce(agent: Agent, port: number, ask: Ask): Promise<Answer> {
  const { method, path, body, expect = 200 } = ask
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const headers = { ...ask.headers, ...length }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port, host: '127.0.0.1', method, path, headers }, (got) => {
      const chunks: Buffer[] = []
      got.on('data', (chunk) => chunks.push(chunk))
      got.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const status = got.statusCode ?? 0
        if (expect !== 'any' && status !== expect)
          reject(new Error(`${method} ${path}: ${status} ${text}`))
        else {
          const cookies = (got.headers['set-cookie'] ?? []).map((one) => one.split(';')[0])
          const { location = '' } = got.headers
          resolve({ status, location, cookies: cookies.join('; '), body: text })
        }
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export function form(path: string, fields: Record<string, string>, headers = {}): Ask {
  const body = new URLSearchParams(fields).toString()
  return { method: 'POST', path, headers: { ...headers, ...FORM }, body }
}

export function get(
  path: string,
  headers: Record<string, string> = {},
  expect: number | 'any' = 200,
): Ask {
  return { method: 'GET', path, headers, expect }
}
