import { expect, test } from 'vitest'
import { misplacedIn } from './hierarchy'

const of = (parents: Record<string, string[]>) => misplacedIn(new Map(Object.entries(parents)))
const chain = (length: number) =>
  Object.fromEntries(Array.from({ length }, (_, at) => [`r${at}`, [`r${at + 1}`]]))

test.each([
  ['nobody above anybody', { a: [], b: [] }, null],
  ['a diamond', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, null],
  ['ten over one', chain(10), null],
  ['eleven over one', chain(11), 'too_deep'],
  ['thousands, one over the other', chain(20_000), 'too_deep'],
  ['oneself', { a: ['a'] }, 'cycle'],
  ['a circle that nobody starts in', { x: ['a'], a: ['b'], b: ['c'], c: ['a'] }, 'cycle'],
])('%s', (_name, parents, expected) => {
  expect(of(parents)).toBe(expected)
})

test('ten floors of fifty roles, each under all of the next: each is looked at once', () => {
  const floor = (at: number) => Array.from({ length: 50 }, (_, role) => `${at}-${role}`)
  const entries = Array.from({ length: 10 }, (_, at) =>
    floor(at).map((role): [string, string[]] => [role, floor(at + 1)]),
  ).flat()
  let asked = 0
  const parents = new Map(entries)
  const get = parents.get.bind(parents)
  parents.get = (id) => {
    asked += 1
    return get(id)
  }
  expect(misplacedIn(parents)).toBeNull()
  expect(asked).toBe(550)
})
