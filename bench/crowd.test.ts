import { expect, test } from 'vitest'
import { crowdOf } from './crowd'
import { CROWD_GOAL, verdict } from './goals'

const waits = (most: number) => [...Array(98).fill(1), most, most]

test('the slowest hundredth during a crowd is compared with that of an idle portal', () => {
  const { idle, during, ratio, seconds } = crowdOf(
    [waits(10), waits(10)],
    [waits(25), waits(25)],
    2,
  )
  expect(idle).toEqual({ p50: 1, p99: 10 })
  expect(during).toEqual({ p50: 1, p99: 25 })
  expect(ratio).toEqual({ middle: 2.5, low: 2.5, high: 2.5 })
  expect(seconds).toBe(2)
  expect(verdict(ratio, CROWD_GOAL)).toBe('met')
})

test('rounds that differ leave the goal undecided', () => {
  const { ratio } = crowdOf([waits(10), waits(10)], [waits(20), waits(40)], 2)
  expect(verdict(ratio, CROWD_GOAL)).toBe('missed, within the spread')
})
