import { describe, expect, test } from 'vitest'
import type { Suspicion } from '../stores'
import { suspicionOf } from './repeats'

const inTime = { late: false, from: 'home', usedFrom: 'home' }

type Row = [string, Partial<typeof inTime> | object, Suspicion | null]

describe('a used refresh token that comes again', () => {
  test.each<Row>([
    ['from the same network, in time', {}, null],
    ['from another network', { from: 'elsewhere' }, 'another_network'],
    ['from nobody knows where', { from: null }, null],
    ['after a first use from nobody knows where', { usedFrom: null }, null],
    ['too late', { late: true }, 'late'],
    ['too late, from nobody knows where', { late: true, from: null }, 'late'],
    ['too late and from another network', { late: true, from: 'elsewhere' }, 'late'],
  ])('%s', (_what, circumstances, expected) => {
    expect(suspicionOf({ ...inTime, ...circumstances })).toBe(expected)
  })
})
