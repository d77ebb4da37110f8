import { describe, expect, test } from 'vitest'
import { applicationRecord } from '../../../e2e/support/application-record'
import { saidAfter, withoutTaken } from './narrowed'

/** What an admin took away from a client that describes itself stays away (attack R16). */

const [A, B, C] = ['https://a.example/cb', 'https://b.example/cb', 'https://c.example/cb']
const SAID = {
  redirect_uris: [A, B],
  post_logout_redirect_uris: [],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'client_secret_basic',
}
const as = applicationRecord
const lists = { redirectUris: [A, B], grantTypes: SAID.grant_types }

describe('R16: what an admin took away', () => {
  const before = as({ redirectUris: [A], grantTypes: ['authorization_code'] })

  test('does not come back because the client says it again', () => {
    const next = withoutTaken(before, SAID, as({ ...lists, redirectUris: [A, B, C] }))
    expect(next.redirectUris).toEqual([A, C])
    expect(next.grantTypes).toEqual(['authorization_code'])
  })

  test('does not come back later, when the client has left it out in between', () => {
    const silent = { ...SAID, redirect_uris: [A], grant_types: ['authorization_code'] }
    const kept = saidAfter(before, SAID, silent)
    const afterwards = as({ redirectUris: [A], grantTypes: ['authorization_code'] })
    const again = withoutTaken(afterwards, kept, as({ ...lists }))
    expect([again.redirectUris, again.grantTypes]).toEqual([[A], ['authorization_code']])
  })

  test('can be given back by the admin, and is the client’s again', () => {
    const kept = saidAfter(before, SAID, SAID)
    const restored = as({ redirectUris: [A, B], grantTypes: SAID.grant_types })
    expect(withoutTaken(restored, kept, as({ ...lists })).redirectUris).toEqual([A, B])
  })
})

test('what an admin added is not said by the client, and goes when it speaks again', () => {
  const before = as({ redirectUris: [A, B, C], grantTypes: SAID.grant_types })
  expect(withoutTaken(before, SAID, as({ ...lists })).redirectUris).toEqual([A, B])
})

describe('the way to authenticate', () => {
  const keys = { keys: [{ kty: 'EC', kid: 'of the admin' }] }

  test('that an admin chose stays, with its keys', () => {
    const before = as({ authMethods: ['private_key_jwt'], jwks: keys })
    const described = as({ authMethods: ['client_secret_basic'], jwks: null })
    const next = withoutTaken(before, SAID, described)
    expect([next.authMethods, next.jwks]).toEqual([['private_key_jwt'], keys])
    const sent = { ...SAID, token_endpoint_auth_method: 'client_secret_post' }
    // So that it is still known that an admin chose it.
    expect(saidAfter(before, SAID, sent).token_endpoint_auth_method).toBe('client_secret_basic')
  })

  test('that the client chose itself may change', () => {
    const before = as({ authMethods: ['client_secret_basic'] })
    const described = as({ authMethods: ['private_key_jwt'], jwks: keys })
    expect(withoutTaken(before, SAID, described).authMethods).toEqual(['private_key_jwt'])
    const sent = { ...SAID, token_endpoint_auth_method: 'private_key_jwt' }
    expect(saidAfter(before, SAID, sent).token_endpoint_auth_method).toBe('private_key_jwt')
  })

  test('of a client that never said one is its own', () => {
    const { token_endpoint_auth_method: _, ...silent } = SAID
    const described = as({ authMethods: ['none'] })
    expect(withoutTaken(as(), silent, described).authMethods).toEqual(['none'])
  })
})

test('what is stored of an older registration may be anything; it takes nothing away', () => {
  const odd = { redirect_uris: 'https://a.example/cb', grant_types: null }
  expect(withoutTaken(as({ redirectUris: [A] }), odd, as({ ...lists }))).toMatchObject(lists)
  expect(saidAfter(as(), odd, SAID)).toMatchObject({ redirect_uris: [A, B] })
})
