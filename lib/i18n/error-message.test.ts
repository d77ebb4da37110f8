import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { messagesFor } from './'
import { errorMessage, errorMessageIn, rule, sentenceOf } from './error-message'
import { englishOf, errorMessageOf } from './zod-error-message'

function firstIn(schema: z.ZodType, value: unknown) {
  const { error } = schema.safeParse(value, { reportInput: true })
  const [issue] = error?.issues ?? []
  if (!issue) throw new Error('the schema accepts it')
  return issue
}

describe('what zod finds is said in sentences of ours', () => {
  const kinds = z.discriminatedUnion('kind', [z.object({ kind: z.literal('web') })])
  test.each([
    ['a missing text', z.object({ a: z.string() }), {}, 'This is required.'],
    ['an empty text', z.string().min(1), '', 'This is required.'],
    [
      'an empty text with a form',
      z.string().regex(/^a/, rule('key_shape')),
      '',
      'This is required.',
    ],
    ['a short text', z.string().min(8), 'abc', 'Use at least 8 characters.'],
    ['a long text', z.string().max(2), 'abc', 'Use at most 2 characters.'],
    ['no number', z.int(), Number.NaN, 'Enter a number.'],
    ['a text for a number', z.number(), 'x', 'Enter a number.'],
    ['a missing number', z.object({ n: z.int() }), {}, 'Enter a number.'],
    ['a part of a number', z.int(), 1.5, 'Enter a whole number.'],
    ['a small number', z.int().min(60), 5, 'Enter at least 60.'],
    ['a large number', z.int().max(60), 61, 'Enter at most 60.'],
    ['an empty list', z.array(z.string()).min(1), [], 'Choose at least one.'],
    ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'Use at most 1 entries.'],
    ['another word', z.enum(['on', 'off']), 'maybe', 'Choose one of: on, off.'],
    ['another kind', kinds, { kind: 'x' }, 'Choose one of: web.'],
    [
      'a wrong date',
      z.iso.datetime(),
      'soon',
      'Enter a date and time, such as 2030-01-31T09:00:00Z.',
    ],
    [
      'a wrong key',
      z.record(z.string().regex(/^a/, rule('attribute_shape')), z.string()),
      { b: '' },
      sentenceOf(errorMessage('attribute_shape')),
    ],
    ['a form without words', z.string().regex(/^a/), 'b', 'This value is not valid.'],
    [
      'a rule of ours',
      z.string().refine(() => false, rule('too_long', { maximum: '9' })),
      'b',
      'Use at most 9 characters.',
    ],
  ])('%s', (_what, schema, value, sentence) => {
    expect(englishOf(firstIn(schema, value))).toBe(sentence)
  })

  test('a field that does not exist is named', () => {
    expect(englishOf(firstIn(z.strictObject({}), { isuer: 1 }))).toBe(
      'This field does not exist. (isuer)',
    )
  })

  test('a mistake survives the way through a schema', () => {
    const told = errorMessage('csv_column', { column: '“{"', columns: 'a, b' })
    const schema = z
      .string()
      .refine(() => false, rule('csv_column', { column: '“{"', columns: 'a, b' }))
    expect(errorMessageOf(firstIn(schema, 'x'))).toEqual(told)
    expect(errorMessageIn('Invalid input')).toBeNull()
  })
})

test('a sentence of a field is for a code that exists, with its placeholders', async () => {
  const { errorMessages, own } = (await messagesFor('en')).admin.problems
  const all = Object.values(own).flatMap((fields) => Object.entries(fields))
  expect(all.length).toBeGreaterThan(30)
  const names = (text: string) => text.match(/\{\w+\}/g) ?? []
  for (const [place, sentence] of all) {
    const code = place.split('.')[1] ?? ''
    expect(errorMessages, place).toHaveProperty(code)
    expect(names(errorMessages[code as keyof typeof errorMessages]), place).toEqual(
      expect.arrayContaining(names(sentence)),
    )
  }
})

test('does not compile without the values of its sentence', () => {
  // @ts-expect-error {minimum} is missing
  expect(sentenceOf(errorMessage('too_short'))).toContain('{minimum}')
  // @ts-expect-error there is no such code
  expect(() => sentenceOf(errorMessage('nonsense'))).toThrow()
})
