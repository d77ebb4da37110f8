import { expect, test } from 'vitest'
import { poolSize } from './postgres'

test('many workers share about as many connections as a PostgreSQL of its own allows', () => {
  expect([1, 2, 6, 8, 12, 15, 16, 64].map(poolSize)).toEqual([10, 10, 10, 7, 5, 4, 4, 4])
})
