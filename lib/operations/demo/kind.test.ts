import { expect, test } from 'vitest'
import { DemoRefused, demoKindIn } from './kind'

test.each([
  [[], null],
  [['--other'], null],
  [['--demo'], 'full'],
  [['--worker=first', '--demo=quiet'], 'quiet'],
])('npm start with %j loads %s', (args, kind) => {
  expect(demoKindIn(args)).toBe(kind)
})

test('a demo of another kind is refused with what there is', () => {
  expect(() => demoKindIn(['--demo=loud'])).toThrow(DemoRefused)
  expect(() => demoKindIn(['--demo=loud'])).toThrow(/use --demo or --demo=quiet/)
})
