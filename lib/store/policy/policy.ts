import {
  type Api,
  type Grant,
  type Item,
  type Model,
  NO_GRANTS,
  type Role,
} from '../../access/policy'
import type { OwnApi } from '../../access/portal-api'
import { compileStored } from '../../access/stored-condition'
import { PartedMap } from '../../base/parted-map'
import type { DatabaseKind, Reader } from '../database/connection'
import { type Database, prisma, readPlain } from '../database/database'
import { oneOf } from '../database/json'
import {
  columnAsJson,
  compileLongList,
  DIALECTS,
  type Dialect,
  grantList,
} from '../database/json-rows'
import { allRows, breathe, millis } from '../database/rows'
import { jsonIn, type Row, textIn } from '../database/sql'
import { type ApiGovernance, GOVERNED, toGoverned } from '../permissions/api-owners'
import { RoleGrants, Texts } from '../permissions/role-grants'
import { RULES_IN_FORCE, type StoredRule, toRule } from '../requests/rules'

/** The model: APIs, their permissions, and roles. All of it, or only what was changed. */

/** Parts of the model that were changed. */
type ModelParts = { apis: ReadonlySet<string>; roles: ReadonlySet<string> }

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
  const { apis, items } = await loadApis(db, kind, null)
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
    ...(changed.apis.size > 0 ? await withApis(db, kind, old, changed.apis) : old),
    roles: old.roles.with([...changed.roles].map((id) => [id, now.get(id)])),
  }
}

export type { PartedModel }

