import { describe, expect, test } from 'vitest'
import { goalsOf, judge, verdict } from './goals'

const exactly = (cpuMs: number) => ({ cpuMs, low: cpuMs, high: cpuMs })

describe('a verdict', () => {
  test.each([
    [{ middle: 1.4, low: 1.2, high: 1.5 }, 'met'],
    [{ middle: 1.4, low: 1.2, high: 1.7 }, 'met, within the spread'],
    [{ middle: 1.8, low: 1.7, high: 2 }, 'missed'],
    [{ middle: 1.8, low: 1.5, high: 2 }, 'missed, within the spread'],
  ])('of %o for at most 1.6 is: %s', (ratio, word) => {
    expect(verdict(ratio, 1.6)).toBe(word)
  })
})

describe('goals', () => {
  test('a token has two, and each is judged', () => {
    const figures = new Map([
      ['floor', exactly(0.2)],
      ['oidc-provider, SQLite', exactly(0.6)],
      ['Gatehouse, SQLite', exactly(0.5)],
    ])
    expect(judge('token', figures).map(({ against, word }) => [against, word])).toEqual([
      ['floor', 'missed'],
      ['oidc-provider, SQLite', 'missed'],
    ])
  })

  test('each Node.js is held against what ran on the same one', () => {
    const figures = new Map([
      ['a bare Next.js page', exactly(10)],
      ['Gatehouse, SQLite', exactly(15)],
      ['a bare Next.js page, Node 24', exactly(5)],
      ['Gatehouse, SQLite, Node 24', exactly(10)],
    ])
    expect(judge('page-login', figures).map(({ who, word }) => [who, word])).toEqual([
      ['Gatehouse, SQLite', 'met'],
      ['Gatehouse, SQLite, Node 24', 'missed'],
    ])
  })

  test('without the other side nothing is judged', () => {
    expect(judge('check', new Map([['Gatehouse, SQLite', exactly(1)]]))).toEqual([])
  })

  test('a page may cost three times the bare one, and /login less', () => {
    expect(goalsOf('page-audit')).toEqual([{ against: 'barePage', times: 3 }])
    expect(goalsOf('page-login')).toEqual([{ against: 'barePage', times: 1.6 }])
    expect(goalsOf('floor')).toEqual([])
  })
})
