import { expect, test } from 'vitest'
import { fewest } from './shrink'

const HUNDRED = Array.from({ length: 100 }, (_, at) => at)

test.each([[[3]], [[0, 99]], [[17, 18, 60]], [[]]])('what matters stays: %j', async (needed) => {
  const shows = async (some: readonly number[]) => needed.every((one) => some.includes(one))
  expect(await fewest(HUNDRED, shows, 1_000)).toEqual(needed)
})

test('it gives up in time, with something that shows it', async () => {
  let tries = 0
  const shows = async (some: readonly number[]) => {
    tries += 1
    return some.includes(50)
  }
  expect(await fewest(HUNDRED, shows, 3)).toContain(50)
  expect(tries).toBe(3)
})
