import { indexUsers } from '../lib/store/accounts/user-search'
import { indexApplications } from '../lib/store/applications/application-search'
import { appendAudit } from '../lib/store/audit/audit'
import type { DatabaseKind } from '../lib/store/database/connection'
import type { Database } from '../lib/store/database/database'

/** Worlds of a given size. Every user holds two roles, every role gives twenty items. */

export type Size = { users: number; roles: number; permissions: number }

const ROLES_OF_A_USER = 2
const ITEMS_OF_A_ROLE = 20
/** How far apart the roles of users stand, and the items of roles. */
const ROLE_STEP = 13
const ITEM_STEP = 7
const AUDIT_BATCH = 500

export const SPACE = 'spc_bench'
export const AUDIENCE = 'https://api.bench.example'
export const WEB = 'app_web'
export const REDIRECT = 'https://app.bench.example/callback'
export const userId = (at: number) => `usr_bench_${at}`
export const itemKey = (at: number) => `bench:item${at}`
export const machineId = (at: number) => `app_bench_${at}`

/** What the two databases write differently. */
export const WORDS = {
  sqlite: {
    json: (value: unknown) => `'${JSON.stringify(value)}'`,
    time: (date: Date) => String(date.getTime()),
    /** So many milliseconds after a time. */
    moment: (time: string, ms: string) => `CAST(${time} + ${ms} AS INTEGER)`,
  },
  postgres: {
    json: (value: unknown) => `'${JSON.stringify(value)}'::jsonb`,
    time: (date: Date) => `TIMESTAMP '${date.toISOString().replace('Z', '')}'`,
    moment: (time: string, ms: string) =>
      `date_trunc('milliseconds', ${time} + make_interval(secs => ${ms} / 1000.0))`,
  },
}

/** One that user `at` holds, by the first of their roles. */
export function heldItem(at: number, { roles, permissions }: Omit<Size, 'users'>): string {
  const role = (at * ROLES_OF_A_USER * ROLE_STEP) % roles
  return itemKey((role * ITEM_STEP) % permissions)
}

/** `values`: what each column is for row `i`, in SQL. */
export type InsertRows = (
  table: string,
  count: number,
  values: Record<string, string>,
) => Promise<void>

/** `insert`: how many rows at once reach a table; in small pieces unless told. */
export type Seed = { db: Database; provider: DatabaseKind; insert?: InsertRows }

/** So many rows to a statement: one for all of them would take longer than a statement may. */
const AT_ONCE = 20_000

async function insert(
  { db, insert: own }: Seed,
  table: string,
  count: number,
  values: Record<string, string>,
): Promise<void> {
  if (own) return own(table, count, values)
  const columns = Object.keys(values).map((column) => `"${column}"`)
  for (let from = 0; from < count; from += AT_ONCE) {
    const until = Math.min(count, from + AT_ONCE)
    await db.$executeRawUnsafe(`
      WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${until})
      INSERT INTO "${table}" (${columns.join(', ')})
      SELECT ${Object.values(values).join(', ')} FROM n`)
  }
}

export function stampsOf({ provider }: Seed) {
  const now = WORDS[provider].time(new Date())
  return { createdAt: now, updatedAt: now }
}

export async function seedPolicy(to: Seed, { users, roles, permissions }: Size): Promise<void> {
  const stamps = { createdAt: new Date(), updatedAt: new Date() }
  await to.db.space.create({ data: { id: SPACE, key: 'bench', name: 'Bench', ...stamps } })
  await to.db.api.create({
    data: {
      id: 'api_bench',
      spaceId: SPACE,
      audience: AUDIENCE,
      prefix: 'bench',
      name: 'Bench',
      tokenSeconds: 3600,
      ...stamps,
    },
  })
  const { json } = WORDS[to.provider]
  const at = stampsOf(to)
  await insert(to, 'PermissionItem', permissions, {
    id: `'itm_bench_' || i`,
    apiId: `'api_bench'`,
    key: `'bench:item' || i`,
    descriptions: json({}),
    ...at,
  })
  await insert(to, 'Role', roles, {
    id: `'rol_bench_' || i`,
    spaceId: `'${SPACE}'`,
    key: `'role' || i`,
    name: `'Role ' || i`,
    ...at,
  })
  await insert(to, 'Grant', roles * ITEMS_OF_A_ROLE, {
    id: `'grn_bench_' || i`,
    roleId: `'rol_bench_' || (i % ${roles})`,
    pattern: `'bench:item' || ((i * ${ITEM_STEP}) % ${permissions})`,
    ...at,
  })
  await insert(to, 'User', users, {
    id: `'usr_bench_' || i`,
    name: `'User ' || i`,
    email: `'u' || i || '@example.com'`,
    emailKey: `'u' || i || '@example.com'`,
    username: `CASE WHEN i % 2 = 0 THEN 'person' || i END`,
    usernameKey: `CASE WHEN i % 2 = 0 THEN 'person' || i END`,
    profile: json({}),
    attributes: json({}),
    ...at,
  })
  await insert(to, 'Assignment', users * ROLES_OF_A_USER, {
    id: `'asg_bench_' || i`,
    roleId: `'rol_bench_' || ((i * ${ROLE_STEP}) % ${roles})`,
    userId: `'usr_bench_' || (i / ${ROLES_OF_A_USER})`,
    ...at,
  })
}

