import fc, { type Arbitrary } from 'fast-check'

/** What a JSON Schema accepts, as far as a schema can say it. */

export type Schema = {
  $ref?: string
  $defs?: Record<string, Schema>
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  type?: string | string[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
}

const DEEPEST = 4
const MAX_LENGTH = 40
const MAX = 4

export function fromSchema(schema: Schema, root: Schema = schema, depth = 0): Arbitrary<unknown> {
  const within = (part: Schema) => fromSchema(part, root, depth + 1)
  if (schema.$ref !== undefined) return refer(schema.$ref, root, depth)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(within))
  if (schema.allOf) return fc.tuple(...schema.allOf.map(within)).map(joined)
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => within({ ...schema, type })))
  return ofType(schema, within, depth)
}

function ofType(
  schema: Schema,
  within: (part: Schema) => Arbitrary<unknown>,
  depth: number,
): Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.integer(boundsOf(schema))
    case 'number':
      return fc.double({ ...boundsOf(schema), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return listOf(schema, within, depth)
    case 'object':
      return objectOf(schema, within, depth)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function refer(ref: string, root: Schema, depth: number): Arbitrary<unknown> {
  const target = ref === '#' ? root : root.$defs?.[ref.replace('#/$defs/', '')]
  if (!target || depth > DEEPEST) return fc.constant(null)
  return fromSchema(target, root, depth + 1)
}

function joined(parts: unknown[]): unknown {
  return Object.assign({}, ...parts)
}

function textOf({ format, pattern, minLength = 0, maxLength }: Schema): Arbitrary<string> {
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((at) => at.toISOString())
  if (format === 'email') return fc.nat().map((number) => `p${number}@example.org`)
  if (format === 'uri') return fc.nat().map((number) => `https://a${number}.example/x`)
  if (pattern !== undefined) return matching(pattern)
  const most = Math.min(maxLength ?? MAX_LENGTH, Math.max(minLength, MAX_LENGTH))
  return fc.string({ minLength, maxLength: most })
}

/** Patterns with something that cannot be turned round give plain text, which is then refused. */
function matching(pattern: string): Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: MAX_LENGTH })
  } catch {
    return fc.string({ maxLength: MAX_LENGTH })
  }
}

function boundsOf({ minimum, maximum }: Schema): { min: number; max: number } {
  return {
    min: Math.max(minimum ?? -1_000, -(2 ** 31)),
    max: Math.min(maximum ?? 1_000, 2 ** 31 - 1),
  }
}

function listOf(
  { items = {}, minItems = 0, maxItems = MAX }: Schema,
  within: (part: Schema) => Arbitrary<unknown>,
  depth: number,
): Arbitrary<unknown> {
  const most = depth > DEEPEST ? minItems : Math.max(minItems, Math.min(maxItems, MAX))
  return fc.array(within(items), { minLength: minItems, maxLength: most })
}

function objectOf(
  { properties = {}, required = [], additionalProperties, propertyNames }: Schema,
  within: (part: Schema) => Arbitrary<unknown>,
  depth: number,
): Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, within(part)]),
  )
  const known = fc.record(members, { requiredKeys: required }) as Arbitrary<object>
  if (typeof additionalProperties !== 'object' || depth > DEEPEST) return known
  const names = propertyNames ? (within(propertyNames) as Arbitrary<string>) : fc.string()
  const more = fc.dictionary(names, within(additionalProperties), { maxKeys: MAX })
  return fc.tuple(known, more).map(joined)
}
