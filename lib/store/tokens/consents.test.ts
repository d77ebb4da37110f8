import { expect, test } from 'vitest'
import { toAnswers } from './consents'

test('T1: of a paused application nothing is granted, and what was refused stays refused', () => {
  const rows = (pausedAt: Date | null) => [
    { scope: 'orders:read', granted: true, pausedAt },
    { scope: 'orders:write', granted: false, pausedAt },
  ]
  expect([...toAnswers(rows(null))]).toEqual([
    ['orders:read', true],
    ['orders:write', false],
  ])
  expect([...toAnswers(rows(new Date()))]).toEqual([['orders:write', false]])
})
