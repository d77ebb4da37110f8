import { ByteCache } from '../base/byte-cache'
import { forgetOldest } from '../base/forget-oldest'
import { isRegisteredOrigin } from './applications'
import type { DatabaseKind, Reader } from './connection'
import type { Changes } from './policy-version'
import { nameOf, readSubjects, type SubjectEntry, type SubjectKind } from './subjects'

/**
 * The users and clients that were asked for lately. An entry is read once, however many requests
 * wait for it, and stays until a change of the subject is seen or the space is needed.
 */

/** Unknown IDs have their own small space, so that guesses push nobody out. */
const ABSENT_BYTES = 2 * 1024 * 1024
const MOST_AT_ONCE = 500
const MOST_ORIGINS = 1_000

export type SubjectName = { kind: SubjectKind; id: string; name: string }

export class SubjectCache {
  readonly #known: ByteCache<SubjectEntry>
  readonly #absent = new ByteCache<SubjectEntry>(ABSENT_BYTES)
  readonly #reading = new Map<string, Promise<SubjectEntry>>()
  #origins = new Map<string, Promise<boolean>>()
  readonly #db: Reader
  readonly #database: DatabaseKind

  constructor(db: Reader, database: DatabaseKind, limit: number) {
    this.#db = db
    this.#database = database
    this.#known = new ByteCache(limit)
  }

  get bytes(): number {
    return this.#known.bytes + this.#absent.bytes
  }

  get size(): number {
    return this.#known.size + this.#absent.size
  }

  get(name: string): SubjectEntry | undefined {
    return this.#known.get(name) ?? this.#absent.get(name)
  }

  /**
   * From the cache or the database, in the same order. What was read is kept, unless the cache has
   * seen a later change, which may concern it.
   */
  find(asked: readonly SubjectName[], seen: () => number): Promise<SubjectEntry[]> {
    const missing = asked.filter(({ name }) => !this.get(name) && !this.#reading.has(name))
    for (const kind of ['client', 'user'] as const) {
      const theirs = missing.filter((one) => one.kind === kind)
      for (let at = 0; at < theirs.length; at += MOST_AT_ONCE) {
        this.#read(kind, theirs.slice(at, at + MOST_AT_ONCE), seen)
      }
    }
    return Promise.all(asked.map(({ name }) => this.get(name) ?? this.#readingOf(name)))
  }

  #read(kind: SubjectKind, asked: readonly SubjectName[], seen: () => number): void {
    const ids = asked.map(({ id }) => id)
    const all = readSubjects(this.#db, this.#database, kind, ids)
    for (const { id, name } of asked) {
      const one = all.then((entries) => this.#keep(name, found(entries, id), seen()))
      this.#reading.set(name, one)
      const done = () => this.#reading.delete(name)
      one.then(done, done)
    }
  }

  #readingOf(name: string): Promise<SubjectEntry> {
    const reading = this.#reading.get(name)
    if (!reading) throw new Error(`nobody reads ${name}`)
    return reading
  }

  #keep(name: string, entry: SubjectEntry, seen: number): SubjectEntry {
    if (entry.asOf < seen) return entry
    if (isAbsent(entry)) this.#absent.set(name, entry)
    else this.#known.set(name, entry)
    return entry
  }

  /** Drops whatever was read before its last change. */
  drop({ users, applications, groups }: Changes): void {
    for (const [id, version] of users) this.#drop(nameOf('user', id), version)
    for (const [id, version] of groups) this.#drop(nameOf('group', id), version)
    for (const [id, version] of applications) this.#drop(nameOf('application', id), version)
    if (applications.size === 0) return
    // It may have created an access key of any ID, or registered any origin.
    this.#absent.clear()
    this.#origins = new Map()
  }

  #drop(name: string, changedAt: number): void {
    const isOld = ({ asOf }: SubjectEntry) => asOf < changedAt
    this.#known.drop(name, isOld)
    this.#absent.drop(name, isOld)
  }

  clear(): void {
    this.#known.clear()
    this.#absent.clear()
    this.#origins = new Map()
  }

  /** Whether an application registered this browser origin. */
  isRegisteredOrigin(origin: string): Promise<boolean> {
    const origins = this.#origins
    const known = origins.get(origin)
    if (known) return known
    const found = isRegisteredOrigin(this.#db, origin)
    origins.set(origin, found)
    if (origins.size > MOST_ORIGINS) forgetOldest(origins)
    found.catch(() => origins.delete(origin))
    return found
  }
}

function isAbsent(entry: SubjectEntry): boolean {
  return entry.kind === 'user' ? entry.user === null : entry.client === null
}

function found(entries: ReadonlyMap<string, SubjectEntry>, id: string): SubjectEntry {
  const entry = entries.get(id)
  if (!entry) throw new Error(`the database did not answer about ${id}`)
  return entry
}
