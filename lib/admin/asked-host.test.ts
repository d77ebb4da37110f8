import { expect, test } from 'vitest'
import { askedHost } from './asked-host'

/** What the health checks take for the address at which somebody opened the portal. */
test.each([
  ['a page', { host: 'localhost:3000' }, 'localhost:3000'],
  [
    'a page that Next.js fetches after an action',
    { host: '127.0.0.1:3000', origin: 'http://localhost:3000' },
    'localhost:3000',
  ],
  ['a form without scripts', { host: 'localhost:3000', origin: 'null' }, 'localhost:3000'],
  ['no header', {}, null],
])('%s', (_what, sent: Record<string, string>, host) => {
  expect(askedHost(new Headers(sent))).toBe(host)
})
