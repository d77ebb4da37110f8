/** Tables as text (RFC 4180), with a comma and a header. */

/** A cell that a spreadsheet would run is text instead (N20). */
const FORMULA = /^[=+\-@\t\r]/

export function csvOf(header: readonly string[], rows: Iterable<readonly unknown[]>): string {
  const lines = [header, ...rows].map((row) => row.map(cell).join(','))
  return `${lines.join('\r\n')}\r\n`
}

function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const PART = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y

/** Null where a quote is never closed, or stands where none may. */
export function parseCsv(text: string): string[][] | null {
  const source = text.replace(/^\uFEFF/, '')
  const rows: string[][] = [[]]
  PART.lastIndex = 0
  while (PART.lastIndex < source.length) {
    const part = PART.exec(source)
    if (!part) return null
    const [, quoted, plain = '', end] = part
    rows.at(-1)?.push(unprotected(quoted?.replaceAll('""', '"') ?? plain))
    if (end !== ',') rows.push([])
    else if (PART.lastIndex === source.length) rows.at(-1)?.push('')
  }
  return rows.filter((row) => row.length > 1 || (row[0] ?? '') !== '')
}

/** What `cell` put before a formula comes off again. */
function unprotected(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text
}
