import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { config } from '../../proxy'
import { isFile } from '../base/page-headers'
import { directLine, endpointAt } from './direct-line'

const root = new URL('../../', import.meta.url)
const [{ source }] = config.matcher as [(typeof config.matcher)[number]]
const isSeen = (path: string) => new RegExp(`^${source}$`).test(path)
const isPage = (path: string) => isSeen(path) && !isFile(path)

describe('every endpoint of the direct line', () => {
  test.each([...directLine.keys()])('%s is a route under app/ and no page', (path) => {
    expect(existsSync(new URL(`app${path}/route.ts`, root))).toBe(true)
    expect(isPage(path)).toBe(false)
  })
})

test.each(['/api/v1/spaces', '/api/v1/spaces/x/roles', '/api/v1/openapi.json'])(
  '%s is the API’s, and no page',
  (path) => {
    expect(endpointAt(path)?.name).toBe('api')
    expect(isPage(path)).toBe(false)
  },
)

test('files of public/ are no pages, and yet come through the same door', () => {
  const all = readdirSync(new URL('public', root), { recursive: true, encoding: 'utf8' })
  for (const file of all.filter((name) => name.includes('.'))) {
    expect([file, isPage(`/${file}`), isSeen(`/${file}`)]).toEqual([file, false, true])
  }
})

test.each([
  '/',
  '/login',
  '/oidc/nope',
  '/oidc/token/x',
  '/api/x',
  '/.well-known/x',
  '/missing.txt',
])('M17: %s gets the headers of a page', (path) => {
  expect(isPage(path)).toBe(true)
})
