import { errorMessage } from '../../i18n/error-message'
import { invalidField, Problem } from './problem'

const DEEPEST = 64

/**
 * Refuses values that the database, a hash or an object cannot hold, before anything reads them. A
 * body may contain a million values, so nothing is allocated for each: `path` is one list for all.
 */
export function requireStorable(value: unknown, path: (string | number)[]): void {
  if (typeof value === 'string') requireText(value)
  if (typeof value !== 'object' || value === null) return
  if (path.length === DEEPEST)
    throw new Problem('malformed', `the body may be nested at most ${DEEPEST} levels`)
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) requireMember(at, value[at], path)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    requireText(name)
    if (name === '__proto__') {
      const pointer = `/${[...path, name].join('/')}`
      throw invalidField(pointer, errorMessage('unrecognized_keys'))
    }
    requireMember(name, member, path)
  }
}

function requireMember(name: string | number, member: unknown, path: (string | number)[]): void {
  path.push(name)
  requireStorable(member, path)
  path.pop()
}

/** PostgreSQL cannot store text with a NUL or an unpaired surrogate. */
export function requireText(text: string): void {
  if (text.isWellFormed() && !text.includes('\0')) return
  throw new Problem('malformed', 'text must not contain NUL characters or unpaired surrogates')
}
