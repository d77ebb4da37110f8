/** Comma-separated values (RFC 4180), as a spreadsheet opens them. */

export type Cell = string | number | boolean | null

export function toCsv(header: readonly string[], rows: Iterable<readonly Cell[]>): string {
  const lines = [header, ...rows].map((row) => row.map(toCell).join(','))
  return `${lines.join('\r\n')}\r\n`
}

/** What a spreadsheet would take for a formula is text with an apostrophe before it (N20). */
const FORMULA = /^[=+\-@\t\r\n]/
const NEEDS_QUOTES = /["\r\n,]/

function toCell(value: Cell): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
