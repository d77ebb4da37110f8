import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../e2e/support/databases'
import { type Operations, openOperations } from '../../e2e/support/operations'
import { requestContext } from '../base/request-context'
import { StoreUnavailable } from '../store/database/unavailable'
import { createHost, type PageHandler } from './server'

/**
 * What Next.js answers when a page or an action throws, as it does: 500 with `error.tsx` for a page,
 * 500 with bare words for a form without scripts, 500 with parts of a page for a form with scripts.
 */

const AWAY = new Error('an admin page could not be read', {
  cause: new StoreUnavailable('the database cannot be reached'),
})
const ERRORS: Record<string, Error> = { away: AWAY, ours: new TypeError('ours') }

const failing: PageHandler = async (request, response) => {
  const [, what = '', how = ''] = (request.url ?? '').split('/')
  const error = ERRORS[what]
  // Where a page is streamed, the error is told of later than its first bytes are written.
  const tell = () => error && requestContext().getStore()?.faulted?.(error)
  if (how === 'early') tell()
  response.statusCode = error ? 500 : 200
  response.setHeader(
    'Content-Type',
    request.headers['next-action'] ? 'text/x-component' : 'text/html',
  )
  response.setHeader('Content-Encoding', 'identity')
  if (how === 'streamed') {
    response.flushHeaders()
    response.write('Internal ')
    setImmediate(tell)
    setImmediate(() => response.end('Server Error'))
  } else response.end('Internal Server Error')
}

describe.each(usually('sqlite'))('O7: a page that throws, on %s', (kind) => {
  let portal: Operations
  let base = ''
  const server = () => createHost(portal.op, failing)
  let running: ReturnType<typeof server>

  beforeAll(async () => {
    portal = await openOperations(kind)
    running = server()
    await new Promise<void>((resolve) => running.listen(0, '127.0.0.1', resolve))
    const { port } = running.address() as AddressInfo
    base = `http://localhost:${port}`
  })
  afterAll(async () => {
    running.close()
    running.closeAllConnections()
    await portal.close()
  })

  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const sent = method === 'POST' ? { origin: portal.op.origin, ...headers } : headers
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { accept: 'text/html', ...sent },
      ...(method === 'POST' && { body: new URLSearchParams({ a: 'b' }) }),
    })
    const { status, headers: answered } = response
    const found = [status, answered.get('retry-after'), answered.get('content-type')?.split(';')[0]]
    return { found, body: await response.text(), id: answered.get('x-request-id') ?? '-' }
  }

  test.each(['early', 'streamed'])('%s: is 503 and a page that says so', async (how) => {
    for (const method of ['GET', 'POST']) {
      const { found, body, id } = await ask(`/away/${how}`, {}, method)
      expect(found).toEqual([503, '5', 'text/html'])
      expect(body).toContain('<h1>The portal is temporarily unavailable</h1>')
      expect(body).toContain(id)
      expect(body).not.toContain('Internal')
    }
  })

  test('in the language of the reader', async () => {
    const { body } = await ask('/away/early', { 'accept-language': 'zh-CN' })
    expect(body).toContain('<html lang="zh-Hans"')
  })

  test('for a program it is JSON', async () => {
    const { found, body } = await ask('/away/early', { accept: 'image/png' })
    expect(found).toEqual([503, '5', 'application/json'])
    expect(JSON.parse(body).error).toContain('try again')
  })

  test('scripts of the page get their own answer with this status', async () => {
    const { found, body } = await ask('/away/early', { 'next-action': 'x' }, 'POST')
    expect([...found, body]).toEqual([503, '5', 'text/x-component', 'Internal Server Error'])
  })

  test('any other error stays what it was, and so does a page without one', async () => {
    for (const how of ['early', 'streamed']) {
      const { found, body } = await ask(`/ours/${how}`)
      expect([found, body]).toEqual([[500, null, 'text/html'], 'Internal Server Error'])
      expect((await ask(`/fine/${how}`)).found).toEqual([200, null, 'text/html'])
    }
  })
})
