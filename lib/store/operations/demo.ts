import { PORTAL_SCOPE_NAMES } from '../../access/portal-api'
import type { HashSecret } from '../../crypto/secrets'
import { hintOf, newId } from '../../crypto/secrets'
import { createUser } from '../accounts/users'
import { addSearchKeys } from '../applications/application-search'
import { saveOrigins } from '../applications/applications'
import { removeDecisionsOf } from '../audit/stored-decisions'
import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { setOnce } from '../delivery/settings'
import { replaceIntrospectors } from '../permissions/api-owners'
import { detachRequests } from '../requests/applications'

/** The rows of the sample data. Their IDs are fixed, so that they can be recognised. */

export type Demo = {
  issuer: string
  admin: Login
  users: Login[]
  web: {
    client_id: string
    client_secret: string
    redirect_uris: string[]
    post_logout_redirect_uris: string[]
  }
  spa: { client_id: string; redirect_uris: string[] }
  machine: {
    client_id: string
    client_secret: string
    access_key: string
    secret_key: string
    granted: string[]
    not_granted: string[]
  }
}

type Login = { email: string; password: string }

type DemoContext = { hashSecret: HashSecret; now(): Date }

const THIS_MACHINE = 'inNetwork(request.ip, "127.0.0.0/8") || inNetwork(request.ip, "::1/128")'

const ITEMS = [
  { key: 'orders:read', en: 'See your orders', zh: '查看您的订单' },
  { key: 'orders:write', en: 'Create and change orders', zh: '创建和修改订单' },
  { key: 'orders:export', en: 'Export all orders as a file', zh: '将所有订单导出为文件' },
  { key: 'orders:refund', en: 'Pay money back', zh: '办理退款', needsRole: true, sensitive: true },
  { key: 'orders:delete', en: 'Delete orders', zh: '删除订单', needsRole: true, sensitive: true },
]

const MACHINE_GRANTS = [
  { pattern: 'orders:read' },
  { pattern: 'orders:write' },
  { pattern: 'orders:export', condition: THIS_MACHINE },
]
const MACHINE_HOLDS = MACHINE_GRANTS.map(({ pattern }) => pattern)

const WEB_REDIRECTS = [
  'http://localhost:4000/callback',
  'http://localhost:4000/api/auth/callback/gatehouse',
  'http://localhost:3001/api/auth/callback/gatehouse',
]
const WEB_POST_LOGOUT = [
  'http://localhost:4000/logged-out',
  'http://localhost:4000/',
  'http://localhost:3001/',
]
const SPA_ORIGIN = 'http://localhost:4001'
const SPA_REDIRECTS = [`${SPA_ORIGIN}/callback`]
const NATIVE_REDIRECTS = ['http://127.0.0.1/callback']

const ID = {
  space: 'spc_demo',
  api: 'api_demo_orders',
  web: 'app_demo_web',
  spa: 'app_demo_spa',
  native: 'app_demo_native',
  machine: 'app_demo_machine',
  clerk: 'rol_demo_clerk',
  manager: 'rol_demo_manager',
  admin: 'usr_demo_admin',
  alice: 'usr_demo_alice',
  bob: 'usr_demo_bob',
}

export async function hasForeignData(db: Reader): Promise<boolean> {
  const counts = await Promise.all([
    prisma(db).application.count(),
    prisma(db).user.count(),
    prisma(db).space.count(),
  ])
  return counts.some((count) => count > 0)
}

const USERS = [ID.admin, ID.alice, ID.bob]
const APPLICATIONS = [ID.web, ID.spa, ID.native, ID.machine]

export async function demoLeft(db: Reader): Promise<string[]> {
  const select = { id: true }
  const usable = (ids: string[]) => ({ id: { in: ids }, disabledAt: null })
  const left = await Promise.all([
    prisma(db).user.findMany({ where: usable(USERS), select }),
    prisma(db).application.findMany({ where: usable(APPLICATIONS), select }),
  ])
  return left.flat().map(({ id }) => id)
}

/** Do these secrets belong to this database? The file may belong to another one. */
export async function knowsDemo(db: Reader, hashSecret: HashSecret, demo: Demo): Promise<boolean> {
  const { access_key, secret_key } = demo.machine
  const key = await prisma(db).accessKey.findUnique({ where: { id: access_key } })
  return key?.secretHash === hashSecret(secret_key)
}

export const DEMO = {
  ids: ID,
  granted: MACHINE_HOLDS,
  notGranted: ITEMS.map(({ key }) => key).filter((key) => !MACHINE_HOLDS.includes(key)),
  webRedirects: WEB_REDIRECTS,
  webPostLogout: WEB_POST_LOGOUT,
  spaRedirects: SPA_REDIRECTS,
}

