import { describe, expect, test } from 'vitest'
import { isSameOriginPost } from './same-origin'

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
