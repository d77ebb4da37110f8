import { expect, test } from 'vitest'
import { statementsIn } from './statements'

test('statements are counted, prepared or not; what begins and ends a transaction is none', () => {
  const log = [
    '2026-11-19 12:00:00 UTC [1] LOG:  statement: BEGIN\n',
    '2026-11-19 12:00:00 UTC [1] LOG:  execute <unnamed>: SELECT "id" FROM "User"\n',
    "2026-11-19 12:00:00 UTC [1] DETAIL:  Parameters: $1 = 'LOG'\n",
    '2026-11-19 12:00:00 UTC [1] LOG:  execute s7: UPDATE "Session"\n',
    '2026-11-19 12:00:00 UTC [1] LOG:  statement: COMMIT\n',
  ]
  expect(statementsIn(log)).toBe(2)
})

test('a line that comes in two pieces is one statement', () => {
  expect(statementsIn(['LOG:  exec', 'ute <unnamed>: SELECT 1\n'])).toBe(1)
  expect(statementsIn([])).toBe(0)
})
