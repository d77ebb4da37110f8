import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../e2e/support/folder'
import { writeMmdb } from '../../e2e/support/mmdb'
import { ConfigError } from './config'
import { placesIn } from './places'

const path = join(temporaryFolder(), 'places.mmdb')
const ZURICH = {
  city: { names: { en: 'Zürich', 'zh-CN': '苏黎世' } },
  country: { names: { en: 'Switzerland' } },
}

afterEach(() => vi.restoreAllMocks())

test('a place by city and country, in the language of the reader where there is a name', () => {
  writeMmdb(path, 192, ZURICH)
  const places = placesIn(path)
  expect(places.of('192.0.2.7', 'en')).toBe('Zürich, Switzerland')
  expect(places.of('192.0.2.7', 'zh-Hans')).toBe('苏黎世, Switzerland')
  expect(places.of('203.0.113.1', 'en')).toBeNull()
  expect(places.of(null, 'en')).toBeNull()
  expect(places.of('not an address', 'en')).toBeNull()
  expect(places.of('2001:db8::1', 'en')).toBeNull()
})

test('a file that is replaced is read again; one that is broken is not used', () => {
  writeMmdb(path, 192, ZURICH)
  const places = placesIn(path)
  let minutes = 0
  const start = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => start + minutes * 60_001)
  const replace = (write: () => void) => {
    write()
    minutes += 2
    utimesSync(path, minutes, minutes)
  }
  replace(() => writeMmdb(path, 192, { country: { names: { en: 'France' } } }))
  expect(places.of('192.0.2.7', 'en')).toBe('France')
  replace(() => writeFileSync(path, 'broken'))
  expect(places.of('192.0.2.7', 'en')).toBe('France')
})

test('a damaged record is a place that is not known', () => {
  writeMmdb(path, 192, ZURICH)
  const bytes = readFileSync(path)
  bytes.fill(0xff, bytes.indexOf('city') - 1, bytes.indexOf('Switzerland'))
  writeFileSync(path, bytes)
  expect(placesIn(path).of('192.0.2.7', 'en')).toBeNull()
})

test('without a file no place is known; a file that is not there is said at the start', () => {
  expect(placesIn(null).of('192.0.2.7', 'en')).toBeNull()
  expect(() => placesIn('/nowhere/places.mmdb')).toThrow(ConfigError)
})
