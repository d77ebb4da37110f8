import { describe, expect, test } from 'vitest'
import type { Application } from './client'
import {
  type AddressFault,
  differenceOf,
  isPlainHttps,
  isPlainLoopback,
  originFault,
  originsOf,
  redirectFault,
} from './redirect-uri'

type Row = [uri: string, kind: Application['kind'], fault: AddressFault | null]

describe('redirectFault (RFC 9700 §2.1, RFC 8252 §7)', () => {
  test.each<Row>([
    ['https://rp.test/cb', 'web', null],
    ['https://rp.test', 'web', null],
    ['https://rp.test/cb?a=1', 'web', null],
    ['https://rp.test:8443/cb', 'spa', null],
    ['http://localhost:3000/cb', 'web', null],
    ['http://127.0.0.1/cb', 'native', null],
    ['http://[::1]/cb', 'native', null],
    ['com.example.app:/cb', 'native', null],
    ['com.example.app:/cb', 'web', 'insecure'],
    ['com.example.app:/cb', 'spa', 'insecure'],
    ['myapp:/cb', 'native', 'scheme'],
    ['http://rp.test/cb', 'web', 'insecure'],
    ['http://localhost.rp.test/cb', 'web', 'insecure'],
    ['http://127.0.0.1.rp.test/cb', 'native', 'insecure'],
    ['http://127.0.0.2/cb', 'native', 'insecure'],
    ['javascript:alert(1)', 'native', 'scheme'],
    ['data:text/html,x', 'web', 'insecure'],
    ['https:/rp.test/cb', 'web', 'insecure'],
    ['https://*.rp.test/cb', 'web', 'wildcard'],
    ['https://rp.test/*', 'web', 'wildcard'],
    ['https://rp.test/cb#x', 'web', 'fragment'],
    ['https://rp.test/cb#', 'web', 'fragment'],
    ['https://rp.test/c b', 'web', 'characters'],
    ['https://rp.test/\ncb', 'web', 'characters'],
    ['https://rp.test\\cb', 'web', 'characters'],
    ['https://rp.tést/cb', 'web', 'characters'],
    ['/cb', 'web', 'characters'],
    ['', 'web', 'characters'],
    ['https://rp.test:65536/cb', 'web', 'characters'],
    ['com.example.app://[::1/cb', 'native', 'characters'],
    ['https://user@rp.test/cb', 'web', 'credentials'],
    ['https://user:pass@rp.test/cb', 'web', 'credentials'],
    ['com.example.app://user@x/cb', 'native', 'credentials'],
    ['http://user@localhost/cb', 'web', 'credentials'],
    [`https://rp.test/${'x'.repeat(1_484)}`, 'web', null],
    [`https://rp.test/${'x'.repeat(1_485)}`, 'web', 'long'],
  ])('%s of a %s application: %s', (uri, kind, fault) => {
    expect(redirectFault(uri, kind)).toBe(fault)
  })
})

describe('originFault (RFC 6454 §6.2)', () => {
  test.each<[string, AddressFault | null]>([
    ['https://rp.test', null],
    ['https://rp.test:8443', null],
    ['http://localhost:3000', null],
    ['http://127.0.0.1:3000', null],
    ['https://rp.test/', 'origin'],
    ['https://rp.test/cb', 'origin'],
    ['https://rp.test:443', 'origin'],
    ['https://RP.test', 'origin'],
    ['http://rp.test', 'origin'],
    ['null', 'origin'],
    ['*', 'origin'],
    ['', 'origin'],
  ])('%s: %s', (origin, fault) => expect(originFault(origin)).toBe(fault))
})

describe('addresses that we call or show', () => {
  test.each<[string, boolean, boolean]>([
    ['https://rp.test/jwks', true, false],
    ['http://localhost:3000/jwks', false, true],
    ['http://127.0.0.1:3000/jwks', false, true],
    ['http://[::1]:3000/jwks', false, true],
    ['http://rp.test/jwks', false, false],
    ['https://user@rp.test/jwks', false, false],
    ['https://rp.test/jwks#x', false, false],
    ['https://rp.test/j wks', false, false],
    ['http://localhost:65536/jwks', false, false],
    [`https://rp.test/${'x'.repeat(1_500)}`, false, false],
  ])('%s: https %s, loopback %s', (uri, https, loopback) => {
    expect(isPlainHttps(uri)).toBe(https)
    expect(isPlainLoopback(uri)).toBe(loopback)
  })
})

describe('originsOf', () => {
  test.each<[string[], string[]]>([
    [['https://a.example/cb', 'https://a.example/silent?x=1'], ['https://a.example']],
    [['https://a.example:8443/cb'], ['https://a.example:8443']],
    [['https://A.example:443/cb'], ['https://a.example']],
    [
      ['http://localhost:5173/', 'http://127.0.0.1/cb'],
      ['http://localhost:5173', 'http://127.0.0.1'],
    ],
    [['com.example.app:/cb', 'com.example.app://host/cb'], []],
    [['http://a.example/cb', 'data:text/html,x', 'blob:https://a.example/1', 'not a URL'], []],
  ])('D28: of %j: %j', (uris, origins) => {
    expect(originsOf(uris)).toEqual(origins)
  })
})

describe('differenceOf', () => {
  test.each<[string, string, ReturnType<typeof differenceOf>]>([
    ['https://a.test', 'https://a.test/', { at: 14, extra: '', lacking: '/', kind: 'lacking' }],
    ['https://a.test/cb/', 'https://a.test/cb', { at: 17, extra: '/', lacking: '', kind: 'extra' }],
    ['http://a.test/cb', 'https://a.test/cb', { at: 4, extra: '', lacking: 's', kind: 'lacking' }],
    ['https://a.test/cB', 'https://a.test/cb', { at: 16, extra: 'B', lacking: 'b', kind: 'other' }],
    ['aa', 'a', { at: 1, extra: 'a', lacking: '', kind: 'extra' }],
    ['', 'a', { at: 0, extra: '', lacking: 'a', kind: 'lacking' }],
  ])('L15: %j instead of %j', (given, registered, told) => {
    expect(differenceOf(given, registered)).toEqual(told)
  })
})
