/**
 * `orders:read` names one permission, `orders:*` every permission of `orders`. There is no pattern
 * for everything: the portal's own permissions must always be given by name.
 */
export function patternCovers(pattern: string, scope: string): boolean {
  if (pattern === scope) return true
  return pattern.endsWith(':*') && scope.startsWith(pattern.slice(0, -1))
}

/** Whether some permission can be named by one of these and one of those. */
export function patternsOverlap(these: readonly string[], those: readonly string[]): boolean {
  return these.some((one) =>
    those.some((other) => patternCovers(one, other) || patternCovers(other, one)),
  )
}
