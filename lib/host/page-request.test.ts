import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { config as proxyConfig } from '../../proxy'
import { PATH_HEADER } from '../base/page-headers'
import type { Config } from '../settings/config'
import { PREPARED, preparePage } from './page-request'

const config = { origin: 'https://id.example.com' } as unknown as Config

type Seen = { prepared: boolean; listed: string[]; headers: IncomingMessage['headers'] }

/** What Next.js would be given. */
const server = createServer((request, response) => {
  preparePage(config, request, response)
  const { headers } = request
  const prepared = headers[PREPARED] !== undefined
  response.end(JSON.stringify({ prepared, listed: Object.keys(headers), headers }))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.close()
})

/** The bytes as they are: no client would send some of these. */
function send(path: string, lines: readonly string[] = [], method = 'GET') {
  const head = [`${method} ${path} HTTP/1.1`, 'Host: id.example.com', ...lines, 'Connection: close']
  return new Promise<{ seen: Seen; head: string }>((resolve, reject) => {
    let text = ''
    const { port } = server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n`))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('end', () => {
      const [answered = '', ...body] = text.split('\r\n\r\n')
      const json = body
        .join('')
        .replace(/^[^{]*/, '')
        .replace(/[^}]*$/, '')
      resolve({ seen: JSON.parse(json), head: answered.toLowerCase() })
    })
  })
}

test('proxy.ts leaves out what is prepared, and nothing else', () => {
  expect(proxyConfig.matcher).toEqual([
    { source: expect.any(String), missing: [{ type: 'header', key: PREPARED }] },
  ])
})

describe('a plain page', () => {
  test.each([
    ['/', '/'],
    ['/login', '/login'],
    ['/admin/users/usr_1-a', '/admin/users/usr_1-a'],
    ['/login?returnTo=%2Fa%20b&c', '/login?returnTo=%2Fa+b&c='],
    ['/login?', '/login'],
  ])('%s is prepared', async (url, path) => {
    const { seen, head } = await send(url, ['X-Forwarded-Host: evil.example'])
    expect(seen.prepared).toBe(true)
    expect(seen.headers[PATH_HEADER]).toBe(path)
    expect(seen.headers).not.toHaveProperty('x-forwarded-host')
    const [, policy] = /content-security-policy: (.+)/.exec(head) ?? []
    expect(policy).toMatch(/'nonce-[^']{24}'/)
    expect(String(seen.headers['content-security-policy']).toLowerCase()).toBe(policy)
    // Whatever copies the headers of a request leaves it.
    expect(seen.listed).not.toContain(PREPARED)
  })

  test('with a form that a page without scripts sends has the origin of the portal', async () => {
    const { seen } = await send('/login', ['Origin: null', 'Content-Length: 0'], 'POST')
    expect(seen.headers).toMatchObject({
      origin: config.origin,
      'x-forwarded-host': 'id.example.com',
    })
  })
})

describe('M20: what Next.js may read otherwise goes through proxy.ts', () => {
  test.each([
    '/account/',
    '/account.rsc',
    '/account.segments/_tree.segment.rsc',
    '/%61ccount',
    '//account',
    '/login/../account',
    '/_next/data/x/account.json',
    '/_next/image',
    '/account?_rsc=1',
    '/account?a&nxtPuser=x',
  ])('%s', async (path) => {
    const { seen, head } = await send(path)
    expect([seen.prepared, head.includes('content-security-policy')]).toEqual([false, false])
  })

  test.each([
    'RSC: 1',
    'Next-Router-Prefetch: 1',
    'Next-Router-State-Tree: x',
    'Next-Action: x',
    'Next-Resume: 1',
    'X-Middleware-Subrequest: proxy:proxy',
    'X-Middleware-Next: 1',
    'X-Nextjs-Data: 1',
    'X-Now-Route-Matches: x',
    'X-Matched-Path: /account',
    'X-Invoke-Path: /account',
  ])('a request with %s', async (line) => {
    expect((await send('/account', [line])).seen.prepared).toBe(false)
  })

  test.each([`${PREPARED}: 1`, `${PREPARED.toUpperCase()}: 1`, 'prepared: by-host: 1'])(
    'no request can say that it is prepared: %s',
    async (line) => {
      expect((await send('/account/', [line])).seen.prepared).toBe(false)
    },
  )
})

test('a file needs no headers of a page, and no proxy.ts', async () => {
  const { seen, head } = await send('/favicon.svg')
  expect([seen.prepared, head.includes('content-security-policy')]).toEqual([true, false])
  expect(seen.headers).not.toHaveProperty(PATH_HEADER)
})
