import { invalidField, Problem } from './problem'

const DEEPEST = 64

/**
 * What no database, hash or object of ours can hold is refused before anything looks at it. A body
 * may hold a million values, so nothing is made for each of them: `path` is one list for all.
 */
export function requireStorable(value: unknown, path: (string | number)[]): void {
  if (typeof value === 'string') requireText(value)
  if (typeof value !== 'object' || value === null) return
  if (path.length === DEEPEST) throw new Problem('malformed', `nested deeper than ${DEEPEST}`)
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) requireMember(at, value[at], path)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    requireText(name)
    if (name === '__proto__') {
      const pointer = `/${[...path, name].join('/')}`
      throw invalidField(pointer, 'there is no such field', 'unrecognized_keys')
    }
    requireMember(name, member, path)
  }
}

function requireMember(name: string | number, member: unknown, path: (string | number)[]): void {
  path.push(name)
  requireStorable(member, path)
  path.pop()
}

/** PostgreSQL has no text with a NUL or half a character. */
export function requireText(text: string): void {
  if (text.isWellFormed() && !text.includes('\0')) return
  throw new Problem('malformed', 'a text holds a NUL or half a character')
}
