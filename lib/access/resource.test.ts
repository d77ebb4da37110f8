import { describe, expect, test } from 'vitest'
import { orders } from '../../e2e/support/policy'
import type { Api } from './policy'
import { addressOf, apiNamed, audienceOf } from './resource'

const api = (audience: string, subpaths: boolean): Api => ({
  ...orders,
  id: audience,
  audience,
  subpaths,
})

function policyOf(...apis: Api[]) {
  return { apisByAudience: new Map(apis.map((one) => [one.audience, one])) }
}

const policy = policyOf(
  api('https://mcp.test/', true),
  api('https://mcp.test/tenants/7', true),
  api('https://mcp.test/tenants/7/closed', false),
  api('https://mcp.test/slash/', false),
  api('https://exact.test', false),
  api('https://exact.test/mcp', false),
  api('http://local.test:8080/mcp', true),
  api('urn:orders', false),
)

describe('which API a resource names, and the audience of its token (RFC 8707 §2)', () => {
  test.each([
    // The audience itself.
    ['https://exact.test/mcp', 'https://exact.test/mcp', 'https://exact.test/mcp'],
    ['urn:orders', 'urn:orders', 'urn:orders'],
    ['https://mcp.test/', 'https://mcp.test/', 'https://mcp.test/'],
    // An empty path is the same as none (RFC 3986 §6.2.3).
    ['https://exact.test/', 'https://exact.test', 'https://exact.test'],
    ['https://mcp.test', 'https://mcp.test/', 'https://mcp.test/'],
    // Scheme and host in upper case, a default port.
    ['HTTPS://Exact.TEST/mcp', 'https://exact.test/mcp', 'https://exact.test/mcp'],
    ['https://mcp.test:443/a', 'https://mcp.test/', 'https://mcp.test/a'],
    // Below: the longest audience wins, at a boundary of segments.
    ['https://mcp.test/a/b', 'https://mcp.test/', 'https://mcp.test/a/b'],
    ['https://mcp.test/a/b/', 'https://mcp.test/', 'https://mcp.test/a/b/'],
    [
      'https://mcp.test/tenants/7/mcp',
      'https://mcp.test/tenants/7',
      'https://mcp.test/tenants/7/mcp',
    ],
    ['https://mcp.test/tenants/7/', 'https://mcp.test/tenants/7', 'https://mcp.test/tenants/7/'],
    ['https://mcp.test/tenants/77', 'https://mcp.test/', 'https://mcp.test/tenants/77'],
    [
      'https://mcp.test/tenants/7/closed',
      'https://mcp.test/tenants/7/closed',
      'https://mcp.test/tenants/7/closed',
    ],
    [
      'https://mcp.test/tenants/7/closed/x',
      'https://mcp.test/tenants/7',
      'https://mcp.test/tenants/7/closed/x',
    ],
    ['http://local.test:8080/mcp/x', 'http://local.test:8080/mcp', 'http://local.test:8080/mcp/x'],
  ])('%s is of %s, for %s', (resource, id, audience) => {
    const named = apiNamed(policy, resource)
    expect([named?.api.id, named?.audience]).toEqual([id, audience])
  })

  test.each([
    'https://exact.test/other',
    'https://exact.test/mcp/',
    'https://exact.test/mcp/x',
    // The slash at the end makes it no address of the API above.
    'https://mcp.test/tenants/7/closed/',
    'https://mcp.test/slash',
    'http://mcp.test/a',
    'https://mcp.test:8443/a',
    'https://mcp.test.evil/a',
    'https://evil@mcp.test/a',
    'https://mcp.test@evil/a',
    'https://mcp.test\\@evil/a',
    'https://mcp.test\\a',
    'https://mcp.test/a?x=1',
    'https://mcp.test/a#x',
    'https://mcp.test/?x',
    'https://mcp.test/#',
    'https://mcp.test/a/../tenants/7',
    'https://mcp.test/..',
    'https://mcp.test/./a',
    'https://mcp.test/tenants/7/..%2f8',
    'https://mcp.test/%2e%2e/a',
    'https://mcp.test/a%2Fb',
    'https://mcp.test/a%5Cb',
    'https://mcp.test/%61',
    'https://mcp.test//a',
    'https://mcp.test/a//b',
    'https://mcp.test/a b',
    'https://mcp.test/a\n',
    'https://mcp.test/a;x',
    'https://mcp.test/é',
    'https:mcp.test/a',
    'https:///mcp.test/a',
    'ftp://mcp.test/a',
    'mcp.test/a',
    'urn:orders:below',
    '',
    `https://mcp.test/${'a'.repeat(600)}`,
  ])('S1: %s is of none', (resource) => {
    expect(apiNamed(policy, resource)).toBeNull()
  })

  test('the audience of a token: the address that was named, otherwise the API’s own', () => {
    const [root = orders] = [...policy.apisByAudience.values()]
    expect(audienceOf(policy, root, [])).toBe('https://mcp.test/')
    expect(audienceOf(policy, root, ['https://mcp.test/a'])).toBe('https://mcp.test/a')
    expect(audienceOf(policy, root, ['urn:orders'])).toBe('https://mcp.test/')
  })

  test('an audience with a query is no address', () => {
    expect(addressOf('https://mcp.test/?a')).toBeNull()
    expect(addressOf('https://mcp.test')).toEqual({ origin: 'https://mcp.test', path: '' })
  })
})
