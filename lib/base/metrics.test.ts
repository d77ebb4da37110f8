import { describe, expect, test } from 'vitest'
import { createMetrics, sumOfGone } from './metrics'

const CACHE = { entries: 3, bytes: 3_000, reads: 2 }

function lineOf(text: string, name: string): string | undefined {
  return text.split('\n').find((line) => line.startsWith(`${name} `))
}

describe('metrics of several workers', () => {
  test('counters, histograms and sizes are summed, whoever is asked', async () => {
    const workers = [createMetrics(() => CACHE), createMetrics(() => CACHE)]
    const gather = () => Promise.all(workers.map((worker) => worker.readings()))
    for (const [at, worker] of workers.entries()) {
      worker.gatherBy(gather)
      for (let asked = 0; asked <= at; asked += 1) {
        worker.tokenIssued('client_credentials')
        worker.requestAnswered('token', 200, 0.002)
      }
    }
    for (const worker of workers) {
      const text = await worker.expose()
      const value = (name: string) => lineOf(text, name)?.split(' ').at(-1)
      expect(value('gatehouse_tokens_total{grant_type="client_credentials"}')).toBe('3')
      expect(value('gatehouse_request_seconds_bucket{le="0.0025",endpoint="token"}')).toBe('3')
      expect(value('gatehouse_request_seconds_count{endpoint="token"}')).toBe('3')
      expect(value('gatehouse_workers')).toBe('2')
      expect(value('gatehouse_worker_restarts_total')).toBe('0')
      expect(Number(value('process_resident_memory_bytes'))).toBeGreaterThan(
        process.memoryUsage.rss(),
      )
    }
  })

  test('one that is gone leaves its counts behind, and no memory', async () => {
    const gone = createMetrics(() => CACHE)
    gone.login('success')
    const left = await sumOfGone([await gone.readings(), await gone.readings()])
    const here = createMetrics(() => CACHE)
    here.gatherBy(async () => [await here.readings(), left])
    const text = await here.expose()
    expect(lineOf(text, 'gatehouse_logins_total{result="success"}')).toMatch(/ 2$/)
    expect(lineOf(text, 'gatehouse_workers')).toMatch(/ 1$/)
  })
})