/** Machines, all with the same secret; the first one may ask for decisions. */
export async function seedMachines(to: Seed, count: number, secretHash: string): Promise<void> {
  const { json } = WORDS[to.provider]
  const at = stampsOf(to)
  await insert(to, 'Application', count, {
    id: `'app_bench_' || i`,
    spaceId: `'${SPACE}'`,
    kind: `'machine'`,
    name: `'Machine ' || i`,
    grantTypes: json(['client_credentials']),
    authMethods: json(['client_secret_post']),
    defaultScopes: json([itemKey(0)]),
    redirectUris: json([]),
    postLogoutRedirectUris: json([]),
    origins: json([]),
    requiredScopes: json([]),
    branding: json({}),
    ...at,
  })
  await insert(to, 'ApplicationSecret', count, {
    id: `'sec_bench_' || i`,
    applicationId: `'app_bench_' || i`,
    name: `'bench'`,
    secretHash: `'${secretHash}'`,
    hint: `'ench'`,
    createdAt: at.createdAt,
  })
  await insert(to, 'Grant', count * 2, {
    id: `'grn_machine_' || i`,
    applicationId: `'app_bench_' || (i / 2)`,
    pattern: `'bench:item' || (i % 2)`,
    ...at,
  })
  const stamps = { createdAt: new Date(), updatedAt: new Date() }
  const grant = { id: 'grn_check', applicationId: machineId(0), pattern: 'permissions:check' }
  await to.db.grant.create({ data: { ...grant, ...stamps } })
}

/** Users who have a password, and were never here: from user `first` on. */
export async function seedNewcomers(
  to: Seed,
  { first, count, hash }: { first: number; count: number; hash: string },
): Promise<void> {
  const { json } = WORDS[to.provider]
  const at = stampsOf(to)
  const id = `'usr_bench_' || (${first} + i)`
  const email = `'u' || (${first} + i) || '@example.com'`
  await insert(to, 'User', count, {
    id,
    name: `'Newcomer ' || i`,
    email,
    emailKey: email,
    profile: json({}),
    attributes: json({}),
    ...at,
  })
  await insert(to, 'PasswordCredential', count, {
    userId: id,
    hash: `'${hash}'`,
    changedAt: at.createdAt,
  })
  await insert(to, 'Assignment', count, {
    id: `'asg_newcomer_' || i`,
    roleId: `'rol_bench_0'`,
    userId: id,
    ...at,
  })
}

/** The application that people sign in to. */
export async function seedWeb({ db }: Seed, secretHash: string): Promise<void> {
  const stamps = { createdAt: new Date(), updatedAt: new Date() }
  const secret = { id: 'sec_web', name: 'bench', secretHash, hint: 'ench', createdAt: new Date() }
  await db.application.create({
    data: {
      id: WEB,
      spaceId: SPACE,
      kind: 'web',
      name: 'Bench',
      redirectUris: [REDIRECT],
      postLogoutRedirectUris: [],
      origins: [],
      grantTypes: ['authorization_code', 'refresh_token'],
      authMethods: ['client_secret_post'],
      requiredScopes: [],
      defaultScopes: [],
      branding: {},
      idTokenAlg: 'ES256',
      secrets: { create: secret },
      grants: { create: { id: 'grn_web', pattern: itemKey(0), ...stamps } },
      ...stamps,
    },
  })
}

/** What users left behind: a session, a consent, a live grant with its refresh token, an audit entry. */
export async function seedUse(to: Seed, count: number): Promise<void> {
  const { json, time } = WORDS[to.provider]
  const now = time(new Date())
  const later = time(new Date(Date.now() + 24 * 60 * 60 * 1000))
  const shared = { createdAt: now, expiresAt: later }
  const login = { authTime: now, acr: `'pwd'`, amr: json(['pwd']) }
  const whose = { applicationId: `'${WEB}'`, userId: `'usr_bench_' || i` }
  await insert(to, 'Session', count, {
    id: `'ses_bench_' || i`,
    secretHash: `'seeded_' || i`,
    userId: whose.userId,
    userAgent: `'bench'`,
    lastSeenAt: now,
    idleExpiresAt: later,
    ...login,
    ...shared,
  })
  await insert(to, 'Consent', count, {
    ...whose,
    scope: `'openid'`,
    granted: 'true',
    decidedAt: now,
  })
  await insert(to, 'TokenGrant', count, {
    id: `'tgr_bench_' || i`,
    ...whose,
    sessionId: `'ses_bench_' || i`,
    scopes: json(['openid', 'offline_access']),
    resources: json([]),
    offline: 'true',
    ...login,
    ...shared,
  })
  const family = { id: `'fam_bench_' || i`, tokenGrantId: `'tgr_bench_' || i`, ...shared }
  await insert(to, 'RefreshFamily', count, family)
  await insert(to, 'RefreshToken', count, {
    tokenHash: `'seeded_' || i`,
    familyId: `'fam_bench_' || i`,
    generation: '1',
    ...shared,
  })
}

export async function seedAudit({ db }: Seed, count: number): Promise<void> {
  for (let done = 0; done < count; done += AUDIT_BATCH) {
    const events = Array.from({ length: Math.min(AUDIT_BATCH, count - done) }, (_, at) => ({
      event: 'token.issued' as const,
      result: 'success' as const,
      actorKind: 'user' as const,
      actorId: userId(done + at),
      applicationId: WEB,
      at: new Date(),
      detail: { grant_type: 'authorization_code', scope: ['openid'], refused: [] },
    }))
    await db.$transaction((tx) => appendAudit(tx, events))
  }
}

/** What was put into tables directly is found by words, too: as if it were older than the index. */
export async function indexSeeded(db: Database, kind: DatabaseKind): Promise<void> {
  await db.watermark.deleteMany({ where: { task: { startsWith: 'search keys' } } })
  await indexUsers(db, kind)
  await indexApplications(db, kind)
}
