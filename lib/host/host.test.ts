import { describe, expect, test } from 'vitest'
import type { Config } from '../config'
import { callerAddress } from './caller'
import { isKnownHost } from './known-host'

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

  test.each<[boolean, string, string | undefined]>([
    [true, 'https://id.example.com', 'id.example.com'],
    [true, 'https://id.example.com', 'ID.example.com'],
    [false, 'https://id.example.com', 'evil.example'],
    [false, 'https://id.example.com', 'localhost:3000'],
    [false, 'https://id.example.com', undefined],
    [false, 'https://id.example.com', 'id.example.com@evil.example'],
    [true, 'http://localhost:3000', '127.0.0.1:8080'],
    [true, 'http://localhost:3000', '[::1]:3000'],
    [false, 'http://localhost:3000', 'localhost.evil.example'],
    [true, 'https://id.example.com', 'gatehouse.internal:3000'],
  ])('M19: %s for issuer %s and host %s', (expected, origin, host) => {
    expect(isKnownHost(settings(origin, ['gatehouse.internal:3000']), host)).toBe(expected)
  })
})
