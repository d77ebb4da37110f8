import type { HashSecret } from '../lib/crypto/secrets'
import type { Database } from '../lib/store/database'

/** A world of a given size, on SQLite: every user holds two roles, every role gives twenty items. */

export type Size = { users: number; roles: number; permissions: number }

const ROLES_OF_A_USER = 2
const ITEMS_OF_A_ROLE = 20

export const userId = (at: number) => `usr_bench_${at}`
export const itemKey = (at: number) => `bench:item${at}`

export const CLIENT = { id: 'app_bench', secret: 'ghcs_bench' }

/** A machine that may ask for decisions. */
export async function seedClient(db: Database, hashSecret: HashSecret): Promise<void> {
  const stamps = { createdAt: new Date(), updatedAt: new Date() }
  await db.application.create({
    data: {
      id: CLIENT.id,
      kind: 'machine',
      name: 'Bench',
      redirectUris: [],
      postLogoutRedirectUris: [],
      origins: [],
      grantTypes: ['client_credentials'],
      authMethods: ['client_secret_post'],
      requiredScopes: [],
      defaultScopes: ['permissions:check'],
      branding: {},
      secrets: {
        create: {
          id: 'sec_bench',
          name: 'bench',
          secretHash: hashSecret(CLIENT.secret),
          hint: 'ench',
          createdAt: new Date(),
        },
      },
      grants: { create: { id: 'grn_bench', pattern: 'permissions:check', ...stamps } },
      ...stamps,
    },
  })
}

export async function seed(db: Database, { users, roles, permissions }: Size): Promise<void> {
  const stamps = { createdAt: new Date(), updatedAt: new Date() }
  await db.space.create({ data: { id: 'spc_bench', key: 'bench', name: 'Bench', ...stamps } })
  await db.api.create({
    data: {
      id: 'api_bench',
      spaceId: 'spc_bench',
      audience: 'https://bench.test',
      prefix: 'bench',
      name: 'Bench',
      tokenSeconds: 600,
      ...stamps,
    },
  })
  const now = new Date()
  await db.$executeRaw`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${permissions})
    INSERT INTO "PermissionItem" ("id", "apiId", "key", "descriptions", "createdAt", "updatedAt")
    SELECT 'itm_bench_' || i, 'api_bench', 'bench:item' || i, '{}', ${now}, ${now} FROM n`
  await db.$executeRaw`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${roles})
    INSERT INTO "Role" ("id", "spaceId", "key", "name", "createdAt", "updatedAt")
    SELECT 'rol_bench_' || i, 'spc_bench', 'role' || i, 'Role ' || i, ${now}, ${now} FROM n`
  await db.$executeRaw`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${roles * ITEMS_OF_A_ROLE})
    INSERT INTO "Grant" ("id", "roleId", "pattern", "createdAt", "updatedAt")
    SELECT 'grn_bench_' || i, 'rol_bench_' || (i % CAST(${roles} AS INTEGER)), 'bench:item' || ((i * 7) % CAST(${permissions} AS INTEGER)),
      ${now}, ${now} FROM n`
  await db.$executeRaw`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${users})
    INSERT INTO "User" ("id", "profile", "attributes", "createdAt", "updatedAt")
    SELECT 'usr_bench_' || i, '{}', '{}', ${now}, ${now} FROM n`
  await db.$executeRaw`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${users * ROLES_OF_A_USER})
    INSERT INTO "Assignment" ("id", "roleId", "userId", "createdAt", "updatedAt")
    SELECT 'asg_bench_' || i, 'rol_bench_' || ((i * 13) % CAST(${roles} AS INTEGER)), 'usr_bench_' || (i / CAST(${ROLES_OF_A_USER} AS INTEGER)),
      ${now}, ${now} FROM n`
}
