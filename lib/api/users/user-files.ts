import { z } from 'zod'
import { type Cell, parseCsv, toCsv } from '../../base/csv'
import { parsedJson } from '../../base/json-text'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import { errorMessageOf } from '../../i18n/zod-error-message'
import {
  insertUser,
  listUserPage,
  takenNames,
  type UserFields,
  type UserFilters,
  type UserRecord,
} from '../../store/accounts/users'
import { deletedAmong } from '../../store/audit/deleted-ids'
import type { Page, Position } from '../../store/database/page'
import { authorize } from '../authority/authorize'
import { type ChangeEntry, changeInParts } from '../authority/change'
import { privilegesOfNewcomers } from '../authority/deciders'
import { USED_BEFORE } from '../authority/never-reused'
import { privilegesOfAdminRole } from '../authority/privileges'
import { operation, tagged } from '../http/operation'
import { searchedWordSchema } from '../http/page'
import {
  type FieldProblem,
  fieldProblem,
  fieldProblemSchema,
  invalidField,
  isProblem,
} from '../http/problem'
import { chosenUserId } from '../http/schemas'
import { fieldsOf, NOTHING_YET, requireName, userFilters, userFiltersOf, userShape } from './users'

/** Many users as a table. An exported table can be imported again. */

const MAX_EXPORTED = 100_000
const MAX_IMPORTED = 5_000
const AT_A_TIME = 1_000

const CSV = 'text/csv; charset=utf-8'
const JSON_TYPE = 'application/json'

const COLUMNS = [
  'id',
  'name',
  'email',
  'emailVerified',
  'username',
  'locale',
  'enabled',
  'adminRole',
  'attributes',
] as const
type Column = (typeof COLUMNS)[number]

// ---------------------------------------------------------------- out

async function exportedUsers(op: Op, filters: UserFilters): Promise<UserRecord[]> {
  const ask = { q: null, sort: 'id', limit: AT_A_TIME, mostCounted: null } as const
  const { databaseKind } = op
  const users: UserRecord[] = []
  let after: Position | null = null
  do {
    const page: Page<UserRecord> = await op.readReplica((db) =>
      listUserPage(db, filters, { ...ask, after, databaseKind }),
    )
    users.push(...page.rows)
    after = page.next
  } while (after && users.length < MAX_EXPORTED)
  return users
}

function cellsOf(user: UserRecord): Cell[] {
  const { id, name, email, emailVerified, username, locale, adminRole, attributes } = user
  const enabled = user.disabledAt === null
  const told = Object.keys(attributes).length > 0 ? JSON.stringify(attributes) : ''
  return [id, name, email, emailVerified, username, locale, enabled, adminRole, told]
}

// ---------------------------------------------------------------- in

const rowSchema = z
  .strictObject({ id: chosenUserId, ...userShape })
  .omit({ profile: true })
  .partial()
type Row = z.infer<typeof rowSchema>

const outcomeSchema = z.object({
  row: z.number().describe('Row number, from 1, without the header'),
  outcome: z.enum(['created', 'exists', 'invalid']),
  name: z.string(),
  detail: z.string().nullable(),
  errors: z.array(fieldProblemSchema).describe('With `invalid`: what is wrong in this row'),
})
const importedSchema = z.object({
  dryRun: z.boolean(),
  created: z.number(),
  data: z.array(outcomeSchema),
})

export type ImportedUser = z.infer<typeof importedSchema>
type Outcome = z.infer<typeof outcomeSchema>
type Fresh = { id: string; fields: UserFields }
type Read = { row: number; name: string; user: Fresh | null; errors: FieldProblem[] }

function tableOf(csv: string): { columns: Column[]; rows: string[][] } {
  const [header, ...rows] = parseCsv(csv) ?? []
  if (!header) throw invalidField('/csv', errorMessage('csv_needed'))
  const unknown = header.find((name) => !COLUMNS.includes(name as Column))
  if (unknown !== undefined) {
    throw invalidField(
      '/csv',
      errorMessage('csv_column', { column: unknown, columns: COLUMNS.join(', ') }),
    )
  }
  if (rows.length > MAX_IMPORTED)
    throw invalidField('/csv', errorMessage('csv_rows', { maximum: String(MAX_IMPORTED) }))
  return { columns: header as Column[], rows }
}

function readRow(op: Op, columns: readonly Column[], cells: readonly string[], row: number): Read {
  const given = Object.fromEntries(columns.map((column, at) => [column, cells[at]?.trim() ?? '']))
  const name = given.email || given.username || given.name || `${row}`
  const parsed = rowSchema.safeParse(valuesIn(given))
  if (!parsed.success) {
    const errors = parsed.error.issues.map((issue) =>
      fieldProblem(`/${issue.path.join('/')}`, errorMessageOf(issue)),
    )
    return { row, name, user: null, errors }
  }
  return checked(op, parsed.data, { row, name })
}

function toldIn([first]: readonly FieldProblem[]): string | null {
  return first ? `${first.pointer.slice(1)}: ${first.detail}` : null
}

