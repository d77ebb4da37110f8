import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { emptyDatabase, freshDatabase, KINDS, type Kind } from '../../../e2e/support/databases'
import { temporaryFolder } from '../../../e2e/support/folder'
import { deriveKey } from '../../crypto/secrets'
import { createOp } from '../../op'
import { readConfig } from '../../settings/config'
import { verifyChain } from '../../store/audit/chain'
import { type Database, openDatabase } from '../../store/database/database'
import { loadDemo } from '../demo'
import { backUp } from './backup'
import { newHead, writeFile } from './file'
import { restore } from './restore'
import { readRow, writeRow } from './rows'

const secret = 'a-test-secret-of-sufficient-length-0123456789'
const NOW = new Date('2026-11-15T12:00:00.000Z')
const HOW = { replace: false, moved: false }
const MOVED = { ...HOW, moved: true }

test('a row comes back as it was', () => {
  const row = {
    text: 'x ✓ \u2028',
    none: null,
    yes: true,
    number: 1.5,
    at: NOW,
    big: 2n ** 60n,
    bytes: new Uint8Array([0, 255, 10]),
    list: [{ date: 5 }],
    object: { big: 'not one', json: null },
  }
  expect(readRow(JSON.parse(writeRow(row)))).toEqual(row)
})

const newFile = () => join(temporaryFolder(), 'portal.backup')

/** With something in many tables, and more rows than one page takes in one of them. */
async function filled(kind: Kind): Promise<string> {
  const databaseUrl = await freshDatabase[kind]()
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: temporaryFolder(), GATEHOUSE_SECRET: secret }
  const portal = await createOp(readConfig({ ...env, LOG_LEVEL: 'silent' }))
  await loadDemo(portal)
  await portal.signingKey('ES256')
  const counters = Array.from({ length: 1_203 }, (_, index) => ({
    key: `k ${index}`,
    count: index,
    expiresAt: NOW,
  }))
  await portal.db.rateCounter.createMany({ data: counters })
  const user = await portal.db.user.findFirstOrThrow()
  await portal.db.avatar.create({
    data: { id: 'ava', userId: user.id, webp: new Uint8Array([82, 0, 255]), createdAt: NOW },
  })
  const record = { caller: 'c', key: 'k', requestHash: 'h', createdAt: NOW, expiresAt: NOW }
  await portal.db.idempotencyRecord.create({ data: { ...record, response: 'sealed text' } })
  await portal.db.deletedId.create({ data: { id: 'usr_gone', deletedAt: NOW } })
  await portal.close()
  return databaseUrl
}

/** Everything in it, as a backup would write it. */
async function contents(databaseUrl: string): Promise<string[]> {
  const file = newFile()
  await backUp({ databaseUrl, secret }, file, NOW)
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n').slice(0, -1)
  return lines.map((line) => JSON.stringify(JSON.parse(line, inOrder)))
}

