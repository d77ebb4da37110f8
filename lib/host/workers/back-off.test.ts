import { describe, expect, test } from 'vitest'
import { failuresAfter, pauseMs, STEADY_MS } from './back-off'

describe('a worker that ends', () => {
  test('is replaced at once the first time, then after 1, 2, 4 and at most 30 seconds', () => {
    const pauses: number[] = []
    for (let failures = 0, ended = 0; ended < 8; ended += 1) {
      failures = failuresAfter(failures, STEADY_MS - 1)
      pauses.push(pauseMs(failures))
    }
    expect(pauses).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  })

  test('after a minute of service it counts as the first again', () => {
    expect(pauseMs(failuresAfter(7, STEADY_MS))).toBe(0)
  })
})
