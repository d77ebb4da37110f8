import { describe, expect, test } from 'vitest'
import { sign, signedHere } from '../../e2e/support/own-tokens'
import {
  API,
  APP,
  application,
  CALLBACK,
  credential,
  form,
  NOW,
  opOf,
  outcomeOf,
  refusalIn,
} from '../../e2e/support/protocol'
import type { AuthorizationRequest } from './authorization-request'
import type { Application } from './client'
import { askedResources, parseAuthorizationRequest } from './parse-authorization-request'

const thousand = Array.from({ length: 1000 }, (_, at) => [`c${at}`, null])
const good = { response_type: 'code', scope: 'openid' }

function parse(fields: Record<string, string>, more: Partial<Application> = {}) {
  return outcomeOf(() => parsed(fields, more))
}

function parsed(fields: Record<string, string>, more: Partial<Application> = {}) {
  const client = credential(more)
  const target = {
    credential: client,
    redirectUri: CALLBACK,
    responseMode: 'query',
    state: null,
  } as const
  return parseAuthorizationRequest(opOf({ credentials: [client] }), target, form(fields))
}

test('parseAsk: a plain request', async () => {
  expect(await parse(good)).toEqual({
    clientId: APP,
    redirectUri: CALLBACK,
    responseMode: 'query',
    state: null,
    scopes: ['openid'],
    resources: [],
    nonce: null,
    challenge: null,
    prompt: [],
    maxAge: null,
    loginHint: null,
    hintedUserId: null,
    uiLocales: null,
    claims: { userinfo: {}, id_token: {} },
    userinfoClaims: [],
    acrValues: [],
    essentialAcr: null,
    device: null,
    askedAt: NOW,
  })
})

describe('parseAsk: what is read', () => {
  const claims = (text: object) => ({ claims: JSON.stringify(text) })

  test.each<[string, Record<string, string>, Partial<AuthorizationRequest>]>([
    ['scope, repeats once (RFC 6749 §3.3)', { scope: 'b a b' }, { scopes: ['b', 'a'] }],
    ['nonce', { nonce: 'x'.repeat(1024) }, { nonce: 'x'.repeat(1024) }],
    ['prompt', { prompt: 'login consent' }, { prompt: ['login', 'consent'] }],
    ['prompt with spaces', { prompt: ' login  ' }, { prompt: ['login'] }],
    ['max_age', { max_age: '0' }, { maxAge: 0 }],
    ['login_hint', { login_hint: 'a@rp.test' }, { loginHint: 'a@rp.test' }],
    ['B24: a long login_hint is dropped', { login_hint: 'x'.repeat(255) }, { loginHint: null }],
    ['ui_locales', { ui_locales: 'zh-Hans en' }, { uiLocales: 'zh-Hans en' }],
    ['B25: 500 locales are dropped', { ui_locales: 'en '.repeat(500) }, { uiLocales: null }],
    ['acr_values, ours only', { acr_values: 'gold mfa' }, { acrValues: ['mfa'] }],
    ['B26: unknown acr_values', { acr_values: 'gold' }, { acrValues: [] }],
    [
      'claims (OIDC Core §5.5)',
      claims({ userinfo: { email: null } }),
      { userinfoClaims: ['email'], claims: { userinfo: { email: null }, id_token: {} } },
    ],
    [
      'claims for the ID token, with values',
      claims({ id_token: { email: { values: ['a@rp.test'] } } }),
      { claims: { userinfo: {}, id_token: { email: { values: ['a@rp.test'] } } } },
    ],
    [
      'the user who has to be signed in, by claims',
      claims({ id_token: { sub: { value: 'usr_1' } } }),
      { hintedUserId: 'usr_1' },
    ],
    [
      'an essential acr',
      claims({ id_token: { acr: { essential: true, values: ['mfa', 'phr'] } } }),
      { essentialAcr: ['mfa', 'phr'] },
    ],
    ['an acr as a wish', claims({ id_token: { acr: { value: 'mfa' } } }), { essentialAcr: null }],
    [
      'an essential acr of any value',
      claims({ id_token: { acr: { essential: true } } }),
      { essentialAcr: null },
    ],
  ])('%s', async (_what, fields, expected) => {
    expect(await parse({ ...good, ...fields })).toMatchObject(expected)
  })

  test('the default scopes of the application, where none is asked for (RFC 6749 §3.3)', async () => {
    const outcome = await parse({ response_type: 'code' }, { defaultScopes: ['openid', 'email'] })
    expect(outcome).toMatchObject({ scopes: ['openid', 'email'] })
  })
})

