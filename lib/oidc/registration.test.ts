import { describe, expect, test } from 'vitest'
import { type Registration, registrationProblems } from './registration'

const web: Registration = {
  kind: 'web',
  authMethods: ['client_secret_basic'],
  grantTypes: ['authorization_code', 'refresh_token'],
  redirectUris: ['https://rp.test/cb'],
  postLogoutRedirectUris: [],
  origins: [],
  backchannelLogoutUri: null,
  jwks: null,
  jwksUri: null,
  pkce: 'required',
}
const native: Registration = { ...web, kind: 'native', authMethods: ['none'] }

function pointers(registration: Registration): string[] {
  return registrationProblems(registration).map(({ pointer }) => pointer)
}

describe('A6: a redirect URI that cannot be registered', () => {
  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'http://rp.test/cb',
    'http://10.0.0.1/cb',
    'https://*.rp.test/cb',
    'https://rp.test/*',
    'https://user:pass@rp.test/cb',
    'https://user@rp.test/cb',
    'https:///cb',
    'https://',
    'not a uri',
    '',
    'https://rp.test/cb#x',
    'https://rp.test/cb#',
    'https://rp.test/c\tb',
    'https://rp.test/cb\n',
    ' https://rp.test/cb',
    'blob:https://rp.test/x',
    'ws://rp.test/cb',
    `https://rp.test/${'x'.repeat(2000)}`,
    'http://localhost:99999/cb',
    'https://rp.test:65536/cb',
  ])('%j is named', (uri) => {
    expect(pointers({ ...web, redirectUris: ['https://rp.test/cb', uri] })).toEqual([
      '/redirectUris/1',
    ])
    expect(pointers({ ...web, postLogoutRedirectUris: [uri] })).toEqual([
      '/postLogoutRedirectUris/0',
    ])
  })

  test.each(['https://rp.test/cb', 'https://rp.test:8443/cb?x=1', 'http://localhost:3000/cb'])(
    '%s is fine',
    (uri) => {
      expect(pointers({ ...web, redirectUris: [uri] })).toEqual([])
    },
  )
})

describe('RFC 8252 §7.1: the private scheme of a native application', () => {
  test.each(['com.example.app:/callback', 'com.example.app://callback'])('%s is fine', (uri) => {
    expect(pointers({ ...native, redirectUris: [uri] })).toEqual([])
  })
  test.each([
    'com.example.app://user:pw@callback',
    'com.example.app://user@callback',
    'com.example.app://:pw@callback',
    'com.https://user:pw@example.orgexample.app:/callback',
    'example:/callback',
  ])('%s is refused', (uri) => {
    expect(pointers({ ...native, redirectUris: [uri] })).toEqual(['/redirectUris/0'])
  })
})

describe('A7: loopback', () => {
  test.each(['http://127.0.0.1/cb', 'http://[::1]/cb', 'http://localhost/cb'])('%s', (uri) => {
    expect(pointers({ ...native, redirectUris: [uri] })).toEqual([])
  })
  test.each(['http://127.0.0.2/cb', 'http://127.1/cb', 'http://0x7f.1/cb', 'http://0.0.0.0/cb'])(
    'only the two addresses, spelled out: %s is refused',
    (uri) => {
      expect(pointers({ ...native, redirectUris: [uri] })).toEqual(['/redirectUris/0'])
    },
  )
})

describe('A8: a private-use scheme', () => {
  test.each(['com.example.app:/cb', 'com.example.app://cb'])('%s for a native app', (uri) => {
    expect(pointers({ ...native, redirectUris: [uri] })).toEqual([])
    expect(pointers({ ...web, redirectUris: [uri] })).toEqual(['/redirectUris/0'])
  })
  test('and yet an address: a bracket that is not closed makes none', () => {
    expect(pointers({ ...native, redirectUris: ['com.example.app://[::1/cb'] })).toEqual([
      '/redirectUris/0',
    ])
  })
  test('one without a dot could be anybody’s (RFC 8252 §7.1)', () => {
    expect(pointers({ ...native, redirectUris: ['myapp:/cb'] })).toEqual(['/redirectUris/0'])
  })
})

describe('what goes together', () => {
  test.each<[string, Registration, string[]]>([
    ['C10: a public client without PKCE', { ...native, pkce: 'not_required' }, ['/pkce']],
    ['a confidential client without PKCE', { ...web, pkce: 'not_required' }, []],
    [
      'a public client with a secret too',
      { ...web, authMethods: ['none', 'client_secret_post'] },
      ['/authMethods'],
    ],
    ['a client with no way to say who it is', { ...web, authMethods: [] }, ['/authMethods']],
    [
      'G1: a public client with client_credentials',
      { ...native, grantTypes: ['authorization_code', 'client_credentials'] },
      ['/grantTypes'],
    ],
    ['a grant that is not offered', { ...web, grantTypes: ['password'] }, ['/grantTypes/0']],
    [
      'a machine is never public',
      {
        ...web,
        kind: 'machine',
        authMethods: ['none'],
        grantTypes: ['refresh_token'],
        redirectUris: [],
      },
      ['/authMethods'],
    ],
    ['a single-page app keeps no secret', { ...web, kind: 'spa' }, ['/authMethods']],
    ['the code flow with nowhere to go', { ...web, redirectUris: [] }, ['/redirectUris']],
    [
      'a machine has nowhere to send people',
      { ...web, kind: 'machine', grantTypes: ['client_credentials'] },
      ['/redirectUris'],
    ],
    ['an origin is not a URL', { ...web, origins: ['https://rp.test/'] }, ['/origins/0']],
    ['an origin in plain http', { ...web, origins: ['http://rp.test'] }, ['/origins/0']],
    ['the origins of its redirect URIs', { ...web, origins: null }, []],
    ['an origin', { ...web, origins: ['https://rp.test', 'http://localhost:5173'] }, []],
    ['keys over plain http', { ...web, jwksUri: 'http://rp.test/jwks' }, ['/jwksUri']],
    ['N20: an address of two lines', { ...web, jwksUri: 'https://rp.test/\nx' }, ['/jwksUri']],
    [
      'back-channel logout with a fragment',
      { ...web, backchannelLogoutUri: 'https://rp.test/x#y' },
      ['/backchannelLogoutUri'],
    ],
    ['signing without keys', { ...web, authMethods: ['private_key_jwt'] }, ['/jwks']],
    [
      'keys here and there',
      { ...web, jwks: { keys: [] }, jwksUri: 'https://rp.test/jwks' },
      ['/jwksUri'],
    ],
    [
      'back-channel logout over a scheme of its own',
      { ...web, backchannelLogoutUri: 'com.example:/x' },
      ['/backchannelLogoutUri'],
    ],
  ])('%s', (_why, registration, expected) => {
    expect(pointers(registration)).toEqual(expected)
  })

  test('F12: rotation of refresh tokens is not a setting', () => {
    expect(Object.keys(web)).not.toContain('rotateRefreshTokens')
    expect(pointers(native)).toEqual([])
  })
})
