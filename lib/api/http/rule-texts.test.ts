import { expect, test } from 'vitest'
import { z } from 'zod'
import { errorMessageIn } from '../../i18n/error-message'
import { routes } from '../table'

/** Every rule that carries a text of its own, in a schema and in all that it consists of. */
function textsIn(schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  if (!(schema instanceof z.core.$ZodType) && !('_zod' in schema)) {
    return Object.values(schema).flatMap((part) => textsIn(part, seen))
  }
  const { def } = (schema as { _zod: { def: Record<string, unknown> } })._zod
  return [...textOf(def), ...Object.values(def).flatMap((part) => textsIn(part, seen))]
}

/** A pattern without a text could only say that the value is not valid. */
function textOf({ error, format }: Record<string, unknown>): string[] {
  if (error === undefined && format === 'regex') return ['a pattern without a text']
  const text = typeof error === 'function' ? error({ code: 'custom', input: 'x' }) : undefined
  return typeof text === 'string' ? [text] : []
}

test('every rule of every operation has a sentence in each language', () => {
  const texts = routes.flatMap(({ body, query }) => [...textsIn(body), ...textsIn(query)])
  expect(texts.length).toBeGreaterThan(200)
  expect(texts.filter((text) => errorMessageIn(text) === null)).toEqual([])
})
