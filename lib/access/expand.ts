import type { Policy } from './policy'

/**
 * `orders:*` asks for every registered permission of `orders`; a token carries only single
 * permissions.
 */
export function expandScopes(policy: Policy, asked: readonly string[]): string[] {
  return [...new Set(asked.flatMap((scope) => expand(policy, scope)))]
}

function expand(policy: Policy, scope: string): string[] {
  if (!scope.endsWith(':*')) return [scope]
  const prefix = scope.slice(0, -1)
  const items = [...policy.items.keys()].filter((key) => key.startsWith(prefix))
  return items.length > 0 ? items : [scope]
}
