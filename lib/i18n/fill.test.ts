import { describe, expect, test } from 'vitest'
import { messagesFor } from '.'
import { choices } from './choices'
import { fill, fillUnchecked } from './fill'
import { plural } from './plural'
import type { Text } from './text'

// `npm test` checks the types of this file: a line that is expected not to compile, and does, fails.

const words = {
  hello: 'Hello, {name}' as Text<'name'>,
  pages: {
    count: '{count} of {total}' as Text<'count' | 'total'>,
    none: 'None. Write {"keys": []} or {' as Text,
  },
}

const { frame, notFound, admin } = await messagesFor('en')
const { go } = admin.users.bulk

describe('the words of a language', () => {
  test('know their placeholders', () => {
    expect(fill(frame.home, { name: 'Ann’s' })).toBe('Ann’s, home page')
    expect(fill(notFound.title, {})).toBe(notFound.title)
    // @ts-expect-error misspelt
    expect(fill(frame.home, { nmae: 'Ann' })).toBe('{name}, home page')
    // @ts-expect-error there is no placeholder
    expect(fill(notFound.title, { name: 'Ann' })).toBe(notFound.title)
  })

  test('know those of all forms of a sentence with a number', () => {
    expect(plural('en', go, 2, { action: 'Enable' })).toBe('Enable: 2 users')
    // @ts-expect-error {action} is missing
    expect(plural('en', go, 2)).toBe('{action}: 2 users')
  })

  test('are those that English has', () => {
    // @ts-expect-error there is no such text
    expect(frame.hello).toBeUndefined()
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

  test('keeps the direction of a value apart from that of an Arabic sentence', () => {
    expect(fill('تابع إلى {host}.', { host: 'app.example' })).toBe(
      'تابع إلى \u2068app.example\u2069.',
    )
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
