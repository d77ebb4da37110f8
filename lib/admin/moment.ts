/** Moments as `<input type="datetime-local">` writes them, read as UTC. */

const TYPED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/

/** As the API wants it; null where nothing was typed, undefined where it is no moment. */
export function momentIn(text: string): string | null | undefined {
  if (text.trim() === '') return null
  const moment = `${text.trim()}Z`
  if (!TYPED.test(text.trim()) || Number.isNaN(Date.parse(moment))) return undefined
  return new Date(moment).toISOString()
}

export function toInput(iso: string | null): string {
  return iso === null ? '' : iso.slice(0, 16)
}

const DAY_MS = 24 * 3_600_000

/** So many days from now, for a choice of lifetimes; null where it is none of a number. */
export function inDays(text: string, now: Date): string | null {
  if (!/^\d{1,4}$/.test(text)) return null
  return new Date(now.getTime() + Number(text) * DAY_MS).toISOString()
}
