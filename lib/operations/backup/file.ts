import { createHmac, type Hmac } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { sameDigest } from '../../crypto/secrets'

/**
 * The file format: gzipped lines of JSON. The first line describes the file. Each table follows as
 * its name and its rows. The last line counts the lines and authenticates them with a key derived
 * from GATEHOUSE_SECRET.
 */

export class BackupError extends Error {}

const FORMAT = 1
const OTHERS = 0o077

const headSchema = z.object({
  gatehouse: z.literal('backup'),
  format: z.number(),
  schema: z.string(),
  takenAt: z.iso.datetime(),
  /** The same secret gives the same value; it reveals nothing else about the secret. */
  secret: z.string(),
})
const tableSchema = z.object({ table: z.string() })
const endSchema = z.object({ rows: z.record(z.string(), z.number()), seal: z.string() })

export type Head = z.infer<typeof headSchema>
export type Counts = Record<string, number>
type Line = { table: string; row: Record<string, unknown> }

export function newHead(key: Buffer, schema: string, takenAt: Date): Head {
  const stamp = { schema, takenAt: takenAt.toISOString() }
  return { gatehouse: 'backup', format: FORMAT, ...stamp, secret: markOf(key) }
}

function markOf(key: Buffer): string {
  return createHmac('sha256', key).update('whose secret').digest('base64url')
}

// ---------------------------------------------------------------- writing

/** `lines`: the name of a table, or a row of the table that was named last. */
export async function writeFile(
  path: string,
  key: Buffer,
  head: Head,
  lines: AsyncIterable<{ table: string } | { row: string }>,
): Promise<Counts> {
  const counts: Counts = {}
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  await pipeline(Readable.from(sealed(key, head, lines, counts)), createGzip(), file)
  return counts
}

async function* sealed(
  key: Buffer,
  head: Head,
  lines: AsyncIterable<{ table: string } | { row: string }>,
  counts: Counts,
): AsyncGenerator<string> {
  const seal = createHmac('sha256', key)
  const line = (text: string) => {
    seal.update(text)
    return text
  }
  yield line(`${JSON.stringify(head)}\n`)
  let table = ''
  for await (const next of lines) {
    if ('table' in next) {
      table = next.table
      counts[table] = 0
      yield line(`${JSON.stringify(next)}\n`)
    } else {
      counts[table] = (counts[table] ?? 0) + 1
      yield line(`${next.row}\n`)
    }
  }
  yield `${JSON.stringify({ rows: counts, seal: seal.digest('base64url') })}\n`
}

// ---------------------------------------------------------------- reading

/** The description of a file, after all its lines are verified. */
export async function verifyFile(path: string, key: Buffer): Promise<Head & { counts: Counts }> {
  requirePrivate(path)
  let head: Head | null = null
  let end: z.infer<typeof endSchema> | null = null
  const seal: Hmac = createHmac('sha256', key)
  const counts: Counts = {}
  let table = ''
  for await (const { text, value } of parsedLines(path)) {
    if (end) throw damaged()
    if (!head) head = readHead(value, key)
    else if (endSchema.safeParse(value).success) end = endSchema.parse(value)
    else if (isTable(value)) table = value.table
    if (!end) seal.update(`${text}\n`)
    if (table !== '' && !end) counts[table] = (counts[table] ?? -1) + 1
  }
  if (!head || !end || !sameDigest(seal.digest('base64url'), end.seal)) throw damaged()
  if (!isDeepStrictEqual(counts, end.rows)) throw damaged()
  return { ...head, counts }
}

/** The rows of a file that has been verified. */
export async function* linesOf(path: string): AsyncGenerator<Line> {
  let table = ''
  let first = true
  for await (const { value } of parsedLines(path)) {
    if (first) first = false
    else if (isTable(value)) table = value.table
    else if (!endSchema.safeParse(value).success) yield { table, row: value }
  }
}

const membersOf = z.record(z.string(), z.unknown())

type ParsedLine = { text: string; value: Record<string, unknown> }

async function* parsedLines(path: string): AsyncGenerator<ParsedLine> {
  const unpacked = createGunzip().setEncoding('utf8')
  // The iteration below reports read errors.
  pipeline(createReadStream(path), unpacked).catch(() => {})
  let rest = ''
  try {
    for await (const piece of unpacked) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const text of lines) yield { text, value: membersOf.parse(JSON.parse(text)) }
    }
    if (rest !== '') throw damaged()
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw damaged(error)
  }
}

function readHead(value: unknown, key: Buffer): Head {
  const head = headSchema.safeParse(value).data
  if (!head) throw new BackupError('this is not a backup of the portal')
  if (head.format !== FORMAT) {
    throw new BackupError(
      `the backup has format ${head.format}, but this version reads format ${FORMAT}`,
    )
  }
  if (head.secret === markOf(key)) return head
  throw new BackupError(
    'the backup was made with another GATEHOUSE_SECRET: set that one, because nothing in the backup can be decrypted without it',
  )
}

/** Exactly one member: no row has a column with this name. */
function isTable(value: Record<string, unknown>): value is { table: string } {
  return Object.keys(value).length === 1 && tableSchema.safeParse(value).success
}

function damaged(cause?: unknown): BackupError {
  return new BackupError('the backup is damaged or incomplete: nothing was restored', { cause })
}

/** Whoever can read the file has everything except the master secret. */
function requirePrivate(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new BackupError(`the file ${path} does not exist`)
  if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0) {
    throw new BackupError(
      `other users of this machine can read ${path}: run chmod 600 on it first, and find out who has read it`,
    )
  }
}
