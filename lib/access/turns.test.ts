import { afterEach, describe, expect, test, vi } from 'vitest'
import { takingTurns } from './turns'

/** Work of these lengths, in milliseconds: after which pieces do others get their turn? */
async function pausesAfter(pieces: readonly number[]): Promise<number[]> {
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  const turn = takingTurns()
  const paused: number[] = []
  for (const [at, ms] of pieces.entries()) {
    clock += ms
    const pause = turn()
    if (pause) paused.push(at)
    await pause
  }
  return paused
}

describe('taking turns', () => {
  afterEach(() => vi.restoreAllMocks())

  test('short pieces share a turn of ten milliseconds', async () => {
    expect(await pausesAfter(Array(20).fill(1))).toEqual([8, 17])
  })

  test('a piece has a turn of its own if two of them would be too long for one', async () => {
    expect(await pausesAfter([6, 6, 6])).toEqual([0, 1, 2])
  })

  test('one long piece among short ones causes one pause', async () => {
    expect(await pausesAfter([1, 30, 1, 1, 1])).toEqual([1])
  })
})
