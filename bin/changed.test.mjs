import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from './setup.mjs'
import { EVERY_FEATURE, FEATURES } from './test/changed.mjs'

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
