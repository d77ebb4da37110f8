import type { z } from 'zod'
import type { UncheckedInput } from './operation'

/** What is a moment in the database is text on the wire; a column does not know which texts. */
type Stored<Shown> = UncheckedInput<Shown> | (string extends Shown ? Date : never)

type Row<Wire, Others> = {
  [Name in Exclude<keyof Wire, keyof Others>]: Stored<Wire[Name]>
}

/**
 * What the schema names of a row, and nothing else of it. `others`: members that the row does not
 * have, or not under this name.
 */
export function wireOf<Schema extends z.ZodObject, Others extends Partial<z.infer<Schema>>>(
  schema: Schema,
  row: Row<z.infer<Schema>, Others>,
  others: Others,
): z.infer<Schema> {
  const all: Record<string, unknown> = { ...row, ...others }
  const shown = Object.keys(schema.shape).map((name) => [name, withoutDate(all[name])])
  return Object.fromEntries(shown)
}

function withoutDate(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}