/** `hashes`: of the passwords of the admin and the users, in that order. */
export async function replaceDemoRows(
  op: DemoContext,
  tx: Transaction,
  demo: Demo,
  hashes: string[],
): Promise<void> {
  await removeDemo(tx, op.now())
  await createApi(op, tx)
  await createApplications(op, tx, demo)
  await replaceIntrospectors(tx, ID.api, [ID.machine])
  await createPeople(op, tx, demo, hashes)
  await setOnce(tx, 'setup_completed', op.now())
  await setOnce(tx, 'demo_loaded', op.now())
}

/** Only if demo.json was lost: the secrets are unknown, so new ones are created. */
async function removeDemo(tx: Transaction, now: Date): Promise<void> {
  await prisma(tx).setting.deleteMany({ where: { key: 'demo_loaded' } })
  await prisma(tx).user.deleteMany({ where: { id: { in: USERS } } })
  await removeDecisionsOf(tx, ...USERS)
  for (const id of APPLICATIONS) await detachRequests(tx, id, now)
  await prisma(tx).application.deleteMany({ where: { id: { in: APPLICATIONS } } })
  await prisma(tx).space.deleteMany({ where: { id: ID.space } })
}

async function createApi(op: DemoContext, tx: Transaction): Promise<void> {
  const stamps = { createdAt: op.now(), updatedAt: op.now() }
  await prisma(tx).space.create({
    data: { id: ID.space, key: 'demo', name: 'Demo shop', ...stamps },
  })
  await prisma(tx).api.create({
    data: {
      id: ID.api,
      spaceId: ID.space,
      audience: 'https://orders.gatehouse.example',
      prefix: 'orders',
      name: 'Orders',
      tokenSeconds: 3600,
      ...stamps,
    },
  })
  await prisma(tx).permissionItem.createMany({
    data: ITEMS.map(({ key, en, zh, needsRole = false, sensitive = false }) => ({
      id: newId('itm'),
      apiId: ID.api,
      key,
      descriptions: { en, 'zh-Hans': zh },
      needsRole,
      sensitive,
      ...stamps,
    })),
  })
}

const CONFIDENTIAL = ['client_secret_basic', 'client_secret_post']

async function createApplications(op: DemoContext, tx: Transaction, demo: Demo): Promise<void> {
  await insertApplication(op, tx, {
    id: ID.web,
    kind: 'web',
    name: 'Demo web app',
    redirectUris: demo.web.redirect_uris,
    postLogoutRedirectUris: demo.web.post_logout_redirect_uris,
    grantTypes: ['authorization_code', 'refresh_token'],
    authMethods: CONFIDENTIAL,
    requirePkce: false,
  })
  await insertApplication(op, tx, {
    id: ID.spa,
    kind: 'spa',
    name: 'Demo single-page app',
    redirectUris: demo.spa.redirect_uris,
    origins: [SPA_ORIGIN],
    grantTypes: ['authorization_code', 'refresh_token'],
    authMethods: ['none'],
  })
  // It has no secret and accepts any port, so demo.json does not mention it.
  await insertApplication(op, tx, {
    id: ID.native,
    kind: 'native',
    name: 'Demo command line',
    redirectUris: NATIVE_REDIRECTS,
    grantTypes: ['authorization_code', 'refresh_token'],
    authMethods: ['none'],
  })
  await insertApplication(op, tx, {
    id: ID.machine,
    kind: 'machine',
    name: 'Demo machine',
    grantTypes: ['client_credentials'],
    authMethods: CONFIDENTIAL,
    defaultScopes: ['orders:read'],
  })
  await addSecret(op, tx, ID.web, demo.web.client_secret)
  await addSecret(op, tx, ID.machine, demo.machine.client_secret)
  await addAccessKey(op, tx, demo.machine)
  await grant(op, tx, { applicationId: ID.machine }, MACHINE_GRANTS)
  // The machine application may also manage the portal, so that the API can be tried at once.
  const portal = PORTAL_SCOPE_NAMES.map((pattern) => ({ pattern }))
  await grant(op, tx, { applicationId: ID.machine }, portal)
  await grant(op, tx, { applicationId: ID.web }, [{ pattern: 'orders:*' }])
  await grant(op, tx, { applicationId: ID.spa }, [{ pattern: 'orders:read' }])
  await grant(op, tx, { applicationId: ID.native }, [{ pattern: 'orders:read' }])
}

