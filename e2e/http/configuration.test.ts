import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../support/ask'
import { temporaryFolder } from '../support/folder'
import { type Portal, spawnPortal, startPortal } from '../support/portal'

const BRANDED = { version: 1, settings: { branding: { name: 'Example ID' } } }

function written(document: object): string {
  const file = join(temporaryFolder(), 'portal.json')
  writeFileSync(file, JSON.stringify(document))
  return file
}

function run(portal: Portal, ...args: string[]) {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, ...portal.env } as unknown as NodeJS.ProcessEnv
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
      .poll(async () => (await ask(portal.origin, { path: '/login' })).body, { timeout: 3_000 })
      .toContain('Other ID')
  })

  test('`export` writes what `apply` reads', () => {
    const out = written({})
    expect(run(portal, 'export', out).status).toBe(0)
    expect(JSON.parse(readFileSync(out, 'utf8')).settings.branding.name).toBe('Other ID')
    expect(run(portal, 'apply', out).said).toBe('nothing to do\n')
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
  'must be 1 to 63 lower-case letters, digits, dots, underscores or hyphens, and begin with a letter or digit'
