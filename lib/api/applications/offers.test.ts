import { describe, expect, test } from 'vitest'
import { applicationRecord } from '../../../e2e/support/application-record'
import type { ApplicationRecord } from '../../store/applications/applications'
import { offerFor } from './offers'

/** Which setting would have let a refused request in: offered to a person, and only if it helps. */

const PORTAL = { origin: 'https://id.example', issuer: 'https://id.example/tenant' }
const TOKEN = 'https://id.example/oidc/token'
const CALLED = 'https://id.example/oidc/introspect'

const offer = (
  reason: string,
  facts: Record<string, unknown> = {},
  more: Partial<ApplicationRecord> = {},
) => offerFor(PORTAL, applicationRecord(more), reason, facts)

describe('a request without PKCE', () => {
  test('would be accepted from a confidential client without the requirement', () => {
    expect(offer('pkce_missing')).toEqual({ pkce: 'not_required' })
  })

  test('is offered nothing for a public client, which always needs it', () => {
    expect(offer('pkce_missing', {}, { authMethods: ['none'] })).toBeNull()
  })

  test('is offered nothing once the requirement is gone', () => {
    expect(offer('pkce_missing', {}, { pkce: 'not_required' })).toBeNull()
  })
})

describe('an assertion with another audience', () => {
  const audience = (given: unknown, more: Partial<ApplicationRecord> = {}) =>
    offer('assertion_audience', { given, endpoint: CALLED }, more)

  test('of the token endpoint, or of the endpoint that was called, can be accepted', () => {
    expect(audience(TOKEN)).toEqual({ assertionAudience: 'compatible' })
    expect(audience(CALLED)).toEqual({ assertionAudience: 'endpoint' })
  })

  test('in a list of one can be accepted, the issuer too', () => {
    expect(audience([TOKEN])).toEqual({ assertionAudience: 'compatible' })
    expect(audience([PORTAL.issuer])).toEqual({ assertionAudience: 'compatible' })
  })

  test('never narrows what is accepted already', () => {
    expect(audience(TOKEN, { assertionAudience: 'endpoint' })).toBeNull()
    expect(audience(TOKEN, { assertionAudience: 'token_endpoint' })).toBeNull()
    expect(audience([TOKEN], { assertionAudience: 'compatible' })).toBeNull()
    expect(audience(CALLED, { assertionAudience: 'compatible' })).toEqual({
      assertionAudience: 'endpoint',
      assertionAudienceList: true,
      assertionSeconds: 3600,
    })
    expect(audience([TOKEN], { assertionAudience: 'endpoint' })).toEqual({
      assertionAudienceList: true,
    })
  })

  test.each([
    'https://other.example/oidc/token',
    [TOKEN, 'https://other.example'],
    [],
    null,
    undefined,
    { aud: TOKEN },
  ])('of somebody else stays refused: %j', (given) => {
    expect(audience(given)).toBeNull()
  })
})

describe('an assertion that lives too long', () => {
  test.each<[unknown, object | null]>([
    [301, { assertionAudience: 'compatible' }],
    [3600, { assertionAudience: 'compatible' }],
    [3601, null],
    [300, null],
    ['900', { assertionAudience: 'compatible' }],
    [undefined, null],
  ])('for %j seconds: %j', (seconds, told) => {
    expect(offer('assertion_life', { seconds })).toEqual(told)
  })

  test('is offered no narrower audience, and nothing once it is accepted', () => {
    const life = (more: Partial<ApplicationRecord>) =>
      offer('assertion_life', { seconds: 900 }, more)
    expect(life({ assertionAudience: 'endpoint' })).toEqual({ assertionSeconds: 3600 })
    expect(life({ assertionAudience: 'compatible' })).toBeNull()
    expect(life({ assertionSeconds: 900 })).toBeNull()
  })
})

describe('tokens that a browser hid from its page', () => {
  const CB = 'https://rp.example/cb'
  const from = (origin: unknown, more: Partial<ApplicationRecord> = {}) =>
    offer('origin_refused', { origin }, { redirectUris: [CB], origins: [], ...more })

  test('its origin is that of a redirect URI: they are all taken from there', () => {
    expect(from('https://rp.example')).toEqual({ origins: null })
    const listed = { origins: ['https://other.example'] }
    expect(from('https://rp.example', listed)).toEqual({
      origins: ['https://other.example', 'https://rp.example'],
    })
  })

  test('another origin is added to those that are allowed now', () => {
    expect(from('https://app.example', { origins: null })).toEqual({
      origins: ['https://rp.example', 'https://app.example'],
    })
  })

  test.each(['null', 'http://app.example', 'https://app.example/', '*', '', undefined, 7])(
    'what is no origin, or not a safe one, stays refused: %j',
    (origin) => {
      expect(from(origin)).toBeNull()
    },
  )

  test('is offered nothing once it is allowed', () => {
    expect(from('https://rp.example', { origins: null })).toBeNull()
  })
})

test.each(['secret_wrong', '', 'the text of an old entry'])(
  'nothing helps against %j',
  (reason) => {
    expect(offer(reason, { given: TOKEN, seconds: 900 })).toBeNull()
  },
)
