import { describe, expect, test } from 'vitest'
import { type AboutUser, accessTokenAttributes, idTokenClaims, userinfoClaims } from './claims'

const person = {
  id: 'usr_1',
  name: 'Ada',
  email: 'ada@rp.test',
  emailVerified: true,
  username: 'ada',
  profile: {},
  attributes: { secret: 'x' },
  updatedAt: new Date(0),
}
const attributes = { department: 'Sales', motto: '前'.repeat(1_500), level: 3 }
const about: AboutUser = {
  person,
  groups: ['clerks'],
  roles: ['clerk'],
  attributes,
  trusted: { department: 'Sales', level: 3 },
}
const everywhere = ['id_token', 'userinfo', 'access_token'] as const
const mappings = Object.keys(attributes).map((attribute) => ({
  attribute,
  claim: attribute,
  in: everywhere,
}))

describe('claims about a user', () => {
  test('a scope that has the name of a built-in property gives nothing', () => {
    const scopes = ['openid', 'constructor', 'toString', '__proto__']
    expect(userinfoClaims(about, { scopes, named: {}, mappings: [] })).toEqual({ sub: 'usr_1' })
  })

  test('a claim by name is one of its own names', () => {
    const named = { constructor: null, name: null } as never
    const asked = { scopes: ['openid'], named, namedScopes: ['profile'], mappings: [] }
    expect(userinfoClaims(about, asked)).toEqual({ sub: 'usr_1', name: 'Ada' })
  })

  test('B29: a claim by name is given only if its scope was', () => {
    const named = { name: null, email: null, locale: null } as never
    const asked = { named, mappings: [] }
    expect(userinfoClaims(about, { ...asked, scopes: ['openid'] })).toEqual({ sub: 'usr_1' })
    const idToken = idTokenClaims(about, { ...asked, scopes: ['openid'], withProfile: true })
    expect(idToken).toEqual({})
  })

  test('what is too long for a token stays in userinfo; characters count as bytes', () => {
    const wanted = { scopes: ['openid', 'groups'], named: {}, mappings }
    const inToken = idTokenClaims(about, { ...wanted, withProfile: true })
    expect(inToken).toEqual({ department: 'Sales', level: 3, groups: ['clerks'] })
    expect(userinfoClaims(about, wanted)).toMatchObject({ motto: attributes.motto })
  })

  test('an access token has only what admins wrote', () => {
    expect(accessTokenAttributes(about, mappings)).toEqual({ department: 'Sales', level: 3 })
  })
})
