import { z } from 'zod'
import { type Cell, toCsv } from '../../base/csv'
import type { Op } from '../../context/op'
import { type AuditEntryRow, listAuditPage } from '../../store/audit/audit'
import type { Page, Position } from '../../store/database/page'
import { operation, tagged } from '../http/operation'
import { type AuditQuery, auditFilters, filtersOf, toWire } from './audit'

/** The audit log as a file: CSV, or one JSON entry per line. */

const MAX_EXPORTED = 50_000
const PAGE = 2_000

type Line = ReturnType<typeof toWire>

const COLUMNS = [
  ...(['seq', 'at', 'event', 'result', 'actorKind', 'actorId', 'targetKind', 'targetId'] as const),
  ...(['applicationId', 'ip', 'requestId', 'decisionId', 'id'] as const),
]

const FORMATS = {
  csv: {
    type: 'text/csv; charset=utf-8',
    write: (lines: Line[]) => toCsv([...COLUMNS, 'detail'], lines.map(toCells)),
  },
  ndjson: {
    type: 'application/x-ndjson',
    write: (lines: Line[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  },
} as const

function toCells(line: Line): Cell[] {
  return [...COLUMNS.map((column) => line[column]), JSON.stringify(line.detail)]
}

/** The newest first. One entry more than the limit shows that there are more. */
async function readLines(op: Op, query: AuditQuery): Promise<Line[]> {
  const { databaseKind } = op
  const ask = { limit: PAGE, sort: '-seq', q: null, mostCounted: null, databaseKind } as const
  const lines: Line[] = []
  let after: Position | null = null
  do {
    const page: Page<AuditEntryRow> = await op.readReplica((db) =>
      listAuditPage(db, filtersOf(query), { ...ask, after }),
    )
    lines.push(...page.rows.map(toWire))
    after = page.next
  } while (after && lines.length <= MAX_EXPORTED)
  return lines
}

const exportAuditEvents = operation({
  id: 'exportAuditEvents',
  method: 'GET',
  path: '/audit-events:export',
  summary: `Download entries of the audit log, the newest ${MAX_EXPORTED}; X-Complete says whether these are all`,
  scope: 'audit:read',
  query: z.strictObject({ ...auditFilters, format: z.enum(['csv', 'ndjson']).default('csv') }),
  answers: { 200: z.string() },
  media: Object.values(FORMATS).map(({ type }) => type),
  async handle(op, { query: { format, ...filters } }) {
    const lines = await readLines(op, filters)
    const { type, write } = FORMATS[format]
    const day = op.now().toISOString().slice(0, 10)
    return {
      status: 200,
      headers: { 'X-Complete': String(lines.length <= MAX_EXPORTED) },
      file: {
        type,
        name: `audit-${day}.${format}`,
        text: write(lines.slice(0, MAX_EXPORTED)),
      },
    }
  },
})

export const auditExportRoutes = tagged('Audit log', [exportAuditEvents])