describe('parseAsk: what is refused', () => {
  test.each<[string, Record<string, string>, string]>([
    ['B1: no response_type', { response_type: '' }, 'invalid_request response_type_missing'],
    ['B2: token', { response_type: 'token' }, 'unsupported_response_type response_type'],
    [
      'B2: code id_token',
      { response_type: 'code id_token' },
      'unsupported_response_type response_type',
    ],
    ['B5: no scope, no default', { scope: '' }, 'invalid_scope scope_missing'],
    ['B8: a scope with a quote', { scope: 'a"b' }, 'invalid_scope scope_malformed'],
    [
      'B8: a scope with a control character',
      { scope: 'a\u0001b' },
      'invalid_scope scope_malformed',
    ],
    ['B8: a scope that is too long', { scope: 'x'.repeat(256) }, 'invalid_scope scope_malformed'],
    [
      'B10: a nonce that is too long',
      { nonce: 'x'.repeat(1025) },
      'invalid_request parameter_too_long',
    ],
    ['B14: none with another', { prompt: 'none login' }, 'invalid_request prompt'],
    ['B15: an unknown prompt', { prompt: 'maybe' }, 'invalid_request prompt'],
    ['B19: a negative max_age', { max_age: '-1' }, 'invalid_request max_age'],
    ['B19: a word for max_age', { max_age: 'abc' }, 'invalid_request max_age'],
    ['B19: an exponent', { max_age: '1e9' }, 'invalid_request max_age'],
    ['B19: ten digits', { max_age: '1000000000' }, 'invalid_request max_age'],
    ['B21: a hint that is no token', { id_token_hint: 'x' }, 'invalid_request id_token_hint'],
    ['B28: claims that are no JSON', { claims: '{' }, 'invalid_request claims_parameter'],
    ['B28: claims as an array', { claims: '[]' }, 'invalid_request claims_parameter'],
    [
      'B28: a thousand names',
      { claims: JSON.stringify({ userinfo: Object.fromEntries(thousand) }) },
      'invalid_request claims_parameter',
    ],
    [
      'B28: claims that are too long',
      { claims: `"${'x'.repeat(8192)}"` },
      'invalid_request claims_parameter',
    ],
    ['B30: request', { request: 'x' }, 'request_not_supported request_object'],
    [
      'B31: request_uri',
      { request_uri: 'https://x.test' },
      'request_uri_not_supported request_uri',
    ],
    [
      'B32: registration',
      { registration: '{}' },
      'registration_not_supported registration_parameter',
    ],
    ['B34: an unknown resource', { resource: 'https://x.test' }, 'invalid_target resource_unknown'],
    [
      'C3: a method without a challenge',
      { code_challenge_method: 'S256' },
      'invalid_request code_challenge',
    ],
  ])('%s', async (_what, fields, refusal) => {
    expect(await refusalIn(() => parsed({ ...good, ...fields }))).toBe(refusal)
  })

  test('B3: an application without this flow', async () => {
    const refused = () => parsed(good, { grantTypes: ['client_credentials'] })
    expect(await refusalIn(refused)).toBe('unauthorized_client grant_type_not_allowed')
  })

  test('B23: a hint and claims that name different users', async () => {
    const client = credential()
    const op = opOf({ credentials: [client], op: signedHere })
    const target = { credential: client, redirectUri: CALLBACK, state: null }
    const id_token_hint = await sign({ sub: 'usr_one', aud: APP }, 'JWT')
    const claims = JSON.stringify({ id_token: { sub: { value: 'usr_two' } } })
    const asked = form({ ...good, id_token_hint, claims })
    const parsing = () => parseAuthorizationRequest(op, { ...target, responseMode: 'query' }, asked)
    expect(await refusalIn(parsing)).toBe('invalid_request hints_differ')
  })

  test('B28: __proto__ in claims changes nothing', async () => {
    const outcome = await parse({ ...good, claims: '{"userinfo":{"__proto__":{"x":true}}}' })
    expect(outcome).toMatchObject({ scopes: ['openid'] })
    expect({}).not.toHaveProperty('x')
  })
})

describe('askedResources (RFC 8707 §2)', () => {
  test('two addresses of one API are ambiguous', async () => {
    const covering = { ...API, subpaths: true }
    const fields = new URLSearchParams([
      ['resource', `${API.audience}/a`],
      ['resource', `${API.audience}/b`],
    ])
    const asked = () =>
      askedResources(opOf({ apis: [covering] }), application(), form(fields.toString()))
    expect(await refusalIn(asked)).toBe('invalid_target resource_ambiguous')
  })

  const closed = { ...API, audience: 'https://closed.test', enabled: false }
  const second = { ...API, id: 'api_2', audience: 'https://second.test' }
  const op = opOf({ apis: [API, second, closed] })
  const both = [API.audience, second.audience]

  test.each<[string, string[], string[] | string]>([
    ['none', [], []],
    ['one', [API.audience], [API.audience]],
    ['B35: several', both, both],
    ['B34: an unknown one', ['https://x.test'], 'invalid_target'],
    ['B34: one unknown among others', [API.audience, 'https://x.test'], 'invalid_target'],
    ['B34: a disabled API', [closed.audience], 'invalid_target'],
    ['B34: relative', ['/orders'], 'invalid_target'],
    ['B34: with a fragment', [`${API.audience}#x`], 'invalid_target'],
  ])('%s', async (_what, resources, expected) => {
    const text = new URLSearchParams(resources.map((one) => ['resource', one])).toString()
    expect(await outcomeOf(() => askedResources(op, application(), form(text)))).toEqual(expected)
  })

  test.each([
    ['is ignored', false, []],
    ['counts as a resource if the application is set to it', true, [API.audience]],
  ])('`audience` %s', async (_what, audienceParameter, expected) => {
    const asked = form({ audience: API.audience })
    expect(await askedResources(op, application({ audienceParameter }), asked)).toEqual(expected)
  })
})
