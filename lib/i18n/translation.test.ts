import { describe, expect, test } from 'vitest'
import { choices } from './choices'
import { fill, fillUnchecked } from './fill'
import { english, translation } from './translation'

// `npm test` checks the types of this file: a line that is expected not to compile, and does, fails.

const words = english({
  hello: 'Hello, {name}',
  pages: { count: '{count} of {total}', none: 'None. Write {"keys": []} or {' },
})

describe('translation', () => {
  test('takes the same keys and placeholders, in any order', () => {
    const german = translation<typeof words>()({
      hello: 'Hallo, {name}',
      pages: { count: 'Von {total}: {count}', none: 'Keine. Schreiben Sie {"keys": []} oder {' },
    })
    expect(fill(german.pages.count, { count: '1', total: '2' })).toBe('Von 2: 1')
  })

  test('does not compile without a key of English', () => {
    translation<typeof words>()({
      hello: 'Hallo, {name}',
      // @ts-expect-error `none` is missing
      pages: { count: '{count} von {total}' },
    })
  })

  test('does not compile with a key that English does not have', () => {
    translation<typeof words>()({
      hello: 'Hallo, {name}',
      // @ts-expect-error `some` is not a key of English
      pages: { count: '{count} von {total}', none: 'Keine', some: 'Einige' },
    })
  })

  test('does not compile with other placeholders than English', () => {
    translation<typeof words>()({
      // @ts-expect-error English has {name}
      hello: 'Hallo, {nmae}',
      pages: {
        // @ts-expect-error {total} is missing
        count: '{count}',
        // @ts-expect-error English has no placeholder here
        none: 'Keine von {total}',
      },
    })
  })
})

describe('fill', () => {
  test('puts the values in', () => {
    expect(fill(words.hello, { name: 'Ann' })).toBe('Hello, Ann')
    expect(fill('{a}, {b}, {a}', { a: '1', b: '2' })).toBe('1, 2, 1')
  })

  test('leaves other braces alone', () => {
    expect(fill(words.pages.none, {})).toBe('None. Write {"keys": []} or {')
  })

  test('does not read a value as a message', () => {
    expect(fill('{a}{b}', { a: '{b}', b: '{a}' })).toBe('{b}{a}')
  })

  test('does not compile with a misspelt, missing or needless value', () => {
    // @ts-expect-error misspelt
    expect(fill(words.hello, { nmae: 'Ann' })).toBe('Hello, {name}')
    // @ts-expect-error missing
    expect(fill(words.pages.count, { count: '1' })).toBe('1 of {total}')
    // @ts-expect-error there is no placeholder
    expect(fill(words.pages.none, { name: 'Ann' })).toContain('None')
  })

  test('wants what any of several messages needs', () => {
    const either = Math.random() < 2 ? words.hello : words.pages.count
    expect(fill(either, { name: 'Ann', count: '1', total: '2' })).toBe('Hello, Ann')
    // @ts-expect-error one of them needs {total}
    expect(fill(either, { name: 'Ann', count: '1' })).toBe('Hello, Ann')
  })

  test('does not compile for a string of which nothing is known', () => {
    const unknown: string = words.hello
    // @ts-expect-error its placeholders are not known
    expect(fill(unknown, { name: 'Ann' })).toBe('Hello, Ann')
    expect(fillUnchecked(unknown, { name: 'Ann' })).toBe('Hello, Ann')
  })

  test('does not look for values on the prototype', () => {
    expect(fillUnchecked('{constructor}', {})).toBe('{constructor}')
  })
})

describe('choices', () => {
  const values = ['open', 'closed'] as const

  test('are the values, in their order, with their labels', () => {
    const labels = { closed: 'Closed', open: 'Open', gone: 'Not offered' }
    expect(choices(values, labels)).toEqual([
      ['open', 'Open'],
      ['closed', 'Closed'],
    ])
  })

  test('do not compile when a value has no label', () => {
    // @ts-expect-error `closed` has no label
    expect(choices(values, { open: 'Open' })).toHaveLength(2)
  })
})
