import { type ClientRequest, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../support/ask'

/** Many requests that end in the same instant: each waits one byte before its end. */

export type Shot = {
  port: number
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** A server that has read all but the last byte can do nothing but wait. */
const SETTLE_MS = 30
const PATIENCE_MS = 60_000

type Held = { sent: ClientRequest; last: Buffer; answer: Promise<Answer> }

export async function volley(shots: readonly Shot[]): Promise<Answer[]> {
  const held = await Promise.all(shots.map(hold))
  await sleep(SETTLE_MS)
  for (const { sent, last } of held) sent.end(last)
  return Promise.all(held.map(({ answer }) => answer))
}

function hold({ port, path, headers, body }: Shot): Promise<Held> {
  const sent = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path,
    agent: false,
    timeout: PATIENCE_MS,
    headers: { ...headers, 'content-length': String(body.length) },
  })
  const answer = answerOf(sent)
  answer.catch(() => {}) // whoever waits hears of it, after the barrier
  return new Promise((resolve, reject) => {
    sent.once('error', reject)
    sent.write(body.subarray(0, -1), () => resolve({ sent, last: body.subarray(-1), answer }))
  })
}

function answerOf(sent: ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('timeout', () => sent.destroy(new Error('no answer within a minute')))
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
  })
}
