import { describe, expect, test } from 'vitest'
import { grant, item, NOW, policy } from '../../../e2e/support/policy'
import { mistakeIn, problemIn } from '../../../e2e/support/problem-in'
import { compileCondition } from '../../access/condition'
import {
  applicationGrantSchema,
  grantInForce,
  grantSchema,
  itemsOf,
  knowsIn,
  requireGrantable,
  toApplicationGrant,
  toGrantRow,
} from './grants'

/** What a role or an application can be given. */

const world = policy({ items: [item('orders:read'), item('plain'), item('users:read')] })
const asked = (...patterns: string[]) => patterns.map((pattern) => grantSchema.parse({ pattern }))

describe('a grant', () => {
  test('without terms is an allow for ever', () => {
    expect(grantSchema.parse({ pattern: 'orders:read' })).toEqual({
      pattern: 'orders:read',
      effect: 'allow',
      condition: null,
      validFrom: null,
      validUntil: null,
    })
  })

  test.each<[object, string]>([
    [{ effect: 'permit' }, 'one_of'],
    [{ condition: 'user.' }, 'condition_unfinished'],
    [{ validUntil: 'tomorrow' }, 'date_needed'],
    [{ exchangeFrom: 'app_1' }, 'unrecognized_keys'],
  ])('with %j is refused: %s', (more, mistake) => {
    expect(mistakeIn(grantSchema, { pattern: 'orders:read', ...more })).toBe(mistake)
  })

  test('for a token exchange is only of an application', () => {
    const of = (exchangeFrom: unknown) =>
      mistakeIn(applicationGrantSchema, { pattern: 'orders:read', exchangeFrom })
    expect([of('*'), of('app_1'), of(null), of('')]).toEqual(['none', 'none', 'none', 'required'])
  })

  test('comes back as it was sent, with times in UTC and an ID of its own', () => {
    const sent = applicationGrantSchema.parse({
      pattern: 'orders:*',
      effect: 'deny',
      condition: 'true',
      validUntil: '2030-01-01T02:00:00+02:00',
      exchangeFrom: '*',
    })
    const [first, second] = [toApplicationGrant.forth(sent), toApplicationGrant.forth(sent)]
    expect(toApplicationGrant.back(first)).toEqual({
      ...sent,
      id: first.id,
      validUntil: '2030-01-01T00:00:00.000Z',
    })
    expect(first.id).not.toBe(second.id)
    expect(toGrantRow.back(first)).not.toHaveProperty('exchangeFrom')
  })

  test('in force is shown with the source of its condition', () => {
    const condition = compileCondition('user.branch == "Bern"')
    const shown = grantInForce(grant('orders:read', { condition, validFrom: NOW.getTime() }))
    expect(shown).toEqual({
      pattern: 'orders:read',
      effect: 'allow',
      condition: 'user.branch == "Bern"',
      validFrom: NOW.toISOString(),
      validUntil: null,
    })
  })
})

describe('what can be given', () => {
  const knows = knowsIn(new Set(['orders:read', 'plain']))

  test.each<[string, boolean]>([
    ['orders:read', true],
    ['orders:*', true],
    ['plain', true],
    ['orders:write', false],
    ['orders', false],
    ['order:*', false],
    ['nothing:*', false],
    // A permission without a prefix is no API.
    ['constructor', false],
  ])('%s: %s', (pattern, known) => {
    expect(knows(pattern)).toBe(known)
  })

  test('by a role is never a permission of the portal itself', async () => {
    expect(itemsOf(world)).toEqual(new Set(['orders:read', 'plain']))
    const told = await problemIn(() => requireGrantable(world, asked('users:read'), '/grants'))
    expect(told).toBe('invalid /grants/0 unknown_permission')
    expect(await problemIn(() => requireGrantable(world, asked('users:*'), '/grants'))).toMatch(
      /unknown_permission$/,
    )
  })

  test('is refused as a whole, with the place of each that does not exist', async () => {
    const patterns = asked('orders:read', 'nothing:read', 'orders:*', 'nothing:*')
    expect(await problemIn(() => requireGrantable(world, patterns, '/permissions'))).toBe(
      'invalid /permissions/1 unknown_permission, /permissions/3 unknown_permission',
    )
    expect(await problemIn(() => requireGrantable(world, asked('nothing:x'), '', '/key'))).toBe(
      'invalid /key unknown_permission',
    )
    expect(await problemIn(() => requireGrantable(world, [], '/permissions'))).toBe('not refused')
  })
})
