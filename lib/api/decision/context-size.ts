import { z } from 'zod'
import { type ErrorMessage, errorMessage, ruleFor } from '../../i18n/error-message'

/**
 * Limits for the context, the resource properties and the user attributes that callers send.
 * Conditions walk through them, so they must be small.
 */

export const MAX_CONTEXT = {
  elements: 256,
  members: 256,
  characters: 4_096,
  deep: 6,
  bytes: 16 * 1024,
} as const

type Path = (string | number)[]
type TooLarge = { path: Path; reason: ErrorMessage }

const { elements, members, characters, deep, bytes } = MAX_CONTEXT

const CONTEXT_SIZE = `At most ${bytes / 1024} KiB in total, ${elements} elements per list, ${members} members per object, ${characters} characters per string, nested ${deep} levels`

/** The first part that is too large; null if none is. */
export function tooLargeIn(value: unknown): TooLarge | null {
  return partTooLarge(value, [], 1) ?? allTooLarge(value)
}

function partTooLarge(value: unknown, path: Path, depth: number): TooLarge | null {
  const reason = whatIsTooLarge(value, depth)
  if (reason) return { path, reason }
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const at = Array.isArray(value) ? Number(name) : name
    const found = partTooLarge(member, [...path, at], depth + 1)
    if (found) return found
  }
  return null
}

function whatIsTooLarge(value: unknown, depth: number): ErrorMessage | null {
  if (typeof value === 'string' && value.length > characters) {
    return errorMessage('too_long', { maximum: String(characters) })
  }
  if (typeof value !== 'object' || value === null) return null
  if (depth > deep) return errorMessage('too_nested', { maximum: String(deep) })
  if (Array.isArray(value))
    return value.length > elements ? errorMessage('too_many', { maximum: String(elements) }) : null
  const isLarge = Object.keys(value).length > members
  return isLarge ? errorMessage('too_many_members', { maximum: String(members) }) : null
}

function allTooLarge(value: unknown): TooLarge | null {
  const size = Buffer.byteLength(JSON.stringify(value))
  return size > bytes
    ? { path: [], reason: errorMessage('too_many_bytes', { maximum: String(bytes / 1024) }) }
    : null
}

/** For a schema: reports where the value is too large. */
export function withinSize(value: unknown, context: z.RefinementCtx): void {
  const found = tooLargeIn(value)
  if (!found) return
  const { path, reason } = found
  context.addIssue({ code: 'custom', input: value, path, message: ruleFor(reason) })
}

export const anyPropertiesSchema = z.record(z.string(), z.unknown())

export const propertiesSchema = anyPropertiesSchema.superRefine(withinSize).describe(CONTEXT_SIZE)
