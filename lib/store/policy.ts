import { compileStored } from '../access/condition'
import {
  type Api,
  type Grant,
  type Item,
  LazyGrantSet,
  type Model,
  type Role,
} from '../access/policy'
import type { OwnApi } from '../access/portal-api'
import { PartedMap } from '../base/parted-map'
import { GOVERNED, type Governed, toGoverned } from './api-owners'
import type { DatabaseKind, Reader } from './connection'
import { type Database, prisma, readPlain } from './database'
import { oneOf } from './json'
import {
  columnAsJson,
  DIALECTS,
  type Dialect,
  GRANT_COLUMNS,
  grantsIn,
  rowsAsJson,
} from './json-rows'
import { RULES_IN_FORCE, type StoredRule, toRule } from './request-rules'
import { allRows, breathe, millis } from './rows'
import { jsonIn, type Row, textIn } from './sql'

/** The model: APIs, their permissions, and roles. All of it, or only what was changed. */

/** Parts of the model that were changed. */
export type ModelParts = { apis: ReadonlySet<string>; roles: ReadonlySet<string> }

type PartedModel = {
  items: PartedMap<Item>
  apisByAudience: PartedMap<Api>
  roles: PartedMap<Role>
}

export async function loadModel(
  db: Reader,
  kind: DatabaseKind,
  own: OwnApi,
): Promise<PartedModel & Model> {
  const { apis, items } = await loadApis(db, null)
  return {
    items: PartedMap.of([...items, ...own.items].map((item) => [item.scope, item])),
    apisByAudience: PartedMap.of([...apis, own.api, own.mcp].map((api) => [api.audience, api])),
    roles: PartedMap.of(await loadRoles(db, kind)),
  }
}

/** The same model, in which only these parts are read again. */
export async function renewModel(
  db: Reader,
  kind: DatabaseKind,
  old: PartedModel,
  changed: ModelParts,
): Promise<PartedModel> {
  const roles = await readRoles(db, kind, [...changed.roles])
  const now = new Map(roles)
  return {
    ...(changed.apis.size > 0 ? await withApis(db, old, changed.apis) : old),
    roles: old.roles.with([...changed.roles].map((id) => [id, now.get(id)])),
  }
}

export type { PartedModel }

async function withApis(
  db: Reader,
  old: PartedModel,
  ids: ReadonlySet<string>,
): Promise<Omit<PartedModel, 'roles'>> {
  const { apis, items } = await loadApis(db, ids)
  const gone = [...old.apisByAudience.values()].filter(({ id }) => ids.has(id))
  const goneItems = [...old.items.values()].filter(({ api }) => ids.has(api.id))
  return {
    apisByAudience: old.apisByAudience.with([
      ...gone.map(({ audience }) => [audience, undefined] as const),
      ...apis.map((api) => [api.audience, api] as const),
    ]),
    items: old.items.with([
      ...goneItems.map(({ scope }) => [scope, undefined] as const),
      ...items.map((item) => [item.scope, item] as const),
    ]),
  }
}

// ---------------------------------------------------------------- APIs and permissions

type ApiRow = Awaited<ReturnType<Database['api']['findMany']>>[number] &
  Governed & { requestRules: StoredRule[] }
type ItemRow = Awaited<ReturnType<Database['permissionItem']['findMany']>>[number]

async function loadApis(
  db: Reader,
  ids: ReadonlySet<string> | null,
): Promise<{ apis: Api[]; items: Item[] }> {
  const some = ids && { in: [...ids] }
  const rows = await allRows((page) =>
    prisma(db).api.findMany({
      where: some ? { id: some } : {},
      include: { ...GOVERNED, requestRules: RULES_IN_FORCE },
      orderBy: { id: 'asc' },
      ...page,
    }),
  )
  const apis = new Map(rows.map((row) => [row.id, toApi(toGoverned(row))]))
  const rowsOfItems = await allRows((page) =>
    prisma(db).permissionItem.findMany({
      where: some ? { apiId: some } : {},
      orderBy: { id: 'asc' },
      ...page,
    }),
  )
  return { apis: [...apis.values()], items: rowsOfItems.flatMap((row) => toItem(row, apis)) }
}

