import { describe, expect, test } from 'vitest'
import { callerAddress } from '../base/caller'
import type { Op } from '../context/op'
import type { Config } from '../settings/config'
import { askedHost, isKnownHost, ownOrigins } from './known-host'
import { createHost } from './server'

describe('callerAddress', () => {
  test.each<[string, string | null, string | null, number, string | null]>([
    ['no proxy: the peer, whatever is claimed', '6.6.6.6', '10.0.0.1', 0, '10.0.0.1'],
    ['one proxy: the last entry', '6.6.6.6, 1.2.3.4', '10.0.0.1', 1, '1.2.3.4'],
    ['two proxies: the last but one', '6.6.6.6, 1.2.3.4, 10.0.0.2', '10.0.0.1', 2, '1.2.3.4'],
    ['fewer entries than proxies: the peer', '1.2.3.4', '10.0.0.1', 3, '10.0.0.1'],
    ['garbage: the peer', 'a', '10.0.0.1', 1, '10.0.0.1'],
    ['IPv4 inside IPv6', null, '::ffff:10.0.0.1', 0, '10.0.0.1'],
    ['upper case', null, '2001:DB8::1', 0, '2001:db8::1'],
    ['without a socket and a proxy: nobody vouches', '1.2.3.4', null, 0, null],
    ['without a socket, one proxy', '6.6.6.6, 1.2.3.4', null, 1, '1.2.3.4'],
  ])('M4: %s', (_what, forwardedFor, peer, proxies, expected) => {
    expect(callerAddress(forwardedFor, peer, proxies)).toBe(expected)
  })
})

describe('isKnownHost', () => {
  const settings = (origin: string, hosts: string[] = []) =>
    ({ origin, allowedHosts: new Set(hosts) }) as unknown as Config

  test.each<[boolean, string, string | null]>([
    [true, 'https://id.example.com', 'id.example.com'],
    [true, 'https://id.example.com', 'ID.example.com'],
    [false, 'https://id.example.com', 'evil.example'],
    [false, 'https://id.example.com', 'localhost:3000'],
    [false, 'https://id.example.com', null],
    [false, 'https://id.example.com', ''],
    [true, 'https://id.example.com', 'id.example.com:443'],
    [false, 'https://id.example.com', 'id.example.com:80'],
    [false, 'https://id.example.com', 'evil@id.example.com'],
    [false, 'https://id.example.com', 'id.example.com@evil.example'],
    [true, 'http://localhost:3000', '127.0.0.1:8080'],
    [true, 'http://localhost:3000', '[::1]:3000'],
    [false, 'http://localhost:3000', 'localhost.evil.example'],
    [true, 'https://id.example.com', 'gatehouse.internal:3000'],
  ])('M19: %s for issuer %s and host %s', (expected, origin, host) => {
    expect(isKnownHost(settings(origin, ['gatehouse.internal:3000']), host)).toBe(expected)
  })
})

describe('askedHost', () => {
  test.each<[string, string | null, number, string | null]>([
    ['no proxy: whatever is claimed is noise', 'evil.example', 0, 'inside:3000'],
    ['one proxy that says nothing', null, 1, 'inside:3000'],
    ['one proxy that says an empty name', ' ', 1, 'inside:3000'],
    ['one proxy', 'id.example.com', 1, 'id.example.com'],
    ['one proxy that appends: its own entry', 'evil.example, id.example.com', 1, 'id.example.com'],
    ['two proxies that append', 'evil.example, id.example.com, inner', 2, 'id.example.com'],
    ['two proxies, one of which speaks', 'id.example.com', 2, 'id.example.com'],
  ])('Q16, M19: %s', (_what, forwardedHost, trustedProxies, expected) => {
    const sent = { host: 'inside:3000', 'x-forwarded-host': forwardedHost }
    const headers = { get: (name: string) => new Map(Object.entries(sent)).get(name) ?? null }
    expect(askedHost({ trustedProxies }, headers)).toBe(expected)
  })
})

test.each([
  ['id.example.com', ['https://id.example.com']],
  ['ID.example.com:443', ['https://id.example.com']],
  ['inside:3000', ['https://id.example.com', 'https://inside:3000', 'http://inside:3000']],
])('Q16: pages at %s say one of %j', (host, expected) => {
  const config = { origin: 'https://id.example.com' } as unknown as Config
  expect(ownOrigins(config, host)).toEqual(expected)
})

test('O4: a caller has ten seconds for the headers and thirty for the whole request', () => {
  const { headersTimeout, requestTimeout } = createHost({} as Op, async () => {})
  expect({ headersTimeout, requestTimeout }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
  })
})
