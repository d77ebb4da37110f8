/** What a run counts, and the table that it ends in. */

export type Line = {
  part: string
  what: string
  database: string
  rounds: number
  kills: number
  checks: number
  violations: string[]
}

export type Tally = Line & {
  /** One thing that must hold; what is said when it does not. */
  check(holds: boolean, otherwise: string): void
}

export function newTally(part: string, what: string, database: string): Tally {
  const line: Line = { part, what, database, rounds: 0, kills: 0, checks: 0, violations: [] }
  return Object.assign(line, {
    check(holds: boolean, otherwise: string) {
      line.checks += 1
      if (!holds) line.violations.push(otherwise)
    },
  })
}

const HEADS = ['part', 'what', 'database', 'rounds', 'kills', 'checks', 'violations']
const TEXT_COLUMNS = 3
const MAX_TOLD = 5

export function table(lines: readonly Line[]): string {
  const rows = [HEADS, ...lines.map(cells), cells(total(lines))]
  const widths = HEADS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows
    .map((row) => row.map((cell, at) => pad(cell, at, widths[at] ?? 0)).join('  '))
    .join('\n')
}

function pad(cell: string, at: number, width: number): string {
  return at < TEXT_COLUMNS ? cell.padEnd(width) : cell.padStart(width)
}

function cells({ part, what, database, rounds, kills, checks, violations }: Line): string[] {
  return [part, what, database, ...[rounds, kills, checks, violations.length].map(String)]
}

function total(lines: readonly Line[]): Line {
  const sum = (of: (line: Line) => number) => lines.reduce((all, line) => all + of(line), 0)
  return {
    part: 'all',
    what: '',
    database: '',
    rounds: sum(({ rounds }) => rounds),
    kills: sum(({ kills }) => kills),
    checks: sum(({ checks }) => checks),
    violations: lines.flatMap(({ violations }) => violations),
  }
}

/** As soon as a part ends: what a run found is not lost with the run. */
export function summaryOf(line: Line): string[] {
  const { part, what, checks, violations } = line
  const found = `${part}: ${what}: ${violations.length} violations in ${checks} checks`
  return [found, ...told(line).slice(1)]
}

/** The first few of each line: one fault often shows a thousand times. */
export function told({ part, what, database, violations }: Line): string[] {
  const shown = violations.slice(0, MAX_TOLD).map((violation) => `  ${violation}`)
  const more = violations.length - shown.length
  if (shown.length === 0) return []
  return [`${part}: ${what} on ${database}`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])]
}
