import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from './setup.mjs'
import { EVERY_FEATURE, FEATURES, reachedBy } from './test/changed.mjs'

/** `npm test -- --changed`: a table says which tests in process ask a feature. It must not age. */

/** Their tests in process are reached by imports or not at all: pages, texts, and what holds others. */
const WITHOUT_TESTS = [
  'admin',
  'api',
  'browser',
  'docs',
  'i18n',
  'quick-start',
  'store',
  'generated',
]

const foldersOf = (path) =>
  readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
const folders = [...new Set(['lib', 'lib/api', 'lib/store'].flatMap(foldersOf))]
const inProcess = readdirSync(join(ROOT, 'e2e/in-process'), { recursive: true }).filter((name) =>
  name.endsWith('.test.ts'),
)

describe('the table of features', () => {
  test('has every folder whose changes tests in process could find', () => {
    const listed = [...Object.keys(FEATURES), ...EVERY_FEATURE, ...WITHOUT_TESTS]
    expect(folders.filter((name) => !listed.includes(name))).toEqual([])
  })

  test('names no folder that is gone', () => {
    expect(Object.keys(FEATURES).filter((name) => !folders.includes(name))).toEqual([])
  })

  test('leads to every test in process, and from every feature to one', () => {
    const asked = (name) => Object.values(FEATURES).some((pattern) => pattern.test(name))
    expect(inProcess.filter((name) => !asked(name))).toEqual([])
    const empty = Object.entries(FEATURES).filter(
      ([, pattern]) => !inProcess.some((n) => pattern.test(n)),
    )
    expect(empty.map(([feature]) => feature)).toEqual([])
  })
})

describe('a change of', () => {
  test.each([
    ['a route', 'lib/api/users/users.ts', 'lib/api/users/users.test.ts'],
    ['a route', 'lib/api/users/users.ts', 'e2e/in-process/api/users.test.ts'],
    ['what apply calls', 'lib/api/users/users.ts', 'lib/operations/configuration.test.ts'],
    ['a store', 'lib/store/accounts/users.ts', 'lib/api/requests/decide.test.ts'],
    ['a store', 'lib/store/tokens/codes.ts', 'e2e/in-process/token-authorization-code.test.ts'],
    ['what lists read', 'lib/store/accounts/user-search.ts', 'bench/plans.test.ts'],
    ['a helper of tests', 'e2e/support/flow.ts', 'e2e/in-process/pkce.test.ts'],
  ])('%s, %s, runs %s', (_what, file, found) => {
    expect(reachedBy(ROOT, [file]).tests).toContain(found)
  })

  test('a route does not run the tests that only make their users by it', () => {
    const { tests } = reachedBy(ROOT, ['lib/api/users/users.ts'])
    expect(tests).not.toContain('lib/api/requests/asking.test.ts')
    expect(tests).not.toContain('lib/operations/pass.test.ts')
  })

  test('a helper of the browser runs the specs that use it', () => {
    expect(reachedBy(ROOT, ['e2e/support/people.ts']).specs).toContain(
      'e2e/browser/account.spec.ts',
    )
  })
})
