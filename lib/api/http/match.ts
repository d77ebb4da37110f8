import type { AnyOperation } from './operation'

/** Finds the operation of a request. Fixed segments win over parameters. */

type Found = { operation: AnyOperation; params: Record<string, string> }

export type Matcher = {
  find(method: string, path: string): Found | null
  /** The methods of a path; empty if the path does not exist. */
  methodsAt(path: string): string[]
}

type Compiled = { operation: AnyOperation; segments: string[] }

export function matcher(operations: readonly AnyOperation[]): Matcher {
  const compiled: Compiled[] = operations
    .map((operation) => ({ operation, segments: operation.path.split('/') }))
    .sort((a, b) => fixedFirst(a.segments, b.segments))
  const fixed = new Map(
    operations
      .filter(({ path }) => !path.includes('{'))
      .map((operation) => [`${operation.method} ${operation.path}`, { operation, params: {} }]),
  )
  return {
    find(method, path) {
      const whole = fixed.get(`${method} ${path}`)
      if (whole) return whole
      const segments = path.split('/')
      for (const { operation, segments: pattern } of compiled) {
        if (operation.method !== method) continue
        const params = paramsOf(pattern, segments)
        if (params) return { operation, params }
      }
      return null
    },
    methodsAt(path) {
      const segments = path.split('/')
      const found = compiled.filter((entry) => paramsOf(entry.segments, segments))
      return [...new Set(found.map(({ operation }) => operation.method))]
    },
  }
}

function fixedFirst(a: string[], b: string[]): number {
  return a.filter(isParameter).length - b.filter(isParameter).length
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

function paramsOf(pattern: string[], segments: string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [at, expected] of pattern.entries()) {
    const given = segments[at] ?? ''
    if (!isParameter(expected)) {
      if (expected !== given) return null
      continue
    }
    const value = decoded(given)
    if (value === null || value === '') return null
    params[expected.slice(1, -1)] = value
  }
  return params
}

/** Null for invalid percent-encoding and for control characters, which no ID contains. */
function decoded(segment: string): string | null {
  try {
    const value = decodeURIComponent(segment)
    return /\p{Cc}/u.test(value) ? null : value
  } catch {
    return null
  }
}
