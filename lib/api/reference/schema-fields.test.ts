import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toSchema } from '../openapi/openapi'
import { type Field, fieldsOf, typeOf } from './schema-fields'

const show = (schema: z.ZodType) => fieldsOf(toSchema(schema, 'input'))
const outline = (fields: Field[]): unknown[] =>
  fields.map(({ name, fields: inner }) => (inner.length ? [name, outline(inner)] : name))

describe('the type of a value', () => {
  test.each<[string, z.ZodType]>([
    ['string', z.string()],
    ['string | null', z.string().nullable()],
    ['string | null', z.iso.datetime().nullable()],
    ['"allow" | "deny"', z.enum(['allow', 'deny'])],
    ['("allow" | "deny")[]', z.array(z.enum(['allow', 'deny']))],
    ['"x"', z.literal('x')],
    ['object', z.object({ a: z.string() })],
    ['object[]', z.array(z.object({ a: z.string() }))],
    ['{ [string]: any }', z.record(z.string(), z.unknown())],
    ['string | object', z.union([z.string(), z.object({ a: z.string() })])],
    ['any', z.unknown()],
  ])('%s', (type, schema) => {
    expect(typeOf(toSchema(schema, 'input'))).toBe(type)
  })
})

describe('the fields of a schema', () => {
  test('keep their order, their need and their nesting', () => {
    const fields = show(
      z.strictObject({
        b: z.string(),
        a: z.array(z.object({ deep: z.object({ deeper: z.boolean() }) })).optional(),
      }),
    )
    expect(outline(fields)).toEqual(['b', ['a', [['deep', ['deeper']]]]])
    expect(fields.map(({ required }) => required)).toEqual([true, false])
  })

  test('of several forms are told apart; one form besides a string is just there', () => {
    const grant = z.object({ pattern: z.string() })
    expect(outline(show(z.union([z.string(), grant])))).toEqual(['pattern'])
    const either = show(z.union([grant, z.object({ role: z.string() }), z.null()]))
    expect(outline(either)).toEqual([
      [null, ['pattern']],
      [null, ['role']],
    ])
  })

  test('say their limits, through null and default', () => {
    const [field] = show(z.object({ a: z.string().min(1).max(9).nullable().default(null) }))
    expect(field?.limits).toEqual([
      { kind: 'length', least: 1, most: 9 },
      { kind: 'default', text: 'null' },
    ])
  })

  test('name a format and not its pattern, and no limit that nobody set', () => {
    const fields = show(
      z.object({
        at: z.iso.datetime(),
        n: z.int(),
        list: z.array(z.string()).max(3),
        key: z.string().regex(/^k/),
      }),
    )
    expect(fields.map(({ limits }) => limits)).toEqual([
      [{ kind: 'format', text: 'date-time' }],
      [],
      [{ kind: 'items', least: null, most: 3 }],
      [{ kind: 'pattern', text: '^k' }],
    ])
  })
})
