import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../support/ask'
import { temporaryFolder } from '../support/folder'
import { type Portal, spawnPortal, startPortal } from '../support/portal'

/** A portal of its own: it is configured when it starts, and by commands beside it. */

const BRANDED = { version: 1, settings: { branding: { name: 'Example ID' } } }

function written(document: object): string {
  const file = join(temporaryFolder(), 'portal.json')
  writeFileSync(file, JSON.stringify(document))
  return file
}

function run(portal: Portal, ...args: string[]) {
  return runIn(portal.env, ...args)
}

function runIn(variables: Record<string, string>, ...args: string[]) {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, ...variables } as unknown as NodeJS.ProcessEnv
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/commands.js', ...args], {
    env,
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

describe('configuration as code', () => {
  const file = written(BRANDED)
  let portal: Portal

  beforeAll(async () => {
    portal = await startPortal({ env: { GATEHOUSE_CONFIG: file } })
  })

  afterAll(() => portal.stop())

  test('is applied at the start, before anybody is served', async () => {
    expect(portal.output()).toContain('~ settings branding: name "Gatehouse" -> "Example ID"')
    expect((await ask(portal.origin, { path: '/login' })).body).toContain('Example ID')
  })

  test('`apply` beside a running portal: once, then nothing to do; it knows within a second', async () => {
    expect(run(portal, 'apply', file)).toEqual({ status: 0, said: 'nothing to do\n' })
    const next = written({ version: 1, settings: { branding: { name: 'Other ID' } } })
    expect(run(portal, 'apply', next, '--dry-run').said).toContain('none made (--dry-run)')
    expect(run(portal, 'apply', next).said).toMatch(/^~ settings branding: .+\n1 change\n$/)
    expect(run(portal, 'apply', next).said).toBe('nothing to do\n')
    await expect
      .poll(async () => (await ask(portal.origin, { path: '/login' })).body)
      .toContain('Other ID')
  })

  test('`export` writes what `apply` reads', () => {
    const out = written({})
    expect(run(portal, 'export', out).status).toBe(0)
    expect(JSON.parse(readFileSync(out, 'utf8')).settings.branding.name).toBe('Other ID')
    expect(run(portal, 'apply', out).said).toBe('nothing to do\n')
  })

  test('`apply` needs the address, the database and the master secret of the server, and the variables of the file', () => {
    const document = {
      version: 1,
      applications: [
        {
          id: 'shop-backend',
          kind: 'machine',
          name: 'Shop',
          secrets: [{ name: 'main', secret: { env: 'SHOP_SECRET' } }],
        },
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
    const shop = written(document)
    const { GATEHOUSE_SECRET = '' } = portal.env
    const needed = {
      ISSUER: 'https://id.example.com',
      DATABASE_URL: `file:${join(temporaryFolder(), 'shop.db')}`,
      GATEHOUSE_SECRET,
      SHOP_SECRET: 's'.repeat(32),
      HOOK_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
    }
    const applied = (env: Record<string, string>) => runIn(env, 'apply', shop)
    const { HOOK_SECRET: _none, ...lacking } = needed
    expect(applied(lacking).said).toBe(
      `${shop}: HOOK_SECRET is not set: the configuration file takes a secret from it\n`,
    )
    expect(applied({ ...needed, SHOP_SECRET: 'short' }).said).toBe(
      `${shop}: SHOP_SECRET: Use 32 to 255 printable ASCII characters without spaces.\n`,
    )
    expect(applied({ ...needed, HOOK_SECRET: 'short' }).said).toBe(
      `${shop}: HOOK_SECRET: Use whsec_ and 24 to 64 bytes in base64.\n`,
    )
    expect(applied(needed)).toEqual({
      status: 0,
      said: '+ application shop-backend\n+ secret shop-backend/main\n+ webhook CRM\n3 changes\n',
    })
    expect(applied(needed).said).toBe('nothing to do\n')
  })

  test('what is wrong is said in one line, and stops a start', async () => {
    const wrong = written({ version: 1, groups: [{ key: 'NO', name: 'x' }] })
    const { status, said } = run(portal, 'apply', wrong)
    expect([status, said]).toEqual([1, `${wrong}: group NO: /key: ${KEY_RULE}\n`])
    const stopped = await spawnPortal(['dist/server.js'], { GATEHOUSE_CONFIG: '/nowhere.json' })
    expect(await stopped.exited).toBe(1)
    expect(stopped.output()).toContain('/nowhere.json: cannot be read (ENOENT)')
  })
})

const KEY_RULE =
  'Use 1 to 63 lower-case letters, digits, dots, underscores or hyphens. Begin with a letter or digit.'
