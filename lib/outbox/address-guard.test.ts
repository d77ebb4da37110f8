import { describe, expect, test } from 'vitest'
import {
  AddressRefused,
  guardedLookup,
  isPlainlyRefused,
  isPublic,
  resolveAllowed,
} from './address-guard'

const nobody = new Set<string>()

describe('N19: addresses that are not anybody’s to call', () => {
  test.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://[fd00::1]/',
    'https://localhost/',
    'http://93.184.216.34/',
  ])('%s', async (url) => {
    await expect(resolveAllowed(new URL(url), nobody)).rejects.toThrow(AddressRefused)
    expect(isPlainlyRefused(new URL(url), nobody)).toBe(true)
    expect(isPlainlyRefused(new URL(url), new Set([new URL(url).host]))).toBe(false)
  })

  test('a name can only be told when it is called', () => {
    expect(isPlainlyRefused(new URL('https://rp.test/x'), nobody)).toBe(false)
    expect(isPlainlyRefused(new URL('https://app.localhost/x'), nobody)).toBe(true)
  })

  test('a public one is fine, and an operator may allow a private one by host and port', async () => {
    expect(isPublic('93.184.216.34')).toBe(true)
    expect(isPublic('2606:4700::1111')).toBe(true)
    expect(isPublic('not an address')).toBe(false)
    const allowed = new Set(['127.0.0.1:4000'])
    expect(await resolveAllowed(new URL('http://127.0.0.1:4000/x'), allowed)).toEqual({
      address: '127.0.0.1',
      family: 4,
    })
    await expect(resolveAllowed(new URL('http://127.0.0.1:4001/x'), allowed)).rejects.toThrow()
  })
})

test.each([{}, { all: true }, { family: 4 }])(
  'N19: a connection that a library makes, asked with %j, is guarded too',
  async (options) => {
    const lookUp = (hosts: ReadonlySet<string>) =>
      new Promise((resolve) =>
        guardedLookup(hosts)('localhost', options, (error, found) => resolve(error ?? found)),
      )
    expect(await lookUp(new Set())).toBeInstanceOf(AddressRefused)
    expect(await lookUp(new Set(['elsewhere:9']))).toBeInstanceOf(AddressRefused)
    expect(JSON.stringify(await lookUp(new Set(['localhost:9'])))).toMatch(/127\.0\.0\.1|::1/)
  },
)
