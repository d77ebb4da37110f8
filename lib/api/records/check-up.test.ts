import { expect, test } from 'vitest'
import { answered } from './check-up'
import { FINDINGS } from './findings'

/** Advice that fits the database: a file cannot be moved closer. */
test.each([
  ['sqlite', 3, 'database_quick'],
  ['sqlite', 400, 'file_slow'],
  ['postgres', 3, 'database_quick'],
  ['postgres', 400, 'database_slow'],
] as const)('%s that answers after %i ms', (kind, ms, code) => {
  expect(answered(kind, ms).code).toBe(code)
  expect(FINDINGS[code][1]).toBe(ms > 250 ? 'warn' : 'ok')
})
