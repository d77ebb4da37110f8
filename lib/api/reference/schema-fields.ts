/** A JSON Schema for readers: names, types and limits, in the order of the source. */

export type JsonSchema = Record<string, unknown>

export type Limit =
  | { kind: 'length' | 'items' | 'range'; least: number | null; most: number | null }
  | { kind: 'format' | 'pattern'; text: string }
  | { kind: 'default'; text: string }

export type Field = {
  /** Null for one of several alternatives. */
  name: string | null
  type: string
  required: boolean
  description: string | null
  limits: Limit[]
  fields: Field[]
}

export function fieldsOf(schema: JsonSchema): Field[] {
  const inner = formsOf(schema).filter((form) => contentOf(form) !== null)
  if (inner.length > 1) return inner.map((form) => fieldOf(null, form, false))
  const [only] = inner
  return only ? (contentOf(only) ?? []) : []
}

export function fieldOf(name: string | null, schema: JsonSchema, required: boolean): Field {
  const { description } = schema
  return {
    name,
    type: typeOf(schema),
    required,
    description: typeof description === 'string' ? description : null,
    limits: limitsOf(schema),
    fields: fieldsOf(schema),
  }
}

/** The alternatives of a value. Null is part of the type and is not one of them. */
function formsOf(schema: JsonSchema): JsonSchema[] {
  const forms = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  return forms ? forms.filter(({ type }) => type !== 'null').flatMap(formsOf) : [schema]
}

function contentOf(schema: JsonSchema): Field[] | null {
  const { properties, required, items } = schema
  if (isObject(items)) {
    const inside = fieldsOf(items)
    return inside.length > 0 ? inside : null
  }
  if (!isObject(properties)) return null
  const needed = new Set(Array.isArray(required) ? required : [])
  return Object.entries(properties).map(([name, one]) =>
    fieldOf(name, one as JsonSchema, needed.has(name)),
  )
}

// ---------------------------------------------------------------- types

export function typeOf(schema: JsonSchema): string {
  const { type, items, anyOf, oneOf } = schema
  const forms = (anyOf ?? oneOf) as JsonSchema[] | undefined
  if (forms) return [...new Set(forms.map(typeOf))].join(' | ')
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(type)) return type.join(' | ')
  if (type === 'array') return listOf(isObject(items) ? typeOf(items) : 'any')
  if (type === 'object') return mapOf(schema)
  return typeof type === 'string' ? type : 'any'
}

function listOf(inner: string): string {
  return inner.includes(' ') ? `(${inner})[]` : `${inner}[]`
}

function mapOf({ properties, propertyNames, additionalProperties }: JsonSchema): string {
  if (properties || !isObject(additionalProperties)) return 'object'
  const names = isObject(propertyNames) ? typeOf(propertyNames) : 'string'
  return `{ [${names}]: ${typeOf(additionalProperties)} }`
}

// ---------------------------------------------------------------- limits

function limitsOf(schema: JsonSchema): Limit[] {
  const [only, ...others] = formsOf(schema)
  const of = only && others.length === 0 ? only : schema
  return [
    ...between('length', of.minLength, of.maxLength),
    ...between('items', of.minItems, of.maxItems),
    ...between('range', safe(of.minimum), safe(of.maximum)),
    ...wording(of),
    ...('default' in schema
      ? [{ kind: 'default' as const, text: JSON.stringify(schema.default) }]
      : []),
  ]
}

function between(kind: 'length' | 'items' | 'range', least: unknown, most: unknown): Limit[] {
  const limit = { kind, least: numberOr(least), most: numberOr(most) }
  return limit.least === null && limit.most === null ? [] : [limit]
}

/** The name of a known format tells a reader more than its pattern. */
function wording({ format, pattern }: JsonSchema): Limit[] {
  if (typeof format === 'string') return [{ kind: 'format', text: format }]
  return typeof pattern === 'string' ? [{ kind: 'pattern', text: pattern }] : []
}

function numberOr(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** The smallest and the largest safe integer are not worth showing as limits. */
function safe(value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER ? null : value
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