async function withApis(
  db: Reader,
  kind: DatabaseKind,
  old: PartedModel,
  ids: ReadonlySet<string>,
): Promise<Omit<PartedModel, 'roles'>> {
  const { apis, items } = await loadApis(db, kind, ids)
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

const inBoth = (text: (dialect: Dialect) => string): Record<DatabaseKind, string> => ({
  sqlite: text(DIALECTS.sqlite),
  postgres: text(DIALECTS.postgres),
})

// ---------------------------------------------------------------- APIs and permissions

type ApiRow = Awaited<ReturnType<Database['api']['findMany']>>[number] &
  ApiGovernance & { requestRules: StoredRule[] }

async function loadApis(
  db: Reader,
  kind: DatabaseKind,
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
  return { apis: [...apis.values()], items: await loadItems(db, kind, ids, apis) }
}

function toApi(row: ApiRow): Api {
  const { id, spaceId, audience, subpaths, prefix, tokenSeconds } = row
  const tokenAlg = row.tokenAlg === null ? null : oneOf(['ES256', 'RS256'], row.tokenAlg)
  const tokenType = oneOf(['at+jwt', 'JWT'], row.tokenType)
  const enabled = row.disabledAt === null
  const { owners, openToAppManagers, introspectors, name, documentation } = row
  return {
    id,
    spaceId,
    audience,
    subpaths,
    prefix,
    tokenSeconds,
    tokenAlg,
    tokenType,
    enabled,
    owners,
    openToAppManagers,
    introspectors,
    published: row.publishMetadata ? { name, documentation } : null,
    ...(row.requestRules.length > 0 && { requestRules: row.requestRules.map(toRule) }),
  }
}

const ITEMS_AT_ONCE = 2_000

/** All of them, or those of these APIs. */
async function loadItems(
  db: Reader,
  kind: DatabaseKind,
  ids: ReadonlySet<string> | null,
  apis: ReadonlyMap<string, Api>,
): Promise<Item[]> {
  if (ids) {
    const rows = await readPlain(db, kind, itemsOfApis[kind], [JSON.stringify([...ids])])
    return rows.flatMap((row) => toItem(row, apis))
  }
  const items: Item[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: Row[] = await readPlain(db, kind, itemPages[kind], [after, ITEMS_AT_ONCE])
    for (const row of rows) items.push(...toItem(row, apis))
    after = rows.length < ITEMS_AT_ONCE ? undefined : textIn(rows.at(-1)?.id)
    await breathe()
  }
  return items
}

function toItem(row: Row, apis: ReadonlyMap<string, Api>): Item[] {
  const api = apis.get(textIn(row.apiId))
  if (!api) return []
  const { userBound, needsRole, sensitive } = row
  return [
    {
      scope: textIn(row.key),
      api,
      userBound: Boolean(userBound),
      needsRole: Boolean(needsRole),
      sensitive: Boolean(sensitive),
    },
  ]
}

const ITEM_COLUMNS = 'i."id", i."apiId", i."key", i."userBound", i."needsRole", i."sensitive"'
const itemPages = inBoth(
  () => `SELECT ${ITEM_COLUMNS} FROM "PermissionItem" i WHERE i."id" > ? ORDER BY i."id" LIMIT ?`,
)
const itemsOfApis = inBoth(
  ({ ids }) =>
    `WITH w AS (${ids}) SELECT ${ITEM_COLUMNS} FROM w JOIN "PermissionItem" i ON i."apiId" = w."id"`,
)

// ---------------------------------------------------------------- roles

const ROLES_AT_ONCE = 2_000

/** The database reads the next part while this process makes roles of the one before. */
async function loadRoles(db: Reader, kind: DatabaseKind): Promise<[string, Role][]> {
  const roles: [string, Role][] = []
  const spaces = new Map<string, string>()
  for (let reading: Promise<RolePage> | null = readPage(db, kind, ''); reading; ) {
    const { rows, grants }: RolePage = await reading
    const last: Row | undefined = rows.length < ROLES_AT_ONCE ? undefined : rows.at(-1)
    reading = last ? readPage(db, kind, textIn(last.id)) : null
    reading?.catch(() => {}) // it is awaited, but not yet
    roles.push(...toRoles(rows, grants, spaces))
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
  const wanted = [JSON.stringify(ids)]
  const rows = await readPlain(db, kind, rolesByIds[kind], wanted)
  const grants = await readPlain(db, kind, grantsByIds[kind], wanted)
  return toRoles(rows, grants, new Map())
}

type RolePage = { rows: Row[]; grants: Row[] }

/**
 * The grants by their own statement, in the order of their index: a look-up for each role would take
 * PostgreSQL twice as long.
 */
async function readPage(db: Reader, kind: DatabaseKind, after: string): Promise<RolePage> {
  const rows = await readPlain(db, kind, rolePages[kind], [after, ROLES_AT_ONCE])
  const last = rows.at(-1)
  const range = last && [after, textIn(last.id)]
  return { rows, grants: range ? await readPlain(db, kind, grantPages[kind], range) : [] }
}

const NO_PARENTS: readonly string[] = Object.freeze([])

/** `spaces`: one copy of each ID, however many roles have it. */
function toRoles(rows: Row[], grants: Row[], spaces: Map<string, string>): [string, Role][] {
  for (const { grants: text } of grants) compileLongList(text)
  const texts = new Texts(grants.map(({ grants: text }) => textIn(text)))
  const places = new Map(grants.map(({ roleId }, at) => [textIn(roleId), at]))
  return rows.map((row) => {
    const id = textIn(row.id)
    const place = places.get(id)
    const spaceId = textIn(row.spaceId)
    if (!spaces.has(spaceId)) spaces.set(spaceId, spaceId)
    const role = {
      id,
      key: textIn(row.key),
      spaceId: spaces.get(spaceId) ?? spaceId,
      parentIds: row.parents === '[]' ? NO_PARENTS : (jsonIn(row.parents) as string[]),
      grants: place === undefined ? NO_GRANTS : new RoleGrants(texts, place),
    }
    return [id, role]
  })
}

function roleColumns(dialect: Dialect): string {
  const parents = '"RoleParent" x WHERE x."roleId" = r."id"'
  return `r."id", r."key", r."spaceId", ${columnAsJson(dialect, 'parentId', parents)} AS "parents"`
}

const grantColumns = (dialect: Dialect) => `x."roleId", ${grantList(dialect)} AS "grants"`

const rolePages = inBoth(
  (dialect) =>
    `SELECT ${roleColumns(dialect)} FROM "Role" r WHERE r."id" > ? ORDER BY r."id" LIMIT ?`,
)
const grantPages = inBoth(
  (dialect) =>
    `SELECT ${grantColumns(dialect)} FROM "Grant" x
    WHERE x."roleId" > ? AND x."roleId" <= ? GROUP BY x."roleId"`,
)
const rolesByIds = inBoth(
  (dialect) =>
    `WITH w AS (${dialect.ids}) SELECT ${roleColumns(dialect)} FROM w JOIN "Role" r ON r."id" = w."id"`,
)
const grantsByIds = inBoth(
  (dialect) =>
    `WITH w AS (${dialect.ids}) SELECT ${grantColumns(dialect)}
    FROM w JOIN "Grant" x ON x."roleId" = w."id" GROUP BY x."roleId"`,
)

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
