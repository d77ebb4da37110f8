import { Problem } from './problem'

/** Nobody overwrites what they have not seen (RFC 9110 §13.1.1). */

export function etagOf(version: number): string {
  return `"${version}"`
}

/** `current`: what is there now, so that a caller who lost can decide at once. */
export function requireSeen(
  ifMatch: string | null,
  current: { version: number },
  representation: unknown,
): void {
  if (ifMatch === null) throw new Problem('version_needed', 'If-Match is missing')
  const seen = ifMatch.split(',').map((part) => part.trim().replace(/^W\//, ''))
  if (seen.includes('*') || seen.includes(etagOf(current.version))) return
  throw new Problem('stale', 'If-Match names an older version', {
    headers: { ETag: etagOf(current.version) },
    members: { current: representation },
  })
}

/** The row changed between our look at it and our write. */
export function requireWritten(count: number): void {
  if (count === 1) return
  throw new Problem('stale', 'it was changed at the same moment; read it again')
}
