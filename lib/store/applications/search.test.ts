import { describe, expect, test } from 'vitest'
import { type Hit, rankedFor } from './search'

const hit = (kind: Hit['kind'], name: string): Hit => ({
  kind,
  id: name,
  name,
  hint: null,
  within: null,
})

describe('what a search finds', () => {
  test('the beginning of a word counts for more, then the order of the kinds', () => {
    const found = [
      hit('application', 'Demo command line'),
      hit('user', 'Bob Manager'),
      hit('role', 'Manager'),
    ]
    expect(rankedFor('MAN', found).map(({ name }) => name)).toEqual([
      'Bob Manager',
      'Manager',
      'Demo command line',
    ])
    expect(rankedFor('x', found)).toEqual(found)
  })
})
