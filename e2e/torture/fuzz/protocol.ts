import fc from 'fast-check'
import { directLine } from '../../../lib/host/direct-line'
import { type Ask, ask, basic, FORM } from '../../support/ask'
import type { Portal } from '../../support/portal'
import type { Tally } from '../report'
import { BROKEN_BODIES, nastyText } from './nasty'
import type { Samples } from './samples'

/** The protocol's endpoints with anything at all: an answer each time, and none of it a fault of ours. */

const NAMES = [
  ...['grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret', 'code_verifier', 'scope'],
  ...['refresh_token', 'client_assertion', 'client_assertion_type', 'resource', 'token', 'state'],
  ...['token_type_hint', 'response_type', 'response_mode', 'nonce', 'prompt', 'max_age', 'claims'],
  ...['acr_values', 'login_hint', 'id_token_hint', 'ui_locales', 'code_challenge', 'request'],
  ...['code_challenge_method', 'post_logout_redirect_uri', 'access_token', 'request_uri'],
]
const JSON_TYPE = { 'content-type': 'application/json' }
const MAX_QUERY_LENGTH = 6_000
const METHODS = ['GET', 'POST', 'POST', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'DELETE']
/** Not asked: it does the work of an hour. */
const LEFT_OUT = new Set(['/api/scheduled'])

export async function fuzzProtocol(
  portal: Portal,
  samples: Samples,
  rounds: number,
  tally: Tally,
): Promise<void> {
  const paths = [...directLine.keys(), '/oidc/auth/int_AAAAAAAAAAAAAAAAAAAA'].filter(
    (path) => !LEFT_OUT.has(path),
  )
  for (let round = 0; round < rounds; round += 1) {
    for (const path of paths) await tryOne(portal, requestFor(portal, path, samples), tally)
    tally.rounds += 1
  }
}

async function tryOne(portal: Portal, sent: Ask, tally: Tally): Promise<void> {
  const said = `${sent.method} ${sent.path} ${String(sent.body).slice(0, 300)} ${JSON.stringify(sent.headers)}`
  try {
    const { status, headers, body } = await ask(portal.origin, sent)
    tally.check(status < 500, `${status} for ${said}: ${body.slice(0, 300)}`)
    const type = headers['content-type'] ?? ''
    const isJson = body === '' || !type.includes('json') || parses(body)
    tally.check(isJson, `no JSON, although it says so, for ${said}`)
  } catch (error) {
    tally.check(false, `${error instanceof Error ? error.message : error}, for ${said}`)
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function requestFor(portal: Portal, path: string, samples: Samples): Ask {
  const method = samples.pick(METHODS) ?? 'GET'
  const fields = fieldsFor(portal, samples)
  const headers = { ...credentialsFor(portal, samples) }
  if (method !== 'POST')
    return { method, path: `${path}?${fields}`.slice(0, MAX_QUERY_LENGTH), headers }
  if (path.startsWith('/access/') || samples.chance(0.1)) {
    const body = samples.pick(BROKEN_BODIES) ?? ''
    return { method, path, headers: { ...headers, ...JSON_TYPE }, body }
  }
  const raw = samples.chance(0.1) ? `&state=${samples.one(nastyText)}` : ''
  return { method, path, headers: { ...headers, ...FORM }, body: fields + raw }
}

/** Some that mean something, some that do not, some twice; encoded well, badly or not at all. */
function fieldsFor(portal: Portal, samples: Samples): string {
  const count = samples.at(8)
  return Array.from({ length: count }, () => {
    const name = samples.pick(NAMES) ?? ''
    const value = samples.chance(0.5) ? meant(portal, name, samples) : samples.one(nastyText)
    return samples.chance(0.9) ? `${name}=${encoded(value)}` : `${name}=${plain(value)}`
  }).join('&')
}

function meant(portal: Portal, name: string, samples: Samples): string {
  const { web, machine } = portal.demo()
  const values: Record<string, string[]> = {
    grant_type: ['authorization_code', 'refresh_token', 'client_credentials', '__proto__'],
    client_id: [web.client_id, machine.client_id, machine.access_key],
    client_secret: [web.client_secret, machine.client_secret],
    redirect_uri: [...web.redirect_uris],
    response_type: ['code', 'token', 'code id_token'],
    response_mode: ['query', 'form_post', 'fragment'],
    scope: ['openid', 'openid offline_access orders:read', 'orders:read'],
    prompt: ['none', 'login', 'none login', 'consent'],
    max_age: ['0', '-1', '99999999999'],
    code_challenge_method: ['S256', 'plain'],
    claims: ['{"id_token":{"acr":{"essential":true}}}', '{"userinfo":{"__proto__":null}}', '{'],
    resource: ['https://orders.gatehouse.example', 'urn:x'],
  }
  return samples.pick(values[name] ?? []) ?? samples.one(nastyText)
}

function credentialsFor(portal: Portal, samples: Samples): Record<string, string> {
  const { client_id, client_secret } = portal.demo().machine
  const headers = [
    {},
    basic(client_id, client_secret),
    basic(samples.one(nastyText), samples.one(nastyText)),
    {
      authorization: `Basic ${samples.one(fc.string({ maxLength: 60 })).replaceAll(/[^\x20-\x7e]/g, '')}`,
    },
    {
      authorization: `Bearer ${samples.one(fc.string({ maxLength: 60 })).replaceAll(/[^\x20-\x7e]/g, '')}`,
    },
  ]
  return samples.pick(headers) ?? {}
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** As it is, where HTTP lets it through at all. */
function plain(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '%')
}
