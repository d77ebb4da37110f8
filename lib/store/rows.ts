/** Small helpers for reading rows. */

export function millis(date: Date | null): number | null {
  return date === null ? null : date.getTime()
}

/** Only enabled rows (true), only disabled rows (false), or all (undefined). */
export function enabledIs(enabled: boolean | undefined): { disabledAt?: null | { not: null } } {
  return enabled === undefined ? {} : { disabledAt: enabled ? null : { not: null } }
}

export function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

const PAGE = 1_000
const LARGE_PAGE = 2_000

/** A whole table, page by page, so that other requests are answered in between. */
export async function allRows<T extends { id: string }>(
  page: (after: { cursor?: { id: string }; skip?: number; take: number }) => Promise<T[]>,
): Promise<T[]> {
  const rows: T[] = []
  for (let last: T | undefined; ; last = rows.at(-1)) {
    const next = await page({ take: PAGE, ...(last && { cursor: { id: last.id }, skip: 1 }) })
    rows.push(...next)
    if (next.length < PAGE) return rows
    await breathe()
  }
}

/** The users or applications to read; null for all. */
export type Ids = ReadonlySet<string> | null

/**
 * `some`, if only some are wanted. Otherwise the whole of a very large table: `page` reads it in
 * plain SQL, by ID, only the needed columns.
 */
export async function eachRow<T extends { id: string }>(
  some: Promise<T[]> | null,
  page: (after: string, atMost: number) => Promise<T[]>,
  use: (row: T) => void,
): Promise<void> {
  if (some) {
    for (const row of await some) use(row)
    return
  }
  for (let last = ''; ; ) {
    const rows = await page(last, LARGE_PAGE)
    for (const row of rows) use(row)
    last = rows.at(-1)?.id ?? ''
    if (rows.length < LARGE_PAGE) return
    await breathe()
  }
}

/** Equal strings share one object. */
export function interning(): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const first = known.get(text)
    if (first === undefined) known.set(text, text)
    return first ?? text
  }
}

/** A synchronous driver blocks other requests: this lets them run. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
