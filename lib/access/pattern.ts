/** `orders:read` names one item, `orders:*` every item of `orders`, `*` every item. */
export function patternCovers(pattern: string, scope: string): boolean {
  if (pattern === scope || pattern === '*') return true
  return pattern.endsWith(':*') && scope.startsWith(pattern.slice(0, -1))
}
