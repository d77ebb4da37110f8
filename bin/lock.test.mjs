import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { missingFrom } from './complete-lock.mjs'

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
const lock = read('package-lock.json')
const manifest = read('package.json')

describe.each(['', 'bench/'])('%spackage.json', (folder) => {
  const ownLock = read(`${folder}package-lock.json`)
  const own = read(`${folder}package.json`)

  test('the lockfile has the packages of every platform (else: node bin/complete-lock.mjs)', () => {
    expect(missingFrom(ownLock)).toEqual([])
  })

  test('every dependency is pinned to one version', () => {
    const all = { ...own.dependencies, ...own.devDependencies, ...own.optionalDependencies }
    for (const [name, version] of Object.entries(all)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+/)
      expect(ownLock.packages[`node_modules/${name}`]?.version, name).toBe(version)
    }
  })
})

test.each([
  ['next', '16.2.6'],
  ['next-auth', '4.24.15'],
])('%s is at or above its security floor %s', (name, floor) => {
  const { version } = lock.packages[`node_modules/${name}`]
  expect(version.localeCompare(floor, 'en', { numeric: true })).toBeGreaterThanOrEqual(0)
})

test('there are few npm scripts: thirteen', () => {
  expect(Object.keys(manifest.scripts).length).toBeLessThanOrEqual(13)
})
