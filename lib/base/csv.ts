/** Comma-separated values (RFC 4180), as a spreadsheet opens them. */

export type Cell = string | number | boolean | null

export function toCsv(header: readonly string[], rows: Iterable<readonly Cell[]>): string {
  const lines = [header, ...rows].map((row) => row.map(toCell).join(','))
  return `${lines.join('\r\n')}\r\n`
}

/**
 * What a spreadsheet would read as a formula gets an apostrophe in front (attack N20), one more than
 * it has. Where spreadsheets separate cells by semicolons, our quotes do not count, and a semicolon
 * or a line break inside a cell begins another one. Excel reads full-width signs, too.
 */
const FORMULA = /(?<=^|[;\r\n])(?='*[=+\-@＝＋－＠])|^(?='*[\t\r\n])/g
const PROTECTED = new RegExp(FORMULA.source.replaceAll("(?='*", "'(?='*"), 'g')
const NEEDS_QUOTES = /["\r\n,]/

function toCell(value: Cell): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = value.replaceAll(FORMULA, "'")
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const PART = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y

/** Null if a quote is never closed or is in a wrong place. */
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

/** Removes what `toCell` put in front of a formula. */
function unprotected(text: string): string {
  return text.replaceAll(PROTECTED, '')
}
