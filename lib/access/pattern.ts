/**
 * `orders:read` names one item, `orders:*` every item of `orders`. There is no pattern for
 * everything: nobody should hold the portal's own items without having been given them by name.
 */
export function patternCovers(pattern: string, scope: string): boolean {
  if (pattern === scope) return true
  return pattern.endsWith(':*') && scope.startsWith(pattern.slice(0, -1))
}
