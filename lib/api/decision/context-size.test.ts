import { expect, test } from 'vitest'
import { MAX_CONTEXT, propertiesSchema, tooLargeIn } from './context-size'

const { elements, members, characters, deep } = MAX_CONTEXT
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)
const nested = (count: number): unknown =>
  Array.from({ length: count }).reduce<unknown>((inner) => ({ in: inner }), 1)

test.each<[string, object, (string | number)[] | null]>([
  ['a list at its limit', { l: times(elements, 1) }, null],
  ['one element more', { l: times(elements + 1, 1) }, ['l']],
  ['a text at its limit', { t: 'x'.repeat(characters) }, null],
  ['one character more', { a: [1, { t: 'x'.repeat(characters + 1) }] }, ['a', 1, 't']],
  ['as deep as can be', { o: nested(deep - 1) }, null],
  ['one deeper', { o: nested(deep) }, ['o', ...times(deep - 1, 'in')]],
  ['too many members', Object.fromEntries(times(members + 1, 1).map((_, at) => [at, 1])), []],
  ['too much in all', { a: times(5, 'x'.repeat(characters)) }, []],
])('%s', (_name, value, path) => {
  expect(tooLargeIn(value)?.path ?? null).toEqual(path)
  const parsed = propertiesSchema.safeParse(value)
  expect(parsed.error?.issues[0]?.path ?? null).toEqual(path)
})
