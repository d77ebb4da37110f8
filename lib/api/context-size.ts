import { z } from 'zod'

/**
 * What callers may say about an occasion, a resource or a person. Conditions walk through it, so it
 * is small: everything that they read and the portal did not make itself passes here.
 */

export const LARGEST_CONTEXT = {
  elements: 256,
  members: 256,
  characters: 4_096,
  deep: 6,
  bytes: 16 * 1024,
} as const

type Path = (string | number)[]
type TooLarge = { path: Path; message: string }

const { elements, members, characters, deep, bytes } = LARGEST_CONTEXT

export const CONTEXT_SIZE = `At most ${bytes / 1024} KiB in all, ${elements} elements a list, ${members} members an object, ${characters} characters a text, ${deep} deep`

/** The first thing that is too large; null: nothing is. */
export function tooLargeIn(value: unknown): TooLarge | null {
  return partTooLarge(value, [], 1) ?? allTooLarge(value)
}

function partTooLarge(value: unknown, path: Path, depth: number): TooLarge | null {
  const message = whatIsTooLarge(value, depth)
  if (message) return { path, message }
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const at = Array.isArray(value) ? Number(name) : name
    const found = partTooLarge(member, [...path, at], depth + 1)
    if (found) return found
  }
  return null
}

function whatIsTooLarge(value: unknown, depth: number): string | null {
  if (typeof value === 'string' && value.length > characters) {
    return `at most ${characters} characters`
  }
  if (typeof value !== 'object' || value === null) return null
  if (depth > deep) return `nested at most ${deep} deep`
  if (Array.isArray(value)) return value.length > elements ? `at most ${elements} elements` : null
  return Object.keys(value).length > members ? `at most ${members} members` : null
}

function allTooLarge(value: unknown): TooLarge | null {
  const size = Buffer.byteLength(JSON.stringify(value))
  return size > bytes ? { path: [], message: `at most ${bytes / 1024} KiB in all` } : null
}

/** For a schema: says where it is too large. */
export function withinSize(value: unknown, context: z.RefinementCtx): void {
  const found = tooLargeIn(value)
  if (found) context.addIssue({ code: 'custom', input: value, params: {}, ...found })
}

export const anyPropertiesSchema = z.record(z.string(), z.unknown())

export const propertiesSchema = anyPropertiesSchema.superRefine(withinSize).describe(CONTEXT_SIZE)
