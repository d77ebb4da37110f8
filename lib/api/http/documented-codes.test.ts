import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CHECK_REFUSALS } from '../../access/check'
import { REFUSALS } from '../../access/decide-scopes'
import { ERROR_STATUS } from '../../oidc/error-words'
import { PROBLEMS } from './problem'

/** Each code that an answer may carry has a heading in docs/errors.md, which says what to do. */

const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((part) => [part.split('\n')[0] ?? '', part]),
)
const statuses = Object.entries(PROBLEMS).map(([code, [status]]) => [code, status] as const)
const codes = [
  ...REFUSALS,
  ...CHECK_REFUSALS,
  ...Object.keys(PROBLEMS),
  ...Object.keys(ERROR_STATUS),
]

test.each([...new Set(codes)])('%s has a heading, and the text says what to do', (code) => {
  expect(sections.get(code)).toContain('*What to do:*')
})

test('every heading is a code that exists', () => {
  expect([...sections.keys()].filter((code) => !codes.includes(code))).toEqual([])
})

test('the reasons stand in the order of the rules', () => {
  const inPage = [...sections.keys()].filter((code) => REFUSALS.some((one) => one === code))
  expect(inPage).toEqual([...REFUSALS])
})

test.each(statuses)('%s has the status %i', (code, status) => {
  expect(sections.get(code)).toContain(`**${status}.**`)
})
