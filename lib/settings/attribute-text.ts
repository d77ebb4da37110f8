import type { UserAttribute } from './model'

/** Attributes of users in forms: a value as text, and text as a value of its type. */

type Type = UserAttribute['type']

export function attributeToText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join('\n')
  return typeof value === 'object' ? '' : String(value)
}

/** Undefined if the field is empty; null if the text has another type. */
function attributeFromText(type: Type, text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  switch (type) {
    case 'string':
      return trimmed
    case 'number':
      return Number.isFinite(Number(trimmed)) ? Number(trimmed) : null
    case 'boolean':
      return { yes: true, no: false }[trimmed] ?? null
    case 'list':
      return trimmed.split('\n').flatMap((line) => line.trim() || [])
  }
}

export const ATTRIBUTE_FIELD = 'attribute-'

type ReadAttributes = { attributes: Record<string, unknown> } | { wrong: string }

/** The attributes that a form sent; `wrong` is the key of one that is not of its type. */
export function attributesIn(
  defined: readonly UserAttribute[],
  textOf: (field: string) => string,
): ReadAttributes {
  const attributes: Record<string, unknown> = {}
  for (const { key, type } of defined) {
    const value = attributeFromText(type, textOf(`${ATTRIBUTE_FIELD}${key}`))
    if (value === null) return { wrong: key }
    if (value !== undefined) attributes[key] = value
  }
  return { attributes }
}

/** Attributes that nobody defined, or that no field can show: for the field with JSON. */
export function withoutDefined(
  defined: readonly UserAttribute[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const keys = new Set(defined.map(({ key }) => key))
  const isOdd = (value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  return Object.fromEntries(
    Object.entries(values).filter(([key, value]) => !keys.has(key) || isOdd(value)),
  )
}
