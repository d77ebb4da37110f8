import pg from 'pg'
import { failpoint } from '../../base/failpoint'
import { type DatedEvent, link } from './audit-entry'
import { ask, corked, hasLostName, type Pipeline } from './pipeline'
import type { AuditedWrite, Row, Step } from './sql'

/** More than usually arrives at the same time, and few enough not to delay others. */
const MAX_TOGETHER = 32

type Waiting = AuditedWrite & {
  resolve(done: boolean): void
  reject(error: unknown): void
}

/**
 * What waits is written in one transaction on PostgreSQL, in two round trips for all of it: the
 * steps and the lock on the head of the audit log, then the audit entries and the commit. Nobody
 * gets an answer before the commit. Rows are locked before the head, as in every other transaction.
 */
export class GroupCommit {
  #pipeline: Pipeline
  #names: { kept: boolean }
  #waiting: Waiting[] = []
  #writing = false

  /** `names.kept`: the server can be asked for prepared statements by name. */
  constructor(pipeline: Pipeline, names: { kept: boolean }) {
    this.#pipeline = pipeline
    this.#names = names
  }

  write(write: AuditedWrite): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject, ...write })
      if (!this.#writing) this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#writing = true
    while (this.#waiting.length > 0) {
      // Requests that have arrived by now join this transaction.
      await new Promise(setImmediate)
      await this.#write(this.#waiting.splice(0, MAX_TOGETHER).sort(byLock))
    }
    this.#writing = false
  }

  /** All of them in one transaction; if one fails, each in its own. */
  async #write(works: readonly Waiting[]): Promise<void> {
    try {
      const done = await this.#commit(works)
      for (const [at, { resolve }] of works.entries()) resolve(done[at] === true)
    } catch (error) {
      if (this.#names.kept && hasLostName(error)) {
        this.#names.kept = false
        await this.#write(works)
      } else if (works.length > 1 && wasRolledBack(error)) {
        for (const work of works) await this.#write([work])
      } else {
        for (const { reject } of works) reject(error)
      }
    }
  }

  /** Whether the steps of each of them were done. */
  async #commit(works: readonly Waiting[]): Promise<boolean[]> {
    const client = await this.#pipeline.open()
    try {
      return await commitOn(client, works, this.#names.kept)
    } catch (error) {
      // Without effect if the transaction has ended. A connection that broke is opened again.
      await client.query('ROLLBACK').catch(() => client.end())
      throw error
    }
  }
}

function byLock(a: AuditedWrite, b: AuditedWrite): number {
  const [first, second] = [a, b].map(({ steps: [step] }) => step?.locks ?? '')
  return (first ?? '') < (second ?? '') ? -1 : 1
}

/** False if the connection was lost: then nobody knows whether it was committed. */
function wasRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR'
}

async function commitOn(
  client: pg.Client,
  works: readonly AuditedWrite[],
  named: boolean,
): Promise<boolean[]> {
  const audited = works.some(({ events }) => events.length > 0)
  const first = corked(client, () => [
    client.query('BEGIN'),
    ...works.map(({ steps }) => askSteps(client, steps, named)),
    audited ? ask(client, LOCK_HEAD, [], named) : client.query('COMMIT'),
  ])
  const [, ...answers] = await allOrFirstError(first)
  const last = answers.pop()
  const done = works.map(
    ({ steps }, at) => steps.length === 0 || answers[at]?.rows[0]?.done === true,
  )
  for (const { steps } of works.filter((_, at) => done[at])) reachFailpoints(steps)
  if (!audited) requireCommit(last)
  else
    await append(
      client,
      works.flatMap(({ events }, at) => (done[at] ? events : [])),
      last,
      named,
    )
  return done
}

type Result = pg.QueryResult<Row>

/** Everything that was sent has its answer then, and the connection can be used again. */
async function allOrFirstError(sent: readonly (Promise<Result> | null)[]) {
  const settled = await Promise.allSettled(sent)
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return settled.map((one) => (one.status === 'fulfilled' ? one.value : null))
}

function reachFailpoints(steps: readonly Step[]): void {
  for (const step of steps) if (step.failpoint) failpoint(step.failpoint)
}

/** PostgreSQL answers COMMIT with ROLLBACK if the transaction had failed. */
function requireCommit(result: Result | null | undefined): void {
  if (result?.command !== 'COMMIT') throw new Error('the transaction was rolled back')
}

const LOCK_HEAD = 'SELECT "seq", "hash" FROM "AuditHead" WHERE "id" = 1 FOR NO KEY UPDATE'

/** Any number of rows, in one statement whose text is always the same. */
const APPEND = `
  WITH "appended" AS (
    INSERT INTO "AuditEntry" ("seq", "id", "at", "event", "result", "actorKind", "actorId",
      "targetKind", "targetId", "applicationId", "ip", "requestId", "decisionId", "detail",
      "previousHash", "hash")
    SELECT "seq", "id", "at", "event", "result", "actorKind", "actorId", "targetKind", "targetId",
      "applicationId", "ip", "requestId", "decisionId", "detail", "previousHash", "hash"
    FROM json_to_recordset(?::json) AS "given" ("seq" bigint, "id" text, "at" timestamp,
      "event" text, "result" text, "actorKind" text, "actorId" text, "targetKind" text,
      "targetId" text, "applicationId" text, "ip" text, "requestId" text, "decisionId" text,
      "detail" jsonb, "previousHash" text, "hash" text)),
  "kept" AS (
    INSERT INTO "StoredDecision" ("seq", "userId", "basis")
    SELECT "seq", "userId", "basis"
    FROM json_to_recordset(?::json) AS "given" ("seq" bigint, "userId" text, "basis" text))
  UPDATE "AuditHead" SET "seq" = ?, "hash" = ? WHERE "id" = 1`

async function append(
  client: pg.Client,
  events: readonly DatedEvent[],
  locked: Result | null | undefined,
  named: boolean,
): Promise<void> {
  const head = locked?.rows[0]
  if (!head) throw new Error('the head of the audit log is missing')
  const seq = BigInt(String(head.seq)) + BigInt(events.length)
  const { rows, hash, decisions } = link(events, seq, String(head.hash))
  const given = jsonOf(rows)
  const sent = corked(client, () => [
    events.length > 0 ? ask(client, APPEND, [given, jsonOf(decisions), seq, hash], named) : null,
    client.query('COMMIT'),
  ])
  requireCommit((await allOrFirstError(sent)).at(-1))
}

function jsonOf(rows: readonly { seq: bigint }[]): string {
  return JSON.stringify(rows.map((row) => ({ ...row, seq: String(row.seq) })))
}

function askSteps(client: pg.Client, steps: readonly Step[], named: boolean) {
  if (steps.length === 0) return null
  const values = steps.flatMap((step) => step.values)
  return ask(client, oneStatement(steps.map(({ text }) => text)), values, named)
}

const texts = new Map<string, string>()

/** Each step depends on the row that the one before it changed. */
function oneStatement(steps: readonly string[]): string {
  const key = steps.join(';')
  const known = texts.get(key)
  if (known !== undefined) return known
  const parts = steps.map((text, at) => {
    const condition = at === 0 ? '' : ` AND EXISTS (SELECT 1 FROM "step${at - 1}")`
    return `"step${at}" AS (${text}${condition} RETURNING 1)`
  })
  const made = `WITH ${parts.join(', ')} SELECT EXISTS (SELECT 1 FROM "step${steps.length - 1}") AS "done"`
  texts.set(key, made)
  return made
}
