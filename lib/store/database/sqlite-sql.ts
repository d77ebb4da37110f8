import type Database from 'libsql'
import { failpoint } from '../../base/failpoint'
import { onceFor } from '../../base/once-for'
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
  readonly kind = 'sqlite'
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

  first(text: string, values: readonly Value[]): Promise<Row | undefined> {
    return this.#file.reader.whenFree((connection) => first(connection, text, values))
  }

  run(text: string, values: readonly Value[]): Promise<number> {
    return this.transaction((tx) => tx.run(text, values))
  }

  write(text: string, values: readonly Value[]): Promise<Row[]> {
    return this.transaction((tx) => tx.all(text, values))
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

function first(
  connection: Database.Database,
  text: string,
  values: readonly Value[],
): Row | undefined {
  const { statement, columns } = single(connection, text)
  const found = statement.get(bound(values)) as unknown[] | undefined
  if (!found) return undefined
  const row: Row = {}
  for (let at = 0; at < columns.length; at += 1) row[columns[at] ?? ''] = found[at]
  return row
}

function bound(values: readonly Value[]) {
  return values.map(toSqlite)
}

const prepared = preparedBy((connection, text) => connection.prepare(text))

/** A row as a list: as an object, the driver would give it a member more, and take longer. */
const single = preparedBy((connection, text) => {
  const statement = connection.prepare(text).raw(true)
  return { statement, columns: statement.columns().map(({ name }) => name) }
})

/** Once for each connection. */
function preparedBy<P>(prepare: (connection: Database.Database, text: string) => P) {
  const ofConnection = onceFor((_connection: Database.Database) => new Map<string, P>())
  return (connection: Database.Database, text: string): P => {
    const statements = ofConnection(connection)
    const known = statements.get(text)
    if (known !== undefined) return known
    const made = prepare(connection, text)
    statements.set(text, made)
    return made
  }
}