function toApi(row: ApiRow): Api {
  const { id, spaceId, audience, subpaths, prefix, tokenSeconds } = row
  const tokenAlg = row.tokenAlg === null ? null : oneOf(['ES256', 'RS256'], row.tokenAlg)
  const enabled = row.disabledAt === null
  const { owners, openToAppManagers, introspectors, name, documentation } = row
  return {
    ...{ id, spaceId, audience, subpaths, prefix, tokenSeconds, tokenAlg, enabled },
    ...{ owners, openToAppManagers, introspectors },
    published: row.publishMetadata ? { name, documentation } : null,
    ...(row.requestRules.length > 0 && { requestRules: row.requestRules.map(toRule) }),
  }
}

function toItem(row: ItemRow, apis: Map<string, Api>): Item[] {
  const api = apis.get(row.apiId)
  if (!api) return []
  const { key: scope, userBound, needsRole, sensitive } = row
  return [{ scope, api, userBound, needsRole, sensitive }]
}

// ---------------------------------------------------------------- roles

const ROLES_AT_ONCE = 2_000

/** The database reads the next part while this process makes roles of the one before. */
async function loadRoles(db: Reader, kind: DatabaseKind): Promise<[string, Role][]> {
  const roles: [string, Role][] = []
  const spaces = new Map<string, string>()
  const after = (id: string) => readPlain(db, kind, rolePages[kind], [id, ROLES_AT_ONCE])
  for (let reading: Promise<Row[]> | null = after(''); reading; ) {
    const rows: Row[] = await reading
    const last = rows.length < ROLES_AT_ONCE ? undefined : rows.at(-1)
    reading = last ? after(textIn(last.id)) : null
    reading?.catch(() => {}) // it is awaited, but not yet
    for (const row of rows) roles.push(toRole(row, spaces))
    await breathe()
  }
  return roles
}

async function readRoles(
  db: Reader,
  kind: DatabaseKind,
  ids: readonly string[],
): Promise<[string, Role][]> {
  if (ids.length === 0) return []
  const rows = await readPlain(db, kind, rolesByIds[kind], [JSON.stringify(ids)])
  const spaces = new Map<string, string>()
  return rows.map((row) => toRole(row, spaces))
}

const NO_PARENTS: readonly string[] = Object.freeze([])

/** `spaces`: one copy of each ID, however many roles have it. */
function toRole(row: Row, spaces: Map<string, string>): [string, Role] {
  const id = textIn(row.id)
  const spaceId = textIn(row.spaceId)
  const parentIds = jsonIn(row.parents) as readonly string[]
  if (!spaces.has(spaceId)) spaces.set(spaceId, spaceId)
  const role = {
    id,
    key: textIn(row.key),
    spaceId: spaces.get(spaceId) ?? spaceId,
    parentIds: parentIds.length === 0 ? NO_PARENTS : parentIds,
    grants: new LazyGrantSet(row.grants, grantsIn),
  }
  return [id, role]
}

function roleColumns(dialect: Dialect): string {
  const parents = '"RoleParent" x WHERE x."roleId" = r."id"'
  const grants = '"Grant" x WHERE x."roleId" = r."id"'
  return `r."id", r."key", r."spaceId",
    ${columnAsJson(dialect, 'parentId', parents)} AS "parents",
    ${rowsAsJson(dialect, GRANT_COLUMNS, grants)} AS "grants"`
}

function rolePage(dialect: Dialect): string {
  return `SELECT ${roleColumns(dialect)} FROM "Role" r WHERE r."id" > ? ORDER BY r."id" LIMIT ?`
}

function roleSome(dialect: Dialect): string {
  return `WITH w AS (${dialect.ids}) SELECT ${roleColumns(dialect)} FROM w JOIN "Role" r ON r."id" = w."id"`
}

const rolePages = { sqlite: rolePage(DIALECTS.sqlite), postgres: rolePage(DIALECTS.postgres) }
const rolesByIds = { sqlite: roleSome(DIALECTS.sqlite), postgres: roleSome(DIALECTS.postgres) }

// ---------------------------------------------------------------- one grant

type GrantRow = Pick<
  Awaited<ReturnType<Database['grant']['findMany']>>[number],
  'id' | 'effect' | 'condition' | 'validFrom' | 'validUntil' | 'pattern'
> & { exchangeFrom?: string | null }

/** A grant that is not stored, for a preview. */
export function toGrant(row: GrantRow): Grant {
  return {
    id: row.id,
    effect: oneOf(['allow', 'deny'], row.effect),
    condition: row.condition === null ? null : compileStored(row.condition),
    validFrom: millis(row.validFrom),
    validUntil: millis(row.validUntil),
    pattern: row.pattern,
    exchangeFrom: row.exchangeFrom ?? null,
  }
}
