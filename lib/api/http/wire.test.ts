import { expect, test } from 'vitest'
import { z } from 'zod'
import { wireOf } from './wire'

/** What is shown of a row is what the schema names (attack N9). */

const schema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  createdAt: z.string(),
  endsAt: z.string().nullable(),
  tags: z.array(z.string()),
})
const AT = new Date('2026-11-15T12:00:00.000Z')
const row = { id: 'x_1', name: null, createdAt: AT, endsAt: null, tags: ['a'] }

test('N9: a column that the schema does not name stays where it is', () => {
  const whole = { ...row, secretHash: 'hash', passwordHash: 'argon2', version: 3 }
  const wire = wireOf(schema, whole, {})
  expect(Object.keys(wire)).toEqual(['id', 'name', 'createdAt', 'endsAt', 'tags'])
  expect(JSON.stringify(wire)).not.toMatch(/hash|argon2/)
})

test('N9: nor does one that was added by the side', () => {
  // What is spread into `others` by mistake is wider than its type.
  const others = { ...{ token: 'secret' }, name: 'Ada' }
  expect(wireOf(schema, row, others)).toEqual({
    id: 'x_1',
    name: 'Ada',
    createdAt: '2026-11-15T12:00:00.000Z',
    endsAt: null,
    tags: ['a'],
  })
})

test('a moment is written as text, also one that was added, and null stays null', () => {
  const wire = wireOf(schema, row, { endsAt: new Date(0) as never })
  expect([wire.createdAt, wire.endsAt, wire.name]).toEqual([
    '2026-11-15T12:00:00.000Z',
    '1970-01-01T00:00:00.000Z',
    null,
  ])
})

test('a row is not changed by being shown', () => {
  const before = structuredClone(row)
  wireOf(schema, row, { name: 'other' })
  expect(row).toEqual(before)
})
