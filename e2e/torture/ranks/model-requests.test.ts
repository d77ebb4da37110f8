import { describe, expect, test } from 'vitest'
import { beyondDecided, beyondReviewed, beyondTakenBack } from './model-requests'
import { ADMIN, by, found, MANAGER } from './model-world'

describe('what was asked for', () => {
  const GOOD = { voter: 'boss', asker: 'plain', approvers: ['boss'], isToken: false }

  test('is given by an approver, in person', () => {
    expect(beyondDecided(GOOD)).toEqual([])
    expect(beyondDecided({ ...GOOD, approvers: null })).toEqual([])
  })

  test.each([
    ['by whoever asked', { voter: 'plain', approvers: ['plain'] }],
    ['by somebody else', { voter: 'eve' }],
    ['by an application', { isToken: true }],
  ])('not %s', (_what, more) => {
    expect(beyondDecided({ ...GOOD, ...more })).toHaveLength(1)
  })

  test('is taken back by whoever asked, who governs the API or who manages roles', () => {
    const taken = { by: 'eve', asker: 'plain', held: new Set<string>(), governors: ['keeper'] }
    expect(beyondTakenBack(taken)).toHaveLength(1)
    expect(beyondTakenBack({ ...taken, by: 'plain' })).toEqual([])
    expect(beyondTakenBack({ ...taken, by: 'keeper' })).toEqual([])
    expect(beyondTakenBack({ ...taken, held: new Set(['assignments:write']) })).toEqual([])
  })
})

test('one’s own access rises by the approval of somebody else, and of nobody otherwise', () => {
  const reach = { ownItems: ['vault:secret'] }
  for (const principal of [ADMIN, MANAGER, by('keeper')]) {
    expect(found(principal, { reach: { ...reach, approved: ['vault:secret'] } })).toEqual([])
    expect(found(principal, { reach })).toEqual(['6 own access'])
  }
})

test('access is reviewed in person, by those who are named, and never by whom it concerns', () => {
  const good = { voter: 'boss', subjects: ['plain'], reviewers: ['boss'], isToken: false }
  expect(beyondReviewed(good)).toEqual([])
  expect(beyondReviewed({ ...good, voter: 'eve', subjects: [] })).toEqual([])
  expect(beyondReviewed({ ...good, voter: 'eve' })).toHaveLength(1)
  expect(beyondReviewed({ ...good, subjects: ['boss'] })).toHaveLength(1)
  expect(beyondReviewed({ ...good, isToken: true })).toHaveLength(1)
})
