import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operations, openOperations } from '../../e2e/support/operations'
import { sendRaw } from '../../e2e/support/raw'
import { createHost } from './server'

describe('M19: a request that names another host than the one it came to', () => {
  let portal: Operations
  let running: ReturnType<typeof createHost>
  let origin = ''

  beforeAll(async () => {
    portal = await openOperations('sqlite')
    // As Next.js does: it sends whoever names a whole address to that host.
    running = createHost(portal.op, async (request, response) => {
      response.writeHead(308, { Location: request.url ?? '' }).end()
    })
    await new Promise<void>((resolve) => running.listen(0, '127.0.0.1', resolve))
    origin = `http://localhost:${(running.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    running.close()
    running.closeAllConnections()
    await portal.close()
  })

  test.each([
    ['a whole address', 'GET http://evil.example/login HTTP/1.1', ['Host: localhost']],
    [
      'a whole address of an endpoint',
      'GET http://evil.example/healthz HTTP/1.1',
      ['Host: localhost'],
    ],
    ['an address without a scheme', 'GET evil.example/login HTTP/1.1', ['Host: localhost']],
    ['no path at all', 'OPTIONS * HTTP/1.1', ['Host: localhost']],
    ['two hosts', 'GET /login HTTP/1.1', ['Host: localhost', 'Host: evil.example']],
    ['two hosts at an endpoint', 'GET /healthz HTTP/1.1', ['Host: localhost', 'hOST: localhost']],
    ['no host', 'GET /login HTTP/1.1', []],
  ])('%s is 400', async (_what, line, headers) => {
    const text = [line, ...headers, 'Connection: close', '', ''].join('\r\n')
    const answer = await sendRaw({ origin }, text)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).not.toMatch(/^Location:/im)
  })

  test('it is a problem document, with the request ID, and ends the connection', async () => {
    const answer = await sendRaw({ origin }, 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(/^Content-Type: application\/problem\+json$/im)
    expect(head).toMatch(/^Connection: close$/im)
    const problem = JSON.parse(body)
    expect(problem).toMatchObject({ code: 'malformed', status: 400 })
    expect(head).toContain(problem.requestId)
  })

  test('a path is answered', async () => {
    const get = (path: string) =>
      sendRaw({ origin }, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    expect(await get('/healthz')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await get('/login')).toMatch(/^HTTP\/1\.1 308 /)
  })
})
