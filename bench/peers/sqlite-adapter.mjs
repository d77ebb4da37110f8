// oidc-provider's storage on one SQLite file, as its own sample adapters do it: one table, the payload
// as JSON, statements prepared once. WAL and synchronous=FULL, as the portal has it.

export async function openSqlite(path) {
  const { driver, db } = await openFile(path)
  db.exec(`CREATE TABLE IF NOT EXISTS model (
    name TEXT, id TEXT, payload TEXT, grantId TEXT, uid TEXT, userCode TEXT, expiresAt INTEGER,
    consumedAt INTEGER, PRIMARY KEY (name, id)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS model_grant ON model (grantId);
    CREATE INDEX IF NOT EXISTS model_uid ON model (name, uid);`)
  return { driver, adapter: adapterOn(db) }
}

/** For other peers too. */
export async function openFile(path) {
  const { driver, Database } = await loadDriver()
  const db = new Database(path)
  for (const pragma of ['journal_mode=WAL', 'synchronous=FULL']) db.exec(`PRAGMA ${pragma}`)
  return { driver, db }
}

/** better-sqlite3 has to be compiled or downloaded; where that failed, libsql has the same interface. */
async function loadDriver() {
  try {
    const { default: Database } = await import('better-sqlite3')
    new Database(':memory:').close()
    return { driver: 'better-sqlite3', Database }
  } catch {
    const { default: Database } = await import('libsql')
    return { driver: 'libsql', Database }
  }
}

function adapterOn(db) {
  const upsert = db.prepare(`INSERT INTO model VALUES (?, ?, ?, ?, ?, ?, ?, NULL)
    ON CONFLICT (name, id) DO UPDATE SET payload = excluded.payload, expiresAt = excluded.expiresAt`)
  const find = db.prepare(
    'SELECT payload, expiresAt, consumedAt FROM model WHERE name = ? AND id = ?',
  )
  const byUid = db.prepare(
    'SELECT payload, expiresAt, consumedAt FROM model WHERE name = ? AND uid = ?',
  )
  const consume = db.prepare('UPDATE model SET consumedAt = ? WHERE name = ? AND id = ?')
  const destroy = db.prepare('DELETE FROM model WHERE name = ? AND id = ?')
  const revoke = db.prepare('DELETE FROM model WHERE grantId = ?')
  const now = () => Math.floor(Date.now() / 1000)
  const read = (row) =>
    row && (row.expiresAt === null || row.expiresAt > now())
      ? { ...JSON.parse(row.payload), ...(row.consumedAt && { consumed: row.consumedAt }) }
      : undefined

  return class {
    constructor(name) {
      this.name = name
    }
    async upsert(id, payload, expiresIn) {
      const { grantId = null, uid = null, userCode = null } = payload
      const expiresAt = expiresIn ? now() + expiresIn : null
      upsert.run(this.name, id, JSON.stringify(payload), grantId, uid, userCode, expiresAt)
    }
    async find(id) {
      return read(find.get(this.name, id))
    }
    async findByUid(uid) {
      return read(byUid.get(this.name, uid))
    }
    async consume(id) {
      consume.run(now(), this.name, id)
    }
    async destroy(id) {
      destroy.run(this.name, id)
    }
    async revokeByGrantId(grantId) {
      revoke.run(grantId)
    }
  }
}
