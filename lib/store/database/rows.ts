/** Small helpers for reading rows. */

export function millis(date: Date | null): number | null {
  return date === null ? null : date.getTime()
}

const BEGINNING_OF_TIME = new Date(0)

/**
 * Only enabled rows (true), only disabled rows (false), or all (undefined). A range, which both
 * databases find in an index; "not null" only one of them.
 */
export function enabledIs(enabled: boolean | undefined): { disabledAt?: null | { gte: Date } } {
  return enabled === undefined ? {} : { disabledAt: enabled ? null : { gte: BEGINNING_OF_TIME } }
}

const PAGE = 1_000

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

/** A synchronous driver blocks other requests: this lets them run. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
