/** What was asked and what came of it, as the one who asked saw it. */

export type GivenTokens = { access: string; refresh: string }

export type Call =
  /** A machine's token; null: refused. */
  | { op: 'issue'; app: string; token: string | null }
  | { op: 'exchange'; user: string; code: string; given: GivenTokens | null }
  | { op: 'refresh'; user: string; token: string; given: GivenTokens | null }
  | { op: 'revoke'; token: string }
  | { op: 'introspect'; token: string; active: boolean }
  | { op: 'check'; user: string; allowed: boolean }
  /** A change: the role of somebody, whether somebody or some application is enabled. */
  | { op: 'role' | 'user' | 'app'; name: string; on: boolean }

/** `end` null: the answer was lost, and it may or may not have happened. Milliseconds of one clock. */
export type Entry = Call & { client: number; start: number; end: number | null }

type Done<T> = T & { end: number }

/** Of one kind, and answered. */
export function answered<Op extends Entry['op']>(
  history: readonly Entry[],
  op: Op,
): Done<Extract<Entry, { op: Op }>>[] {
  return history.filter(
    (entry): entry is Done<Extract<Entry, { op: Op }>> => entry.op === op && entry.end !== null,
  )
}
