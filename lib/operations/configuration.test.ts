import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, usually } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { applyConfiguration } from '../api/configuration/apply'
import { exportConfiguration } from '../api/configuration/export'
import { parseConfiguration } from '../api/configuration/schema'
import type { Op } from '../context/op'
import { createOp, type OpenOp } from '../op'
import { readConfig } from '../settings/config'
import { findUser } from '../store/accounts/users'
import { migrate } from '../store/operations/migrations'
import { loadDemo } from './demo'

type OpenPortal = OpenOp

const env = {
  SHOP_SECRET: 'shop-secret-0123456789-0123456789-0123456789',
  NIGHTLY_SECRET: 'nightly-secret-0123456789-0123456789-01234',
  HOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  PROVIDER_ACME_SECRET: 'canary-acme-secret',
}

const SHOP = {
  version: 1,
  settings: {
    security: { sessionIdleMinutes: 60 },
    branding: { name: 'Example ID' },
    providers: [
      {
        id: 'acme',
        kind: 'oidc',
        name: 'Acme',
        issuer: 'https://id.acme.example',
        clientId: 'portal',
        clientSecret: { env: 'PROVIDER_ACME_SECRET' },
      },
    ],
  },
  spaces: [
    {
      key: 'shop',
      name: 'The shop',
      resources: [
        {
          prefix: 'stock',
          audience: 'https://stock.example.com',
          name: 'Stock',
          permissions: [{ key: 'stock:read' }, { key: 'stock:refund', sensitive: true }],
        },
      ],
      roles: [
        { key: 'clerk', name: 'Clerk', permissions: [{ pattern: 'stock:read' }] },
        { key: 'chief', name: 'Chief', parents: ['clerk'], permissions: [{ pattern: 'stock:*' }] },
      ],
    },
  ],
  apis: [
    {
      prefix: 'stock',
      owners: [
        { type: 'user', id: 'cleo' },
        { type: 'group', id: 'clerks' },
      ],
      introspectors: ['shop-backend'],
    },
  ],
  users: [{ username: 'cleo', name: 'Cleo', adminRole: 'auditor' }, { email: 'dan@example.com' }],
  groups: [{ key: 'clerks', name: 'Clerks', members: ['cleo', 'dan@example.com'] }],
  applications: [
    {
      id: 'shop-backend',
      kind: 'machine',
      name: 'Shop',
      space: 'shop',
      owner: 'cleo',
      grants: ['stock:read', { pattern: 'stock:refund', condition: 'auth.age < 300.0' }],
      branding: { accent: '#12604f', signInText: { en: 'Welcome to the shop.' } },
      secrets: [{ name: 'main', secret: { env: 'SHOP_SECRET' } }],
      keys: [
        {
          accessKey: 'ak_nightly',
          name: 'Nightly',
          scopes: ['stock:read'],
          secretKey: { env: 'NIGHTLY_SECRET' },
        },
      ],
    },
  ],
  assignments: [
    { space: 'shop', role: 'clerk', subject: { type: 'group', id: 'clerks' } },
    { space: 'shop', role: 'chief', subject: { type: 'user', id: 'cleo' }, instance: 'branch-1' },
  ],
  webhooks: [
    {
      name: 'CRM',
      url: 'https://crm.example/hook',
      events: ['user.*'],
      secret: { env: 'HOOK_SECRET' },
    },
  ],
}

