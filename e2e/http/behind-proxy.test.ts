import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../support/ask'
import { type Portal, startPortal } from '../support/portal'

/** Behind a proxy that ends TLS. A portal of its own: its issuer is https, and its log is read. */

const HOST = 'id.example.com'
const SENT_BY_PROXY = {
  host: HOST,
  'x-forwarded-proto': 'https',
  'x-forwarded-host': HOST,
  'x-forwarded-for': '192.0.2.1',
}

let portal: Portal

beforeAll(async () => {
  const env = { ISSUER: `https://${HOST}`, TRUSTED_PROXIES: '1', GATEHOUSE_MODE: 'development' }
  portal = await startPortal({ env })
})
afterAll(() => portal.stop())

/** As scripts of the page send its form: the action by its ID, and the form as its second argument. */
async function act(path: string, fields: Record<string, string>) {
  const page = await ask(portal.origin, { path, headers: SENT_BY_PROXY })
  const action = /&quot;id&quot;:&quot;([0-9a-f]+)&quot;/.exec(page.body)?.[1] ?? ''
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(`_1_${name}`, value)
  form.append('0', '[{},"$K1"]')
  const sent = new Response(form)
  return ask(portal.origin, {
    method: 'POST',
    path,
    headers: {
      ...SENT_BY_PROXY,
      origin: `https://${HOST}`,
      'next-action': action,
      'content-type': sent.headers.get('content-type') ?? '',
    },
    body: Buffer.from(await sent.arrayBuffer()),
  })
}

test('Q16: an action that redirects brings the page with it, and the log stays JSON', async () => {
  const { status, headers, body } = await act('/forgot', { identifier: 'nobody@example.com' })
  expect([status, headers['x-action-redirect']]).toEqual([200, '/forgot/sent;push'])
  // The page that it leads to, which Next.js has fetched from this process.
  expect(headers['content-type']).toContain('text/x-component')
  expect(body.length).toBeGreaterThan(100)
  const [, afterStart = ''] = (await portal.allOutput()).split('is ready at')
  expect(afterStart).not.toMatch(/fetch failed|redirect response/)
  const logged = afterStart
    .split('\n')
    .filter((line) => line.includes('"msg"') || /Error|⨯/.test(line))
  for (const line of logged) expect(() => JSON.parse(line)).not.toThrow()
})
