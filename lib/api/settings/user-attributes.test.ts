import { describe, expect, test } from 'vitest'
import { problemIn } from '../../../e2e/support/problem-in'
import type { UserAttribute } from '../../settings/model'
import { requireSafeAttributes, requireTyped } from './user-attributes'

/** Attributes that admins defined: their types, and who may write what conditions read. */

const attribute = (key: string, more: Partial<UserAttribute> = {}): UserAttribute => ({
  key,
  name: key,
  type: 'string',
  seenBy: 'user',
  changedBy: 'admins',
  inConditions: true,
  ...more,
})

describe('N28: a value', () => {
  const defined = (['string', 'number', 'boolean', 'list'] as const).map((type) =>
    attribute(type, { type }),
  )
  const told = (attributes: Record<string, unknown>) =>
    problemIn(() => requireTyped(defined, attributes))

  test.each<[string, unknown, string]>([
    ['string', '', 'not refused'],
    ['string', 7, 'invalid /attributes/string text_needed'],
    ['string', null, 'invalid /attributes/string text_needed'],
    ['number', 0.5, 'not refused'],
    ['number', '7', 'invalid /attributes/number number_needed'],
    ['number', Number.NaN, 'invalid /attributes/number number_needed'],
    ['boolean', false, 'not refused'],
    ['boolean', 'true', 'invalid /attributes/boolean yes_or_no_needed'],
    ['list', [], 'not refused'],
    ['list', ['a', 1], 'invalid /attributes/list texts_needed'],
    ['list', 'a', 'invalid /attributes/list texts_needed'],
    ['other', { any: 'thing' }, 'not refused'],
  ])('of a %s: %j is %s', async (key, value, said) => {
    expect(await told({ [key]: value })).toBe(said)
  })

  test('that is not sent needs no type', async () => {
    expect(await told({})).toBe('not refused')
  })
})

describe('N30: what users write themselves', () => {
  const open = attribute('nick', { changedBy: 'user', inConditions: false })
  const told = (
    after: UserAttribute[],
    before: UserAttribute[] = [],
    retired: readonly string[] = [],
  ) => problemIn(() => requireSafeAttributes(before, retired, after))

  test('is never read by conditions', async () => {
    expect(await told([open])).toBe('not refused')
    expect(await told([attribute('team'), { ...open, inConditions: true }])).toBe(
      'invalid /userAttributes/1/inConditions attribute_unsafe',
    )
  })

  test('nor once only admins write it, because the values stay', async () => {
    const closed = attribute('nick')
    expect(await told([closed], [open])).toBe(
      'invalid /userAttributes/0/inConditions attribute_unsafe',
    )
    expect(await told([{ ...closed, inConditions: false }], [open])).toBe('not refused')
  })

  test('nor after it was removed and defined again', async () => {
    expect(await told([attribute('nick')], [], ['nick'])).toBe(
      'invalid /userAttributes/0/inConditions attribute_unsafe',
    )
    expect(await told([attribute('nickname')], [], ['nick'])).toBe('not refused')
  })

  test('is seen by them', async () => {
    expect(await told([{ ...open, seenBy: 'admins' }])).toBe(
      'invalid /userAttributes/0/seenBy attribute_unseen',
    )
  })

  test('has one definition', async () => {
    expect(await told([attribute('team'), attribute('branch'), attribute('team')])).toBe(
      'invalid /userAttributes/2/key attribute_twice',
    )
  })
})
