import type { Grant, Terms } from './model-facts'

/** What a grant covers, and when. */

export function covers(pattern: string, scope: string): boolean {
  if (!pattern.endsWith(':*')) return pattern === scope
  return scope.startsWith(pattern.slice(0, -1))
}

/** The same condition or none to keep, and inside the other's time. */
export function isNoWider(given: Terms, own: Terms): boolean {
  if (own.effect !== 'allow') return false
  const time = (text: string | null, none: number) => (text === null ? none : Date.parse(text))
  return (
    (own.condition === null || own.condition === given.condition) &&
    time(own.validFrom, -Infinity) <= time(given.validFrom, -Infinity) &&
    time(own.validUntil, Infinity) >= time(given.validUntil, Infinity)
  )
}

export function terms({ pattern, exchangeFrom, effect, condition, validFrom, validUntil }: Grant) {
  return [pattern, exchangeFrom, effect, condition, validFrom, validUntil]
}

export function sameText(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
