import { describe, expect, test } from 'vitest'
import type { Repeat, Suspicion } from '../stores'
import { type Circumstances, suspicionOf } from './repeats'

const once: Repeat = { generation: 7, times: 1, usedFrom: 'home', repeatedNear: [7] }
const inTime: Circumstances = { late: false, from: 'home' }

type Row = [string, Partial<Repeat>, Partial<Circumstances>, Suspicion | null]

describe('a used refresh token that comes again', () => {
  test.each<Row>([
    ['an answer was lost', {}, {}, null],
    ['and again', { times: 2 }, {}, null],
    ['three times', { times: 3 }, {}, null],
    ['four times', { times: 4 }, {}, 'again_and_again'],
    ['from another network', {}, { from: 'elsewhere' }, 'another_network'],
    ['from nobody knows where', {}, { from: null }, null],
    ['after a first use from nobody knows where', { usedFrom: null }, {}, null],
    ['too late', {}, { late: true }, 'late'],
    ['too late and from another network', {}, { late: true, from: 'elsewhere' }, 'late'],
    ['as the one before it was', { repeatedNear: [6, 7] }, {}, null],
    ['as the two before it were', { repeatedNear: [5, 6, 7] }, {}, 'cycle_after_cycle'],
    ['as the ones around it were', { repeatedNear: [6, 7, 8] }, {}, 'cycle_after_cycle'],
    ['as the two after it were', { repeatedNear: [7, 8, 9] }, {}, 'cycle_after_cycle'],
    ['as others near it were', { repeatedNear: [5, 7, 8] }, {}, null],
  ])('%s', (_what, repeat, circumstances, expected) => {
    expect(suspicionOf({ ...once, ...repeat }, { ...inTime, ...circumstances })).toBe(expected)
  })
})
