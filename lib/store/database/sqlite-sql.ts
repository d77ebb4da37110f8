import type Database from 'libsql'
import { failpoint } from '../../base/failpoint'
import { appendAuditIn } from './audit-append'
import type { AuditedWrite, Row, Sql, SqlClient, Value } from './sql'
import { toSqlite } from './sqlite-client'
import { commit, type SqliteFile, takeLock } from './sqlite-connection'

/**
 * Statements run on the thread that answers requests, except the commit. A batch of hundreds of rows
 * lets others go on in between.
 */
const MAX_STRETCH_MS = 1

/** More than usually arrives at the same time, and few enough not to delay others. */
const MAX_TOGETHER = 32

type Waiting = {
  /** Returns a function that notifies its caller after everything is on disk. */
  perform(tx: Sql): Promise<() => void>
  fail(error: unknown): void
}

/**
 * Concurrent requests are written one after the other and flushed to disk together, because
 * flushing is the expensive part. Nobody gets an answer before the flush. Statements are prepared
 * once per connection.
 */
export class SqliteSql implements SqlClient {
  readonly #file: SqliteFile
  #waiting: Waiting[] = []
  #writing = false

  constructor(file: SqliteFile) {
    this.#file = file
  }

  /** Reads only. */
  all(text: string, values: readonly Value[]): Promise<Row[]> {
    return this.#file.reader.whenFree((connection) => all(connection, text, values))
  }

  run(text: string, values: readonly Value[]): Promise<number> {
    return this.transaction((tx) => tx.run(text, values))
  }

  audited({ steps, events }: AuditedWrite): Promise<boolean> {
    return this.transaction(async (tx) => {
      for (const step of steps) {
        if ((await tx.run(step.text, step.values)) !== 1) return false
        if (step.failpoint) failpoint(step.failpoint)
      }
      await appendAuditIn(tx, events)
      return true
    })
  }

  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        async perform(tx) {
          const result = await work(tx)
          return () => resolve(result)
        },
        fail: reject,
      })
      if (!this.#writing) this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#writing = true
    while (this.#waiting.length > 0) {
      // Requests that have arrived by now join this batch.
      await new Promise(setImmediate)
      const done = await this.#file.turns.take()
      await this.#write(this.#waiting.splice(0, MAX_TOGETHER)).finally(done)
    }
    this.#writing = false
  }

  /** All of them in one transaction; if one fails, each in its own. */
  async #write(works: readonly Waiting[]): Promise<void> {
    try {
      for (const tell of await this.#locked(works)) tell()
    } catch (error) {
      const [only] = works
      if (works.length === 1) only?.fail(error)
      else for (const work of works) await this.#write([work])
    }
  }

  async #locked(works: readonly Waiting[]): Promise<(() => void)[]> {
    const connection = await this.#file.writer.whenFree((free) => {
      takeLock(free)
      return free
    })
    try {
      const rest = resting()
      const tx = {
        all: async (text: string, values: readonly Value[]) => all(connection, text, values),
        run: async (text: string, values: readonly Value[]) => {
          await rest()
          return prepared(connection, text).run(bound(values)).changes
        },
      }
      const tells: (() => void)[] = []
      for (const work of works) tells.push(await work.perform(tx))
      await commit(connection)
      this.#file.writer.requireInPlace()
      return tells
    } catch (error) {
      // Also its statements: one that failed half-way may not have been reset.
      this.#file.writer.replace()
      throw error
    }
  }
}

/** Waits for its turn once the stretch since the last wait was long. */
function resting(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < MAX_STRETCH_MS) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now()
        resolve()
      }),
    )
  }
}

function all(connection: Database.Database, text: string, values: readonly Value[]): Row[] {
  return prepared(connection, text).all(bound(values)) as Row[]
}

function bound(values: readonly Value[]) {
  return values.map(toSqlite)
}

const statements = new WeakMap<Database.Database, Map<string, Database.Statement>>()

function prepared(connection: Database.Database, text: string): Database.Statement {
  const known = statements.get(connection) ?? new Map<string, Database.Statement>()
  statements.set(connection, known)
  const statement = known.get(text) ?? connection.prepare(text)
  known.set(text, statement)
  return statement
}
