import { describe, expect, test } from 'vitest'
import { isForeignChange, isSameOriginPost } from './same-origin'

const own = 'https://id.test'

describe('isSameOriginPost', () => {
  test.each([
    ['same-origin', own, true],
    ['same-origin', 'null', true],
    ['same-site', own, false],
    ['cross-site', 'https://evil.test', false],
    ['cross-site', 'null', false],
    ['none', null, false],
    [null, own, true],
    [null, 'null', false],
    [null, 'https://evil.test', false],
    [null, 'https://id.test.evil.test', false],
    [null, null, false],
  ])('Sec-Fetch-Site %s, Origin %s: %s', (secFetchSite, origin, expected) => {
    expect(isSameOriginPost({ secFetchSite, origin }, own)).toBe(expected)
  })
})

describe('Q16, M13: isForeignChange', () => {
  const inside = 'http://inside:3000'
  const asked = (method: string, secFetchSite: string | null, origin: string | null) => {
    const sent = new Map([
      ['sec-fetch-site', secFetchSite],
      ['origin', origin],
    ])
    const headers = { get: (name: string) => sent.get(name) ?? null }
    return isForeignChange({ method, headers }, [own, inside])
  }

  test.each<[string | null, string | null, boolean]>([
    ['same-origin', own, false],
    ['same-origin', inside, false],
    ['same-origin', 'null', false],
    ['same-origin', null, false],
    ['same-origin', 'https://evil.test', true],
    ['same-site', own, true],
    ['cross-site', null, true],
    ['cross-site', own, true],
    ['none', null, true],
    ['', own, true],
    [null, own, false],
    [null, inside, false],
    [null, 'http://id.test', true],
    [null, 'https://ID.test', true],
    [null, 'null', true],
    [null, null, true],
  ])('Sec-Fetch-Site %s, Origin %s: %s', (secFetchSite, origin, expected) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'post', 'PROPFIND']) {
      expect(asked(method, secFetchSite, origin)).toBe(expected)
    }
  })

  test('who only reads may come from anywhere', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      expect(asked(method, 'cross-site', 'https://evil.test')).toBe(false)
    }
  })
})
