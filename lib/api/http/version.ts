import { Problem } from './problem'

/** Nobody overwrites a version that they have not read (RFC 9110 §13.1.1). */

export function etagOf(version: number): string {
  return `"${version}"`
}

/**
 * `current`: the object as it is now, so that a caller whose version is stale can decide at once.
 */
export function requireSeen(
  ifMatch: string | null,
  current: { version: number },
  representation: unknown,
): void {
  if (ifMatch === null)
    throw new Problem('version_needed', 'send If-Match with the ETag that you have read')
  const seen = ifMatch.split(',').map((part) => part.trim().replace(/^W\//, ''))
  if (seen.includes('*') || seen.includes(etagOf(current.version))) return
  throw new Problem('stale', 'If-Match names an older version: read the object again', {
    headers: { ETag: etagOf(current.version) },
    members: { current: representation },
  })
}

/** The row was changed between the read and the write. */
export function requireWritten(count: number): void {
  if (count === 1) return
  throw new Problem('stale', 'the object was changed at the same moment: read it again')
}
