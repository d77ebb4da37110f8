import type { Prisma } from '../generated/sqlite/client'
import type { Reader, Transaction } from './connection'

/** Every table as rows of plain values, for backup and restore. */

type Table = { readonly name: Prisma.ModelName; readonly key: readonly string[] }

/** A table comes after the tables that it refers to. A test compares this with the models. */
export const tables: readonly Table[] = [
  { name: 'User', key: ['id'] },
  { name: 'UserSearchKey', key: ['key', 'userId'] },
  { name: 'Avatar', key: ['id'] },
  { name: 'Identity', key: ['id'] },
  { name: 'PasswordCredential', key: ['userId'] },
  { name: 'TotpCredential', key: ['id'] },
  { name: 'PasskeyCredential', key: ['id'] },
  { name: 'RecoveryCode', key: ['codeHash'] },
  { name: 'TrustedDevice', key: ['tokenHash'] },
  { name: 'OneTimeLink', key: ['tokenHash'] },
  { name: 'Session', key: ['id'] },
  { name: 'Impersonation', key: ['id'] },
  { name: 'Interaction', key: ['id'] },
  { name: 'Space', key: ['id'] },
  { name: 'Application', key: ['id'] },
  { name: 'ApplicationSearchKey', key: ['key', 'applicationId'] },
  { name: 'ApplicationOrigin', key: ['origin', 'applicationId'] },
  { name: 'ApplicationSecret', key: ['id'] },
  { name: 'ClientRegistration', key: ['applicationId'] },
  { name: 'InitialAccessToken', key: ['id'] },
  { name: 'PublicKeyUse', key: ['applicationId', 'thumbprint'] },
  { name: 'ApplicationLogo', key: ['id'] },
  { name: 'BrandPicture', key: ['id'] },
  { name: 'AccessKey', key: ['id'] },
  { name: 'Api', key: ['id'] },
  { name: 'PermissionItem', key: ['id'] },
  { name: 'Role', key: ['id'] },
  { name: 'RoleParent', key: ['roleId', 'parentId'] },
  { name: 'Group', key: ['id'] },
  { name: 'GroupMember', key: ['groupId', 'userId'] },
  { name: 'ApiOwner', key: ['id'] },
  { name: 'ApiIntrospector', key: ['apiId', 'applicationId'] },
  { name: 'Assignment', key: ['id'] },
  { name: 'Grant', key: ['id'] },
  { name: 'RequestRule', key: ['id'] },
  { name: 'AccessRequest', key: ['id'] },
  { name: 'AccessVote', key: ['requestId', 'stage', 'approverId'] },
  { name: 'Review', key: ['id'] },
  { name: 'ReviewItem', key: ['id'] },
  { name: 'ReviewEvidence', key: ['reviewId'] },
  { name: 'PolicyAssertion', key: ['id'] },
  { name: 'PolicyVersion', key: ['id'] },
  { name: 'PolicyChange', key: ['version', 'kind', 'id'] },
  { name: 'Consent', key: ['userId', 'applicationId', 'scope'] },
  { name: 'AuthorizationCode', key: ['codeHash'] },
  { name: 'DeviceAuthorization', key: ['id'] },
  { name: 'TokenGrant', key: ['id'] },
  { name: 'PendingChange', key: ['id'] },
  { name: 'RefreshFamily', key: ['id'] },
  { name: 'RefreshToken', key: ['tokenHash'] },
  { name: 'RevokedToken', key: ['jti'] },
  { name: 'UsedAssertion', key: ['clientId', 'jti'] },
  { name: 'SigningKey', key: ['id'] },
  { name: 'AuditEntry', key: ['seq'] },
  { name: 'AuditHead', key: ['id'] },
  { name: 'StoredDecision', key: ['seq'] },
  { name: 'DeletedId', key: ['id'] },
  { name: 'ActivityDay', key: ['day'] },
  { name: 'OutboxMessage', key: ['id'] },
  { name: 'Webhook', key: ['id'] },
  { name: 'WebhookDelivery', key: ['id'] },
  { name: 'AuditView', key: ['id'] },
  { name: 'RateCounter', key: ['key'] },
  { name: 'IdempotencyRecord', key: ['caller', 'key'] },
  { name: 'Watermark', key: ['task'] },
  { name: 'Setting', key: ['key'] },
]

/** Rows that every database has since its first migration. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(['PolicyVersion', 'AuditHead', 'Watermark'])

export type Row = Record<string, unknown>

type Where = Record<string, unknown>
type Delegate = {
  findMany(asked: { where: Where; orderBy: Where[]; take: number }): Promise<Row[]>
  createMany(made: { data: Row[] }): Promise<unknown>
  deleteMany(): Promise<unknown>
  count(): Promise<number>
}

/** All models have the same methods, but Prisma has no type for that. */
function delegateOf(db: Reader, { name }: Table): Delegate {
  const member = name[0]?.toLowerCase() + name.slice(1)
  return (db as unknown as Record<string, Delegate>)[member] as Delegate
}

export function tableNamed(name: string): Table | undefined {
  return tables.find((table) => table.name === name)
}

const PAGE = 500

/** All rows of one table in the order of its key. */
export async function* rowsOf(tx: Transaction, table: Table): AsyncGenerator<Row> {
  const orderBy = table.key.map((column) => ({ [column]: 'asc' }))
  for (let last: Row | undefined; ; ) {
    const where = last ? behind(table.key, last) : {}
    const rows = await delegateOf(tx, table).findMany({ where, orderBy, take: PAGE })
    yield* rows
    if (rows.length < PAGE) return
    last = rows.at(-1)
  }
}

/** (a, b) > (x, y): a > x, or a = x and b > y. */
function behind(key: readonly string[], last: Row): Where {
  const alternatives = key.map((column, index) => {
    const same = key.slice(0, index).map((earlier) => [earlier, last[earlier]])
    return { ...Object.fromEntries(same), [column]: { gt: last[column] } }
  })
  return { OR: alternatives }
}

export async function insertRows(tx: Transaction, table: Table, rows: Row[]): Promise<void> {
  if (rows.length > 0) await delegateOf(tx, table).createMany({ data: rows.map(writable) })
}

/** A missing column is NULL; `null` in a JSON column would be the JSON value. */
function writable(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

/** The tables that are not empty. */
export async function filledTables(db: Reader): Promise<string[]> {
  const filled: string[] = []
  for (const table of tables) {
    if (!ALWAYS_THERE.has(table.name) && (await delegateOf(db, table).count()) > 0)
      filled.push(table.name)
  }
  return filled
}

export async function emptyTables(tx: Transaction): Promise<void> {
  for (const table of [...tables].reverse()) await delegateOf(tx, table).deleteMany()
}
