import { describe, expect, test } from 'vitest'
import { mistakeIn, problemIn } from '../../../e2e/support/problem-in'
import type { PortalScope } from '../../access/portal-api'
import { userCaller } from '../http/caller'
import { claimMappingsSchema, requireMayMap } from './claim-mappings'

const mapping = { attribute: 'branch', claim: 'branch', in: ['id_token' as const] }

describe('attributes of users are put into tokens', () => {
  const told = (scopes: PortalScope[], ...change: [before: object[], after?: object[]]) => {
    const [before, after] = change as [(typeof mapping)[], (typeof mapping)[] | undefined]
    const caller = { ...userCaller('usr_1', null), scopes: new Set(scopes) }
    return problemIn(() => requireMayMap(caller, before, after))
  }

  test('by those who may read users and settings, and by nobody else', async () => {
    expect(await told(['users:read', 'settings:read'], [], [mapping])).toBe('not refused')
    expect(await told(['users:read'], [], [mapping])).toBe('forbidden map_forbidden')
    expect(await told(['settings:read'], [], [mapping])).toBe('forbidden map_forbidden')
  })

  test('others may leave them as they are, and send them again', async () => {
    expect(await told([], [mapping], undefined)).toBe('not refused')
    expect(await told([], [mapping], [{ ...mapping }])).toBe('not refused')
    expect(await told([], [mapping], [{ ...mapping, in: ['access_token'] }])).toBe(
      'forbidden map_forbidden',
    )
    expect(await told([], [mapping], [])).toBe('forbidden map_forbidden')
  })
})

test.each<[string, object, string]>([
  ['a claim', {}, 'none'],
  ['a claim that is a URL', { claim: 'https_example.com/branch' }, 'none'],
  ['a claim that begins with a digit', { claim: '1st' }, 'claim_shape'],
  ['a claim with a space', { claim: 'a b' }, 'claim_shape'],
  ['the ID as an attribute', { attribute: 'id' }, 'attribute_id'],
  ['an attribute that every object has', { attribute: 'constructor' }, 'attribute_reserved'],
  ['no place', { in: [] }, 'choose'],
  ['an unknown place', { in: ['cookie'] }, 'one_of'],
  ['something else', { value: 'x' }, 'unrecognized_keys'],
])('N29: a mapping with %s', (_what, more, mistake) => {
  expect(mistakeIn(claimMappingsSchema, [{ ...mapping, ...more }])).toBe(mistake)
})
