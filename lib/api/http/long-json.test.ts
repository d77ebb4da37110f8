import { describe, expect, it } from 'vitest'
import { longJson } from './long-json'

describe('longJson', () => {
  it.each([
    {},
    { list: [] },
    { list: [1, 'two', null, undefined, { three: [3, { four: undefined }] }], 'na"me': 'ü\u2028' },
    { missing: undefined, none: null, date: new Date(0), nested: { list: [[1], [2]] } },
    { list: Array.from({ length: 1_000 }, (_, at) => ({ at, text: 'x'.repeat(at) })) },
  ])('writes what JSON.stringify writes', async (body) => {
    expect(await longJson(body)).toBe(JSON.stringify(body))
  })

  it('lets others go on between two entries', async () => {
    let turns = 0
    const busy = { toJSON: () => workFor(15) }
    const counting = setInterval(() => {
      turns += 1
    }, 0)
    await longJson({ list: [busy, busy, busy] })
    clearInterval(counting)
    expect(turns).toBeGreaterThan(0)
  })
})

function workFor(ms: number): number {
  const until = performance.now() + ms
  while (performance.now() < until);
  return ms
}
