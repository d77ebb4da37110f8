import type { CredentialUse } from '../../oidc/audit-event'
import type { Sql, SqlClient } from '../database/sql'

const FLUSH_AFTER_MS = 200
/** The row of a credential is written at most this often. */
const REST_MS = 60_000
const MAX_BATCH = 200

type DatedUse = CredentialUse & { at: Date }

/**
 * When and from where secrets, access keys and public keys were last used, clients that
 * registered themselves, and what sign-ins used.
 * The latest use of each waits here, so that a token costs no write. It affects no decision, so no snapshot is read again.
 */
export function lastUses(sql: SqlClient, report: (error: unknown) => void) {
  const waiting = new Map<string, DatedUse>()
  const writtenAt = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let flushing: Promise<void> = Promise.resolve()

  function note(use: DatedUse): void {
    waiting.set(nameOf(use), use)
    if (!isResting(use)) wake(FLUSH_AFTER_MS)
  }

  function isResting(use: DatedUse): boolean {
    return performance.now() - (writtenAt.get(nameOf(use)) ?? Number.NEGATIVE_INFINITY) < REST_MS
  }

  let wakesAt = Number.POSITIVE_INFINITY

  function wake(afterMs: number): void {
    const at = performance.now() + afterMs
    if (at >= wakesAt) return
    if (timer) clearTimeout(timer)
    wakesAt = at
    timer = setTimeout(() => flush(false), afterMs).unref()
  }

  /** `all`: also uses whose row was written a moment ago; for the shutdown. */
  function flush(all = true): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    wakesAt = Number.POSITIVE_INFINITY
    flushing = flushing.then(() => writeDue(all))
    return flushing
  }

  async function writeDue(all: boolean): Promise<void> {
    const due = [...waiting.values()].filter((use) => all || !isResting(use))
    for (let at = 0; at < due.length; at += MAX_BATCH) {
      try {
        await write(due.slice(at, at + MAX_BATCH))
      } catch (error) {
        report(error)
        if (!all) wake(FLUSH_AFTER_MS * 5)
        return
      }
    }
    forgetRested()
    if (waiting.size > 0) wake(REST_MS)
  }

  async function write(uses: DatedUse[]): Promise<void> {
    await sql.transaction(async (tx) => {
      for (const use of uses) await save(tx, use)
    })
    for (const use of uses) {
      const name = nameOf(use)
      writtenAt.set(name, performance.now())
      // A later use may have arrived meanwhile; it stays.
      if (waiting.get(name) === use) waiting.delete(name)
    }
  }

  function forgetRested(): void {
    for (const [id, at] of writtenAt) if (performance.now() - at >= REST_MS) writtenAt.delete(id)
  }

  return { note, flush }
}

function nameOf(use: DatedUse): string {
  if (use.kind === 'public_key') return `${use.id} ${use.thumbprint}`
  // A change is written at once, and does not wait for what was seen before.
  if (use.kind === 'sign_in') return `sign_in ${use.id} ${use.pkce} ${use.nonce}`
  return use.id
}

const SAVE = {
  access_key: saveText('AccessKey'),
  application_secret: saveText('ApplicationSecret'),
}

/** The latest use wins, whichever server process writes first. */
function saveText(table: string): string {
  return `UPDATE "${table}" SET "lastUsedAt" = ?, "lastUsedIp" = ?
    WHERE "id" = ? AND ("lastUsedAt" IS NULL OR "lastUsedAt" < ?)`
}

/** Nothing if the application was deleted meanwhile. */
const SAVE_PUBLIC_KEY = `
  INSERT INTO "PublicKeyUse" ("applicationId", "thumbprint", "kid", "lastUsedAt", "lastUsedIp")
  SELECT "id", ?, ?, ?, ? FROM "Application" WHERE "id" = ?
  ON CONFLICT ("applicationId", "thumbprint") DO UPDATE SET
    "kid" = excluded."kid", "lastUsedAt" = excluded."lastUsedAt",
    "lastUsedIp" = excluded."lastUsedIp"
  WHERE "PublicKeyUse"."lastUsedAt" < excluded."lastUsedAt"`

const SAVE_REGISTRATION = `
  UPDATE "ClientRegistration" SET "lastUsedAt" = ? WHERE "applicationId" = ? AND "lastUsedAt" < ?`

const SAVE_SIGN_IN = `
  UPDATE "Application" SET "signedInPkce" = ?, "signedInNonce" = ? WHERE "id" = ?
    AND ("signedInPkce" IS NULL OR "signedInPkce" <> ? OR "signedInNonce" <> ?)`

async function save(tx: Sql, use: DatedUse): Promise<void> {
  const { id, ip, at } = use
  if (use.kind === 'public_key') {
    await tx.run(SAVE_PUBLIC_KEY, [use.thumbprint, use.kid, at, ip, id])
  } else if (use.kind === 'sign_in') {
    const { pkce, nonce } = use
    await tx.run(SAVE_SIGN_IN, [pkce, nonce, id, pkce, nonce])
  } else if (use.kind === 'registration') {
    await tx.run(SAVE_REGISTRATION, [at, id, at])
  } else {
    await tx.run(SAVE[use.kind], [at, ip, id, at])
  }
}
