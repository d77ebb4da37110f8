import { expect, test } from 'vitest'
import { problemIn } from '../../../e2e/support/problem-in'
import { DEEPEST_ROLE } from '../../access/hierarchy'
import { requireHierarchy } from './role-tree'

const told = (parents: Record<string, string[]>, pointer?: string) =>
  problemIn(() => requireHierarchy(new Map(Object.entries(parents)), pointer))

/** Each role is above the one before: 0, 1, 2 and so on. */
const chain = (levels: number) =>
  Object.fromEntries(
    Array.from({ length: levels + 1 }, (_, at) => [`r${at}`, at === levels ? [] : [`r${at + 1}`]]),
  )

test.each<[string, Record<string, string[]>]>([
  ['itself', { a: ['a'] }],
  ['each other', { a: ['b'], b: ['a'] }],
  ['each other over a third', { a: ['b'], b: ['c'], c: ['a'], d: ['a'] }],
])('N12: roles above %s are a conflict', async (_what, parents) => {
  expect(await told(parents)).toBe('conflict /parents cycle')
  expect(await told(parents, '/roles')).toBe('conflict /roles cycle')
})

test('a role may be above two others that have one below', async () => {
  expect(await told({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })).toBe('not refused')
})

test('a parent of another place, which has no line of its own, is no mistake of the tree', async () => {
  expect(await told({ a: ['elsewhere'] })).toBe('not refused')
})

test('roles can have ten levels of parents and not eleven, in whichever order they are read', async () => {
  const reversed = (parents: Record<string, string[]>) =>
    Object.fromEntries(Object.entries(parents).reverse())
  for (const order of [(one: Record<string, string[]>) => one, reversed]) {
    expect(await told(order(chain(DEEPEST_ROLE)))).toBe('not refused')
    expect(await told(order(chain(DEEPEST_ROLE + 1)))).toBe('conflict /parents too_deep')
  }
})

test('a very long chain is refused as too deep, and does not exhaust the stack', async () => {
  expect(await told(chain(5_000))).toBe('conflict /parents too_deep')
})
