import { whenCompiled } from '../../access/stored-condition'
import { ByteCache } from '../../base/byte-cache'
import { forgetOldest } from '../../base/forget-oldest'
import type { CacheFacts } from '../../base/metrics'
import { isRegisteredOrigin } from '../applications/applications'
import type { DatabaseKind, Reader } from '../database/connection'
import type { Changes } from './policy-version'
import { nameOf, readSubjects, type SubjectEntry, type SubjectKind } from './subjects'

/**
 * The users and clients that were asked for lately. An entry is read once, however many requests
 * wait for it, and stays until a change of the subject is seen or the space is needed.
 */

/** Unknown IDs have their own small space, so that guesses push nobody out. */
const ABSENT_BYTES = 2 * 1024 * 1024
const MAX_AT_ONCE = 500
const MAX_ORIGINS = 1_000

type Waiting = { id: string; resolve(entry: SubjectEntry): void; reject(error: unknown): void }

type SubjectName = { kind: SubjectKind; id: string; name: string }

export class SubjectCache {
  readonly #known: ByteCache<SubjectEntry>
  readonly #absent = new ByteCache<SubjectEntry>(ABSENT_BYTES)
  readonly #underWay = new Map<string, Promise<SubjectEntry>>()
  readonly #waiting: Record<SubjectKind, Waiting[]> = { user: [], client: [] }
  #origins = new Map<string, Promise<boolean>>()
  #reads = 0
  readonly #db: Reader
  readonly #database: DatabaseKind

  constructor(db: Reader, database: DatabaseKind, limit: number) {
    this.#db = db
    this.#database = database
    this.#known = new ByteCache(limit)
  }

  /** `reads`: how many statements it took so far. */
  facts(): CacheFacts {
    return {
      entries: this.#known.size + this.#absent.size,
      bytes: this.#known.bytes + this.#absent.bytes,
      reads: this.#reads,
    }
  }

  get(name: string): SubjectEntry | undefined {
    return this.#known.get(name) ?? this.#absent.get(name)
  }

  /**
   * From the cache or the database, in the same order. What was read is kept, unless the cache has
   * seen a later change, which may concern it.
   */
  find(asked: readonly SubjectName[], seen: () => number): Promise<SubjectEntry[]> {
    return Promise.all(asked.map((one) => this.get(one.name) ?? this.#reading(one, seen)))
  }

  #reading(one: SubjectName, seen: () => number): Promise<SubjectEntry> {
    const { name } = one
    const known = this.#underWay.get(name)
    if (known) return known
    const reading = this.#read(one).then((entry) => this.#keep(name, entry, seen()))
    this.#underWay.set(name, reading)
    const done = () => this.#underWay.delete(name)
    reading.then(done, done)
    return reading
  }

  /** All that are wanted in one turn of the event loop are read by one statement. */
  #read({ kind, id }: SubjectName): Promise<SubjectEntry> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting[kind]
      waiting.push({ id, resolve, reject })
      if (waiting.length === 1) setImmediate(() => this.#readWaiting(kind))
    })
  }

  #readWaiting(kind: SubjectKind): void {
    const all = this.#waiting[kind].splice(0)
    for (let at = 0; at < all.length; at += MAX_AT_ONCE) {
      this.#readSome(kind, all.slice(at, at + MAX_AT_ONCE))
    }
  }

  async #readSome(kind: SubjectKind, waiting: readonly Waiting[]): Promise<void> {
    this.#reads += 1
    try {
      const ids = waiting.map(({ id }) => id)
      const entries = await readSubjects(this.#db, this.#database, kind, ids)
      await whenCompiled()
      for (const { id, resolve } of waiting) resolve(found(entries, id))
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
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
    if (origins.size > MAX_ORIGINS) forgetOldest(origins)
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