describe.each(usually('sqlite'))('configuration as code on %s', (kind) => {
  let portal: OpenPortal

  const portals: OpenPortal[] = []

  async function emptyPortal(): Promise<OpenPortal> {
    const url = await freshDatabase[kind]()
    await migrate(url)
    return processOn(url)
  }

  async function processOn(DATABASE_URL: string): Promise<OpenPortal> {
    const made = await createOp(
      readConfig({ DATABASE_URL, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }),
    )
    portals.push(made)
    return made
  }

  const apply = async (to: OpenPortal, document: object, dryRun = false) =>
    applyConfiguration(to, parseConfiguration(JSON.stringify(document)), { env, dryRun })

  beforeAll(async () => {
    portal = await emptyPortal()
  })

  afterAll(async () => {
    for (const one of portals) await one.close()
  })

  test('a dry run says what would be done, and does nothing', async () => {
    const before = await exportConfiguration(portal)
    const lines = await apply(portal, SHOP, true)
    expect(lines).toContain('+ application shop-backend')
    expect(await exportConfiguration(portal)).toEqual(before)
  })

  test('everything is made once; the second time there is nothing to do', async () => {
    expect(await apply(portal, SHOP)).toEqual([
      '+ space shop',
      '+ api stock',
      '+ permission stock:read',
      '+ permission stock:refund',
      '+ role shop/clerk',
      '+ role shop/chief',
      '+ user cleo',
      '+ user dan@example.com',
      '+ group clerks',
      '~ group clerks: members +cleo',
      '~ group clerks: members +dan@example.com',
      '+ application shop-backend',
      '~ application shop-backend: grants +stock:read +stock:refund',
      '~ branding shop-backend: accent null -> "#12604f", signInText',
      '+ secret shop-backend/main',
      '+ access key shop-backend/ak_nightly',
      '~ api stock: owners, introspectors',
      '+ assignment shop/clerk to group clerks',
      '+ assignment shop/chief to user cleo',
      '+ webhook CRM',
      '~ settings security: sessionIdleMinutes 480 -> 60',
      '~ settings branding: name "Gatehouse" -> "Example ID"',
      '+ provider acme',
    ])
    expect(await apply(portal, SHOP)).toEqual([])
  })

  test('the secrets are those of the environment; none is in the audit log or the export (N9)', async () => {
    const clients = ['shop-backend', 'ak_nightly']
    const { credentials } = await portal.latestSnapshot({ clients })
    const hashes = clients.map((id) => credentials.get(id)?.secrets.map(({ hash }) => hash))
    expect(hashes).toEqual([
      [portal.hashSecret(env.SHOP_SECRET)],
      [portal.hashSecret(env.NIGHTLY_SECRET)],
    ])
    const audit = await portal.db.auditEntry.findMany({ where: { actorKind: 'system' } })
    expect(audit.length).toBeGreaterThan(10)
    const told = JSON.stringify([
      audit.map(({ detail }) => detail),
      await exportConfiguration(portal),
    ])
    for (const secret of Object.values(env)) expect(told).not.toContain(secret)
    expect(told).toContain('"env":"PROVIDER_ACME_SECRET"')
  })

  test('says what differs, changes that, and replaces a secret that is another one now', async () => {
    const [space] = SHOP.spaces
    const clerk = {
      key: 'clerk',
      name: 'Shop clerk',
      permissions: [{ pattern: 'stock:read' }, { pattern: 'stock:refund' }],
    }
    const changed = { version: 1, spaces: [{ ...space, roles: [clerk] }] }
    expect(await apply(portal, changed)).toEqual([
      '~ role shop/clerk: name "Clerk" -> "Shop clerk", permissions +stock:refund',
    ])
    const { applications } = SHOP
    const other = { ...env, SHOP_SECRET: `${env.SHOP_SECRET}-next` }
    const document = parseConfiguration(JSON.stringify({ version: 1, applications }))
    const lines = await applyConfiguration(portal, document, { env: other, dryRun: false })
    expect(lines).toEqual(['~ secret shop-backend/main'])
    const { credentials } = await portal.latestSnapshot({ clients: ['shop-backend'] })
    const live = credentials.get('shop-backend')?.secrets.map(({ hash }) => hash)
    expect(live).toEqual([portal.hashSecret(other.SHOP_SECRET)])
  })

  test('what is not named stays, unless its kind is to be pruned', async () => {
    const spaces = [{ key: 'shop', name: 'The shop', resources: SHOP.spaces[0]?.resources }]
    expect(await apply(portal, { version: 1, spaces })).toEqual([])
    const prune = ['roles', 'webhooks', 'users']
    expect(
      await apply(portal, { version: 1, prune, spaces, users: [SHOP.users[0]] }, true),
    ).toEqual(['- role shop/chief', '- role shop/clerk', '- webhook CRM', '- user dan@example.com'])
  })

  test('an ID of one’s own for a new user; an ID is never changed', async () => {
    const portal = await emptyPortal()
    const users = [{ id: 'usr_eve', username: 'eve' }]
    expect(await apply(portal, { version: 1, users })).toEqual(['+ user eve'])
    expect(await apply(portal, { version: 1, users })).toEqual([])
    expect((await portal.read((db) => findUser(db, 'eve')))?.id).toBe('usr_eve')
    const other = [{ id: 'usr_other', username: 'eve' }]
    await expect(apply(portal, { version: 1, users: other })).rejects.toThrow(
      'the user eve has the ID usr_eve',
    )
  })

  test('a mistake takes everything back, and says where it is', async () => {
    const before = await exportConfiguration(portal)
    const wrong = {
      version: 1,
      groups: [{ key: 'made-first', name: 'Made first' }],
      applications: [{ id: 'wrong', kind: 'machine', name: 'x', isAdmin: true }],
    }
    await expect(apply(portal, wrong)).rejects.toThrow(
      'application wrong: /isAdmin: This field does not exist.',
    )
    expect(await exportConfiguration(portal)).toEqual(before)
    const missing = { version: 1, webhooks: [{ name: 'x', secret: { env: 'NOT_THERE' } }] }
    await expect(apply(portal, missing)).rejects.toThrow('NOT_THERE is not set')
    await expect(apply(portal, { version: 2 })).rejects.toThrow('/version')
    await expect(apply(portal, { version: 1, role: [] })).rejects.toThrow('role')
  })

  test('an export, applied to an empty portal, gives the same export; applied again, nothing', async () => {
    const [first, second] = [await emptyPortal(), await emptyPortal()]
    await loadDemo(first)
    await apply(first, SHOP)
    const written = await exportConfiguration(first)
    expect(await apply(second, written)).not.toEqual([])
    expect(await exportConfiguration(second)).toEqual(written)
    expect(await apply(second, written)).toEqual([])
  })

  test('a sign-in of another process gets through at every change, and during a dry run', async () => {
    const users = Array.from({ length: 20 }, (_, at) => ({ username: `worker${at}` }))
    const portal = await emptyPortal()
    const other = await processOn(portal.config.databaseUrl)
    let signIns = 0
    // In one transaction, it would wait for what waits for it.
    const between = async () => {
      await other.write(async (_tx, audit) => audit({ ...SIGNED_IN, actorId: 'usr_somebody' }))
      signIns += 1
    }
    for (const dryRun of [true, false]) {
      signIns = 0
      const done = await apply(interleaved(portal, between), { version: 1, users }, dryRun)
      expect(done).toHaveLength(users.length)
      expect(signIns).toBe(dryRun ? users.length : 2 * users.length)
    }
  })

  test('applied again after it stopped, wherever that was, it does the rest', async () => {
    const whole = await emptyPortal()
    await apply(whole, SHOP)
    const wanted = await exportConfiguration(whole)
    const portal = await emptyPortal()
    let isWhole = false
    for (let most = 0; !isWhole; most += 2) {
      isWhole = await apply(stoppingAfter(portal, most), SHOP).then(
        () => true,
        (error) => !(error instanceof Stopped),
      )
    }
    expect(await exportConfiguration(portal)).toEqual(wanted)
    expect(await apply(portal, SHOP)).toEqual([])
  })
})

class Stopped extends Error {}

/** The process ends after that many changes. */
function stoppingAfter(op: OpenPortal, most: number): OpenPortal {
  let made = 0
  return before(op, async () => {
    made += 1
    if (made > most) throw new Stopped('killed')
  })
}

/** Something else happens before each change, also of a rehearsal. */
function interleaved(op: OpenPortal, happens: () => Promise<void>): OpenPortal {
  return {
    ...before(op, happens),
    rehearse: (work) => op.rehearse((inside, changed) => work(before(inside, happens), changed)),
  }
}

function before<T extends Op>(op: T, happens: () => Promise<void>): T {
  const write: Op['write'] = (work) => happens().then(() => op.write(work))
  const changePolicy: Op['changePolicy'] = (work, touched) =>
    happens().then(() => op.changePolicy(work, touched))
  return { ...op, write, changePolicy }
}

const SIGNED_IN = {
  event: 'login.succeeded',
  result: 'success',
  actorKind: 'user',
  detail: {},
} as const