function checked(op: Op, { id, ...changes }: Row, line: { row: number; name: string }): Read {
  try {
    const fields = { ...NOTHING_YET, ...fieldsOf(op, changes, NOTHING_YET) }
    requireName(fields)
    return { ...line, user: { id: id ?? newId('usr'), fields }, errors: [] }
  } catch (error) {
    if (!isProblem(error)) throw error
    return { ...line, user: null, errors: [...(error.options.errors ?? [])] }
  }
}

/** In a table every value is text; an empty cell means a missing value. */
function valuesIn(given: Record<string, string>): Record<string, unknown> {
  const said = Object.entries(given).filter(([, text]) => text !== '')
  return Object.fromEntries(said.map(([column, text]) => [column, typedCell(column, text)]))
}

function typedCell(column: string, text: string): unknown {
  if (column === 'enabled' || column === 'emailVerified') {
    return { true: true, false: false }[text.toLowerCase()] ?? text
  }
  return column === 'attributes' ? (parsedJson(text) ?? text) : text
}

/** A user who exists already, in the portal or further up in the table, is not changed. */
async function outcomesOf(op: Op, reads: Read[]): Promise<{ outcomes: Outcome[]; fresh: Fresh[] }> {
  const wanted = reads.flatMap(({ user }) => (user ? { ...user.fields, id: user.id } : []))
  const taken = await op.read((db) => takenNames(db, wanted))
  const ids = wanted.map(({ id }) => id)
  const deleted = await op.read((db) => deletedAmong(db, ids))
  const fresh: Fresh[] = []
  const outcomes = reads.map(({ row, name, user, errors }): Outcome => {
    if (!user) return { row, name, outcome: 'invalid', detail: toldIn(errors), errors }
    if (deleted.has(user.id)) {
      const used = [fieldProblem('/id', USED_BEFORE)]
      return { row, name, outcome: 'invalid', detail: toldIn(used), errors: used }
    }
    if (!taken.claim({ ...user.fields, id: user.id })) {
      return { row, name, outcome: 'exists', detail: null, errors: [] }
    }
    fresh.push(user)
    return { row, name, outcome: 'created', detail: null, errors: [] }
  })
  return { outcomes, fresh }
}

// ---------------------------------------------------------------- routes

const exportUsers = operation({
  id: 'exportUsers',
  method: 'GET',
  path: '/users:export',
  summary: `Download users as CSV or JSON, at most ${MAX_EXPORTED}`,
  scope: 'users:read',
  query: z.strictObject({
    format: z.enum(['csv', 'json']).default('csv'),
    q: searchedWordSchema,
    ...userFilters,
  }),
  answers: { 200: z.array(z.unknown()) },
  media: [CSV, JSON_TYPE],
  async handle(op, { query }) {
    const users = await exportedUsers(op, { ...userFiltersOf(query), word: query.q })
    const rows = users.map(cellsOf)
    if (query.format === 'csv') {
      const file = {
        type: CSV,
        name: 'users.csv',
        text: toCsv(COLUMNS, rows),
      }
      return { status: 200, file }
    }
    const records = users.map(({ version: _, ...user }) => user)
    const text = JSON.stringify(records, null, 2)
    return { status: 200, file: { type: JSON_TYPE, name: 'users.json', text } }
  },
})

export const importUsers = operation({
  id: 'importUsers',
  method: 'POST',
  path: '/users:import',
  summary: 'Create users from a CSV table; existing users are not changed',
  scope: 'users:write',
  body: z.strictObject({
    csv: z
      .string()
      .min(1)
      .max(1024 * 1024)
      .describe(`With a header; columns: ${COLUMNS.join(', ')}`),
    dryRun: z.boolean().default(false).describe('Show what would happen, without creating users'),
  }),
  example: { csv: 'name,email\nCleo Clerk,cleo@example.com\n', dryRun: true },
  answers: { 200: importedSchema },
  async handle(op, call) {
    const { columns, rows } = tableOf(call.body.csv)
    const reads = rows.map((cells, at) => readRow(op, columns, cells, at + 1))
    const { outcomes, fresh } = await outcomesOf(op, reads)
    const newcomers = fresh.map(({ id, fields }) => ({ ...fields, id }))
    await authorize(op, call, [
      ...fresh.flatMap(({ fields }) => privilegesOfAdminRole(fields.adminRole)),
      ...(await privilegesOfNewcomers(op, newcomers)),
    ])
    const { dryRun } = call.body
    const body = { dryRun, created: fresh.length, data: outcomes }
    if (dryRun || fresh.length === 0) return { status: 200, body }
    await changeInParts(op, call, fresh, importedEntry, (tx, { id, fields }) =>
      insertUser(tx, id, fields, op.now()),
    )
    return { status: 200, body }
  },
})

function importedEntry({ id, fields: { disabledAt, ...after } }: Fresh): ChangeEntry {
  return {
    event: 'user.created',
    gives: [],
    kind: 'user',
    id,
    detail: { after: { ...after, enabled: disabledAt === null }, imported: true },
  }
}

export const userFileRoutes = tagged('Users', [exportUsers, importUsers])
