import { patternCovers } from './pattern'

/** Which of the held permissions did nobody ask for? Pure. */

type Use = 'unused' | 'partly' | 'used'

/** `items`: all permissions; `asked`: those that were asked for. */
export function useOf(
  pattern: string,
  items: Iterable<string>,
  asked: ReadonlySet<string>,
): { use: Use; neverAsked: string[] } {
  const covered = [...items].filter((item) => patternCovers(pattern, item))
  const neverAsked = covered.filter((item) => !asked.has(item))
  if (neverAsked.length === 0 && covered.length > 0) return { use: 'used', neverAsked }
  return { use: neverAsked.length === covered.length ? 'unused' : 'partly', neverAsked }
}
