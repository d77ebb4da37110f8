import { beforeAll, expect, test } from 'vitest'
import { API_BASE } from '../../lib/api/http/operation'
import { machineToken } from '../support/api'
import { type Ask, ask, FORM } from '../support/ask'
import type { Portal } from '../support/portal'
import { sharedPortal } from '../support/shared-portal'

/** docs/attacks.md, O5: input that costs the sender little must not cost the server much. */

/** A busy machine is slow; a pattern that runs away takes minutes over so much text. */
const BOUND_MS = 10_000
const LEVELS = 10_000
const MIB = 1024 * 1024
/** Within the limits of an address and of a header, so that the patterns see all of it. */
const LONG = 7_000

let portal: Portal
let token: string

beforeAll(async () => {
  portal = await sharedPortal()
  token = await machineToken(portal)
})

function post(path: string, body: string): Ask {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return { method: 'POST', path: `${API_BASE}${path}`, headers, body }
}

const arrays = `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`
const objects = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`

const JSON_BODIES: [string, () => Ask][] = [
  ['10 000 arrays', () => post('/users', arrays)],
  ['10 000 objects', () => post('/users', objects)],
  ['10 000 arrays in a field', () => post('/users', `{"email":${arrays}}`)],
  ['10 000 objects in a context', () => post('/permissions/check', `{"context":${objects}}`)],
  ['1 MiB of members', () => post('/users', `{${'"a":1,'.repeat(MIB / 6)}"b":1}`)],
  ['1 MiB in one string', () => post('/users', `{"email":"${'a'.repeat(MIB)}"}`)],
]

const form = (fields: Record<string, string>): Ask => ({
  method: 'POST',
  path: '/oidc/token',
  headers: FORM,
  body: new URLSearchParams(fields).toString(),
})
const query = (path: string, name: string, text: string): Ask => ({
  path: `${path}?${new URLSearchParams({ [name]: text })}`,
})
const header = (name: string, text: string): Ask => ({ path: '/login', headers: { [name]: text } })

/** What makes patterns with nested or overlapping repetitions try again and again. */
const TEXTS: [string, string][] = [
  ['letters', `${'a'.repeat(LONG)}!`],
  ['spaces', `${' '.repeat(LONG / 3)}!`],
  ['dots and letters', `${'a.'.repeat(LONG / 2)}!`],
  ['commas', `${'a,'.repeat(LONG / 4)}!`],
  ['commas and weights', `${'a;q=0,'.repeat(LONG / 6)}!`],
]

const PLACES: [string, (text: string) => Ask][] = [
  ['scope', (text) => form({ grant_type: 'client_credentials', client_id: 'x', scope: text })],
  ['client_id', (text) => query('/oidc/auth', 'client_id', text)],
  ['returnTo', (text) => query('/login', 'returnTo', text.slice(0, LONG / 3))],
  ['identifier', (text) => query('/login', 'identifier', text.slice(0, LONG / 3))],
  ['Authorization', (text) => ({ path: '/oidc/me', headers: { authorization: `Bearer ${text}` } })],
  ['Accept-Language', (text) => header('accept-language', text)],
  ['Cookie', (text) => header('cookie', text)],
  ['X-Forwarded-For', (text) => header('x-forwarded-for', text)],
  ['User-Agent', (text) => header('user-agent', text)],
]

async function expectQuick(asked: Ask): Promise<number> {
  const started = performance.now()
  const { status } = await ask(portal.origin, asked)
  expect(performance.now() - started).toBeLessThan(BOUND_MS)
  expect(status).toBeLessThan(500)
  return status
}

test.each(JSON_BODIES)('O5: JSON with %s is 4xx within ten seconds', async (_what, asked) => {
  expect(await expectQuick(asked())).toBeGreaterThanOrEqual(400)
})

test.each(PLACES)('O5: %s of many kinds is answered within ten seconds', async (_where, place) => {
  for (const [, text] of TEXTS) await expectQuick(place(text))
})

test('O5: a mail address of many labels is refused within ten seconds', async () => {
  for (const [, text] of TEXTS) {
    for (const email of [text, `${text}@x.example`, `a@${text}`, `${'a@'.repeat(LONG)}`])
      expect(await expectQuick(post('/users', JSON.stringify({ email })))).toBe(400)
  }
})
