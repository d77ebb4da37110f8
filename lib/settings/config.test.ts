import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, environment, readConfig } from './config'
import { DEFAULT_BRANDING, languagesShape, securityShape } from './model'

const STRONG = 'bQ4vTn9cK2xW7rLs0pYh3uJf6mZa8dEg'
const folder = () => mkdtempSync(join(tmpdir(), 'gatehouse-config-'))

describe('O9: refuses to start and names the variable', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    [
      'a missing secret in production',
      { ISSUER: 'https://id.example.com' },
      /GATEHOUSE_SECRET is missing/,
    ],
    ['a short secret', { GATEHOUSE_SECRET: 'short' }, /GATEHOUSE_SECRET is weak.*32/],
    ['one letter over and over', { GATEHOUSE_SECRET: 'a'.repeat(40) }, /GATEHOUSE_SECRET is weak/],
    [
      'a placeholder',
      { GATEHOUSE_SECRET: `changeme${'x1'.repeat(20)}` },
      /GATEHOUSE_SECRET is weak/,
    ],
    [
      'an http issuer in production',
      { GATEHOUSE_MODE: 'production', GATEHOUSE_SECRET: STRONG },
      /ISSUER is http:\/\/localhost:3000: in production it must start with https/,
    ],
    [
      'an http issuer with NODE_ENV=production',
      { NODE_ENV: 'production', GATEHOUSE_SECRET: STRONG },
      /ISSUER .*https/,
    ],
    ['an http issuer elsewhere', { ISSUER: 'http://id.example.com' }, /ISSUER .*this machine only/],
    ['an issuer with a slash', { ISSUER: 'https://id.example.com/' }, /ISSUER .*no slash/],
    ['an issuer with another path', { ISSUER: 'https://id.example.com/x' }, /ISSUER .*\/oidc/],
    ['an issuer in capitals', { ISSUER: 'https://ID.example.com' }, /ISSUER/],
    ['an issuer that is no URL', { ISSUER: 'id' }, /ISSUER/],
    [
      'a SQLite file on Vercel',
      { VERCEL: '1', ISSUER: 'https://id.example.com', GATEHOUSE_SECRET: STRONG },
      /DATABASE_URL.*Vercel.*postgresql/,
    ],
    ['another database', { DATABASE_URL: 'mysql://x' }, /DATABASE_URL: must start with/],
    [
      'a failpoint in production',
      {
        ISSUER: 'https://id.example.com',
        GATEHOUSE_SECRET: STRONG,
        GATEHOUSE_FAILPOINT: 'code:spent',
      },
      /GATEHOUSE_FAILPOINT is for tests/,
    ],
    ['a failpoint that is none', { GATEHOUSE_FAILPOINT: 'nowhere' }, /GATEHOUSE_FAILPOINT/],
    ['a port that is none', { PORT: '70000' }, /PORT/],
    ...['0', '-1', '1.5', '2x', 'all', '257'].map(
      (WORKERS): [string, Record<string, string>, RegExp] => [
        `${WORKERS} workers`,
        { WORKERS },
        /^WORKERS: must be a whole number from 1 to 256, or auto \(see docs\/configuration.md\)$/,
      ],
    ),
    ['mail from nobody', { SMTP_URL: 'smtp://localhost' }, /MAIL_FROM is missing/],
    ['a mail server that is none', { SMTP_URL: 'https://x' }, /SMTP_URL: must look like/],
    ['options nobody checks', { SMTP_URL: 'smtp://x?tls=no' }, /SMTP_URL: must look like/],
    ['two senders', { MAIL_FROM: 'a@x.org, b@x.org' }, /MAIL_FROM: must be one address/],
    ['a header in the sender', { MAIL_FROM: 'A\nBcc: b <a@x.org>' }, /MAIL_FROM/],
    [
      'open registration in production without mail',
      { ISSUER: 'https://id.example.com', GATEHOUSE_SECRET: STRONG, REGISTRATION: 'open' },
      /REGISTRATION is open .*SMTP_URL/,
    ],
    ['a short metrics token', { METRICS_TOKEN: 'x' }, /METRICS_TOKEN/],
    ['a short cron secret', { CRON_SECRET: 'x'.repeat(31) }, /CRON_SECRET is weak.*32/],
    ['a cron secret of one letter', { CRON_SECRET: 'x'.repeat(40) }, /CRON_SECRET is weak/],
  ])('%s', (_what, env, message) => {
    expect(() => readConfig({ DATA_DIR: folder(), ...env })).toThrow(ConfigError)
    expect(() => readConfig({ DATA_DIR: folder(), ...env })).toThrow(message)
  })
})

describe('development', () => {
  test('makes a secret once, readable by its owner only', () => {
    const dataDir = folder()
    const first = readConfig({ DATA_DIR: dataDir })
    expect(first.secret).toHaveLength(64)
    expect(readConfig({ DATA_DIR: dataDir }).secret).toBe(first.secret)
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600)
  })

  test('is what an empty environment means, on SQLite', () => {
    const dataDir = folder()
    expect(readConfig({ DATA_DIR: dataDir, ISSUER: '' })).toMatchObject({
      issuer: 'http://localhost:3000',
      production: false,
      host: '127.0.0.1',
      databaseUrl: `file:${join(dataDir, 'gatehouse.db')}`,
    })
  })
})

test('production takes an https issuer, with or without /oidc', () => {
  const env = { GATEHOUSE_SECRET: STRONG, DATABASE_URL: 'postgresql://db/x', DATA_DIR: folder() }
  for (const issuer of ['https://id.example.com', 'https://id.example.com/oidc']) {
    expect(readConfig({ ...env, ISSUER: issuer })).toMatchObject({
      issuer,
      origin: 'https://id.example.com',
      production: true,
    })
  }
})

test.each<[string, Record<string, string>, number]>([
  ['SQLite', {}, 1],
  ['PostgreSQL', { DATABASE_URL: 'postgresql://x/y' }, availableParallelism()],
  ['SQLite with auto', { WORKERS: 'auto' }, availableParallelism()],
  ['PostgreSQL with a number', { DATABASE_URL: 'postgresql://x/y', WORKERS: '3' }, 3],
])('workers with %s', (_what, env, workers) => {
  expect(readConfig({ DATA_DIR: folder(), ...env }).workers).toBe(workers)
})

test('docs/configuration.md lists exactly the variables of the schema, with their descriptions', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n## Environment variables\n')
  const rows = section.split('\n## ')[0]?.match(/^\| `.*$/gm)
  expect(rows).toEqual(
    Object.entries(environment.shape).map(
      ([name, schema]) => `| \`${name}\` | ${schema.description} |`,
    ),
  )
})

test('docs/configuration.md lists the settings of security, branding and languages', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  // Pictures are uploaded.
  const { pictures: _, ...branding } = DEFAULT_BRANDING
  const parts = { security: securityShape, branding, languages: languagesShape }
  const all = Object.entries(parts).flatMap(([part, shape]) =>
    Object.keys(shape).map((name) => `${part}.${name}`),
  )
  const [, section = ''] = page.split('\n## Settings\n')
  const names = (section.split('\n## ')[0]?.match(/^\| `.*? \|/gm) ?? []).join()
  const listed = names.match(/\b(security|branding|languages)\.\w+/g)
  expect(listed?.sort()).toEqual(all.sort())
})