/** PostgreSQL keeps the members of an object in an order of its own. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function withDatabase<T>(url: string, look: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(url)
  try {
    return await look(db)
  } finally {
    await db.$disconnect()
  }
}

const PATHS = KINDS.flatMap((from) => KINDS.map((to): [Kind, Kind] => [from, to]))

describe('a backup', () => {
  let sources: Record<Kind, { url: string; file: string }>

  beforeAll(async () => {
    const made = async (kind: Kind) => {
      const source = { url: await filled(kind), file: newFile() }
      await backUp({ databaseUrl: source.url, secret }, source.file, NOW)
      return source
    }
    sources = { sqlite: await made('sqlite'), postgres: await made('postgres') }
  })

  test('is a file that only its owner can read, with nothing left beside it', async () => {
    const { file } = sources.sqlite
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await readdir(join(file, '..'))).toEqual(['portal.backup'])
    await expect(backUp({ databaseUrl: sources.sqlite.url, secret }, file, NOW)).rejects.toThrow(
      'already',
    )
  })

  test.each(PATHS)('of %s moves to %s, row by row', async (from, to) => {
    const { file, url } = sources[from]
    const databaseUrl = await emptyDatabase[to]()
    await restore({ databaseUrl, secret }, file, MOVED, NOW)
    const [before, after] = [await contents(url), await contents(databaseUrl)]
    // The one entry that says so, the head of the log, and the policy's version.
    const changed = after.filter((line) => !before.includes(line))
    expect(before.length).toBeGreaterThan(1_300)
    expect(after.length).toBe(before.length + 2)
    expect(changed.length).toBe(4)
    expect(changed.join()).toContain('portal.restored')
    const chain = await withDatabase(databaseUrl, (db) => verifyChain(db, 0n, 10_000))
    expect(chain).toMatchObject({ broken: null, more: false })
    expect(chain.checked).toBeGreaterThan(1)
  })

  test.each(KINDS)(
    'is refused by a %s that is not empty, unless it is to be replaced',
    async (kind) => {
      const { file } = sources.sqlite
      const databaseUrl = await filled(kind)
      const refused = restore({ databaseUrl, secret }, file, HOW, NOW)
      await expect(refused).rejects.toThrow(/not empty \(User.*--replace/)
      const version = await withDatabase(databaseUrl, (db) => db.policyVersion.findFirstOrThrow())
      await restore({ databaseUrl, secret }, file, { ...HOW, replace: true }, NOW)
      await withDatabase(databaseUrl, async (db) => {
        expect((await db.policyVersion.findFirstOrThrow()).version).toBeGreaterThan(version.version)
        expect(await verifyChain(db, 0n, 10_000)).toMatchObject({ broken: null })
        // Still append-only.
        await expect(db.auditEntry.deleteMany()).rejects.toThrow()
        await expect(db.auditEntry.updateMany({ data: { event: 'x' } })).rejects.toThrow()
      })
    },
  )

  describe('is refused, and nothing is written,', () => {
    const lines = () => gunzipSync(readFileSync(sources.sqlite.file)).toString().split('\n')
    const packed = (text: string[]) => gzipSync(text.join('\n'))
    const whole = () => readFileSync(sources.sqlite.file)
    const changed = (from: string, to: string) => packed(lines().map((l) => l.replace(from, to)))

    test.each<[string, () => Buffer, RegExp]>([
      ['cut off', () => whole().subarray(0, whole().length - 200), /damaged/],
      ['with one bit changed', () => flipped(whole(), 4_000), /damaged/],
      ['without its end', () => packed(lines().slice(0, -2)), /damaged/],
      ['without a row', () => packed(lines().toSpliced(5, 1)), /damaged/],
      ['with one row twice', () => packed(lines().toSpliced(5, 0, lines()[5] ?? '')), /damaged/],
      ['with another admin', () => changed('"adminRole":null', '"adminRole":"owner"'), /damaged/],
      ['with more behind its end', () => packed([...lines().slice(0, -1), '{}', '']), /damaged/],
      ['of another schema', () => changed('"schema":"2026', '"schema":"2025'), /damaged/],
      ['that is none', () => gzipSync('{"a":1}\n'), /not a backup/],
      ['that is no archive', () => Buffer.from('hello'), /damaged/],
      ['that is empty', () => Buffer.alloc(0), /damaged/],
    ])('%s', async (_what, bytes, message) => {
      const file = newFile()
      writeFileSync(file, bytes(), { mode: 0o600 })
      const databaseUrl = await freshDatabase.sqlite()
      await expect(restore({ databaseUrl, secret }, file, HOW, NOW)).rejects.toThrow(message)
      expect(await withDatabase(databaseUrl, (db) => db.user.count())).toBe(0)
    })

    test('of another version, which is named', async () => {
      const file = newFile()
      const key = deriveKey(secret, 'backup')
      const none = async function* () {}
      await writeFile(file, key, newHead(key, '20250101000000_old', NOW), none())
      const databaseUrl = await freshDatabase.sqlite()
      await expect(restore({ databaseUrl, secret }, file, HOW, NOW)).rejects.toThrow(
        /schema 20250101000000_old, but this version has 2026/,
      )
    })

    test('under another secret', async () => {
      const databaseUrl = await freshDatabase.sqlite()
      const other = { databaseUrl, secret: `${secret}x` }
      await expect(restore(other, sources.sqlite.file, HOW, NOW)).rejects.toThrow(
        'another GATEHOUSE_SECRET',
      )
    })

    test('that others can read', async () => {
      const file = newFile()
      writeFileSync(file, whole())
      chmodSync(file, 0o640)
      const databaseUrl = await freshDatabase.sqlite()
      await expect(restore({ databaseUrl, secret }, file, HOW, NOW)).rejects.toThrow('chmod 600')
    })

    test('of a database that is not migrated: it is not made', async () => {
      const databaseUrl = await emptyDatabase.postgres()
      await expect(backUp({ databaseUrl, secret }, newFile(), NOW)).rejects.toThrow(
        'not been migrated',
      )
    })
  })
})

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}