type NewApplication = {
  id: string
  kind: string
  name: string
  grantTypes: string[]
  authMethods: string[]
  redirectUris?: string[]
  postLogoutRedirectUris?: string[]
  origins?: string[]
  defaultScopes?: string[]
  requirePkce?: boolean
}

async function insertApplication(
  op: DemoContext,
  tx: Transaction,
  app: NewApplication,
): Promise<void> {
  const created = await prisma(tx).application.create({
    data: {
      redirectUris: [],
      postLogoutRedirectUris: [],
      origins: [],
      defaultScopes: [],
      requiredScopes: [],
      branding: {},
      spaceId: ID.space,
      publisher: 'Gatehouse demo',
      publisherVerified: true,
      ...app,
      weakened: app.requirePkce === false,
      createdAt: op.now(),
      updatedAt: op.now(),
    },
  })
  await saveOrigins(tx, app.id, app.origins ?? [])
  await addSearchKeys(tx, created)
}

async function addSecret(op: DemoContext, tx: Transaction, applicationId: string, secret: string) {
  await prisma(tx).applicationSecret.create({
    data: {
      id: newId('sec'),
      applicationId,
      name: 'demo',
      secretHash: op.hashSecret(secret),
      hint: hintOf(secret),
      createdAt: op.now(),
    },
  })
}

async function addAccessKey(
  op: DemoContext,
  tx: Transaction,
  machine: Demo['machine'],
): Promise<void> {
  await prisma(tx).accessKey.create({
    data: {
      id: machine.access_key,
      applicationId: machine.client_id,
      name: 'demo',
      secretHash: op.hashSecret(machine.secret_key),
      hint: hintOf(machine.secret_key),
      createdAt: op.now(),
    },
  })
}

type NewGrant = { pattern: string; condition?: string }

async function grant(
  op: DemoContext,
  tx: Transaction,
  subject: { applicationId: string } | { roleId: string },
  grants: NewGrant[],
): Promise<void> {
  const stamps = { createdAt: op.now(), updatedAt: op.now() }
  await prisma(tx).grant.createMany({
    data: grants.map((entry) => ({
      id: newId('grn'),
      ...subject,
      ...entry,
      ...stamps,
    })),
  })
}

async function createPeople(
  op: DemoContext,
  tx: Transaction,
  demo: Demo,
  hashes: string[],
): Promise<void> {
  const [adminHash = '', aliceHash = '', bobHash = ''] = hashes
  const [alice, bob] = demo.users
  const person = (id: string, name: string, email: string, passwordHash: string) => ({
    id,
    name,
    email,
    passwordHash,
    emailVerified: true,
    adminRole: id === ID.admin ? ('owner' as const) : null,
    profile: profileOf(name),
  })
  const people = [
    person(ID.admin, 'Ada Admin', demo.admin.email, adminHash),
    person(ID.alice, 'Alice Clerk', alice?.email ?? '', aliceHash),
    person(ID.bob, 'Bob Manager', bob?.email ?? '', bobHash),
  ]
  for (const one of people) await createUser(tx, one, op.now())
  await createRoles(op, tx)
}

function profileOf(name: string) {
  const [given_name = '', family_name = ''] = name.split(' ')
  return {
    given_name,
    family_name,
    zoneinfo: 'Europe/Zurich',
    locale: 'en',
    address: {
      street_address: '1 Gate Road',
      locality: 'Bern',
      postal_code: '3011',
      country: 'CH',
    },
    phone_number: '+41 31 555 01 00',
    phone_number_verified: true,
  }
}

async function createRoles(op: DemoContext, tx: Transaction): Promise<void> {
  const stamps = { createdAt: op.now(), updatedAt: op.now() }
  await prisma(tx).role.createMany({
    data: [
      { id: ID.clerk, spaceId: ID.space, key: 'clerk', name: 'Clerk', ...stamps },
      { id: ID.manager, spaceId: ID.space, key: 'manager', name: 'Manager', ...stamps },
    ],
  })
  await prisma(tx).roleParent.create({ data: { roleId: ID.manager, parentId: ID.clerk } })
  await grant(op, tx, { roleId: ID.clerk }, [
    { pattern: 'orders:read' },
    { pattern: 'orders:write' },
  ])
  await grant(op, tx, { roleId: ID.manager }, [{ pattern: 'orders:refund' }])
  await prisma(tx).assignment.createMany({
    data: [
      { id: newId('asg'), roleId: ID.clerk, userId: ID.alice, ...stamps },
      { id: newId('asg'), roleId: ID.manager, userId: ID.bob, ...stamps },
    ],
  })
}
