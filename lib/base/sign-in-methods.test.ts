import { describe, expect, test } from 'vitest'
import { EVERY_METHOD, methodsInOrder, offeredMethods, shownMethods } from './sign-in-methods'

const ALL = new Set(['password', 'passkey', 'provider'] as const)
const WITHOUT_PROVIDERS = new Set(['password', 'passkey'] as const)

describe('ways to sign in', () => {
  test('by themselves in their order; a method that an order leaves out follows', () => {
    expect(shownMethods(EVERY_METHOD, ALL)).toEqual(['password', 'passkey', 'provider'])
    expect(methodsInOrder(['provider'])).toEqual(['provider', 'password', 'mail', 'passkey'])
    expect(methodsInOrder(['passkey', 'passkey'])).toEqual([
      'passkey',
      'password',
      'mail',
      'provider',
    ])
  })

  test('without what is hidden, and without what the portal does not have', () => {
    const choice = { order: ['passkey'], hidden: ['password'] } as const
    expect(offeredMethods(choice, ALL)).toEqual(['passkey', 'provider'])
    expect(offeredMethods(choice, WITHOUT_PROVIDERS)).toEqual(['passkey'])
  })

  test('Q260: where nothing would be left, what is hidden is offered', () => {
    const choice = { order: ['passkey'], hidden: ['password', 'passkey'] } as const
    expect(shownMethods(choice, WITHOUT_PROVIDERS)).toEqual([])
    expect(offeredMethods(choice, WITHOUT_PROVIDERS)).toEqual(['passkey', 'password'])
  })
})
