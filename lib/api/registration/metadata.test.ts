import { describe, expect, test } from 'vitest'
import { applicationRecord } from '../../../e2e/support/application-record'
import { outcomeOf } from '../../../e2e/support/protocol'
import type { Op } from '../../context/op'
import { isOAuthError } from '../../oidc/errors'
import { informationOf, keptOf } from './information'
import { parseMetadata } from './metadata'
import { isStillVerified } from './moved'
import { metadataIn } from './read'

/** RFC 7591 §2, §3.2; OpenID Connect Registration 1.0 §2 */

function refusal(sent: Record<string, unknown>) {
  try {
    parseMetadata(sent)
    return ['taken']
  } catch (error) {
    if (!isOAuthError(error)) throw error
    return [error.word, error.message]
  }
}

const CALLBACK = 'https://rp.example/cb'

describe('client metadata', () => {
  test('without anything has the defaults of the specifications', () => {
    expect(parseMetadata({})).toEqual({
      redirect_uris: [],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      id_token_signed_response_alg: 'RS256',
      post_logout_redirect_uris: [],
    })
  })

  test('RFC 7591 §2: members that nobody knows are ignored', () => {
    expect(parseMetadata({ redirect_uris: [CALLBACK], x_isAdmin: true })).not.toHaveProperty(
      'x_isAdmin',
    )
  })

  test.each<[string, Record<string, unknown>]>([
    ['grant_types', { grant_types: [] }],
    ['response_types', { response_types: ['token'] }],
    ['response_types', { response_types: ['code', 'code'] }],
    ['token_endpoint_auth_method', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['id_token_signed_response_alg', { id_token_signed_response_alg: 'none' }],
    ['subject_type', { subject_type: 'pairwise' }],
    ['sector_identifier_uri', { sector_identifier_uri: 'https://rp.example/uris' }],
    ['userinfo_signed_response_alg', { userinfo_signed_response_alg: 'none' }],
    ['client_name', { client_name: 'evil\u202egnp' }],
    ['client_name', { client_name: 'x'.repeat(101) }],
    ['client_uri', { client_uri: 'javascript:alert(1)' }],
    ['logo_uri', { logo_uri: 'data:image/png;base64,AAAA' }],
    ['policy_uri', { policy_uri: 'http://rp.example/policy' }],
    ['jwks', { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }],
    ['contacts', { contacts: Array.from({ length: 11 }, () => 'a@rp.example') }],
    ['scope', { scope: 'x'.repeat(4_097) }],
  ])('R3: with a wrong %s is invalid_client_metadata, which names it', (member, sent) => {
    const [word, description] = refusal(sent)
    expect([word, description?.split(':')[0]]).toEqual(['invalid_client_metadata', member])
  })

  test('RFC 7591 §3.2.2: wrong redirect URIs have an error of their own', () => {
    const tooMany = Array.from({ length: 21 }, () => CALLBACK)
    for (const redirect_uris of ['text', [1], tooMany, [`${CALLBACK}?${'x'.repeat(2_000)}`]]) {
      expect(refusal({ redirect_uris })[0]).toBe('invalid_redirect_uri')
    }
  })

  test('RFC 6749 §5.2: what is described is ASCII, without quotes, and without what was sent', () => {
    for (const sent of [
      { client_uri: 'https://rp.example/"\\ü' },
      { subject_type: '"pairwise"' },
      { sector_identifier_uri: 'https://evil.example' },
    ]) {
      const [, description = ''] = refusal(sent)
      expect(description).toMatch(/^[\x20\x21\x23-\x5B\x5D-\x7E]+$/)
      expect(description).not.toMatch(/evil|ü/)
    }
  })
})

test.each<[unknown, unknown]>([
  [{ client_name: null, redirect_uris: [] }, { redirect_uris: [] }],
  [{}, {}],
  [null, 'invalid_client_metadata'],
  [[], 'invalid_client_metadata'],
  ['{}', 'invalid_client_metadata'],
  [undefined, 'invalid_client_metadata'],
])('RFC 7592 §2.2: a member that is null was not sent: %j', async (sent, taken) => {
  expect(await outcomeOf(() => metadataIn(sent))).toEqual(taken)
})

describe('RFC 7591 §3.2.1: the answer', () => {
  const OP = { origin: 'https://id.example' } as Op
  const app = applicationRecord({ scopeLimit: ['openid', 'orders:read'], ownerId: 'usr_1' })
  const answer = (kept = {}, more = {}) => informationOf(OP, { ...app, ...more }, kept, 'ghrg_new')

  test('says everything that was registered, and how the client changes it', () => {
    expect(answer()).toMatchObject({
      client_id: 'app_1',
      client_id_issued_at: Math.floor(app.createdAt.getTime() / 1000),
      registration_client_uri: 'https://id.example/oidc/register/app_1',
      registration_access_token: 'ghrg_new',
      redirect_uris: [CALLBACK],
      scope: 'openid orders:read',
      response_types: ['code'],
    })
  })

  test('says nothing of what only admins know', () => {
    expect(Object.keys(answer()).join()).not.toMatch(/owner|version|disabled|publisher|weakened/)
    expect(JSON.stringify(answer())).not.toContain('usr_1')
  })

  test('repeats what means nothing here; what is registered wins over what was said', () => {
    const kept = keptOf(parseMetadata({ contacts: ['a@rp.example'], redirect_uris: ['x:y'] }))
    expect(answer(kept)).toMatchObject({ contacts: ['a@rp.example'], redirect_uris: [CALLBACK] })
  })

  test('leaves out what there is not, and has no response type without the code flow', () => {
    expect(answer()).not.toHaveProperty('logo_uri')
    expect(answer({}, { logoUri: 'https://cdn.example/l.png' })).toHaveProperty('logo_uri')
    expect(answer({}, { grantTypes: ['refresh_token'], authMethods: [] })).toMatchObject({
      response_types: [],
      token_endpoint_auth_method: 'none',
    })
  })
})

test('R17: the mark of verification is for the name and the addresses that were looked at', () => {
  const before = applicationRecord({ publisher: 'Acme', publisherVerified: true })
  const other = ['https://evil.example/cb']
  expect(isStillVerified(before, before)).toBe(true)
  expect(isStillVerified(before, { ...before, name: 'Gatehouse' })).toBe(false)
  expect(isStillVerified(before, { ...before, redirectUris: other })).toBe(false)
  expect(isStillVerified(before, { ...before, redirectUris: [CALLBACK, ...other] })).toBe(false)
  expect(isStillVerified({ ...before, publisherVerified: false }, before)).toBe(false)
})
