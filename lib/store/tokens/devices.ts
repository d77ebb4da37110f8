import type { DeviceStore, NewDevice, StoredDevice } from '../../oidc/stores'
import { holdOpen } from '../accounts/sessions'
import { type Database, sqlOf } from '../database/database'
import { stringList } from '../database/json'
import { inEachDialect } from '../database/json-rows'
import { jsonIn, type Row, type Sql, textIn, textOrNull, timeIn, timeOrNull } from '../database/sql'
import { answersAsJson, answersIn } from './consents'
import { completeInteraction } from './interactions'
import { createFamily } from './refresh-tokens'
import { createGrant } from './token-grants'

/** Devices that wait until their user has signed in elsewhere (RFC 8628). */

const COLUMNS = `
  d."id", d."deviceCodeHash", d."userCodeHash", d."applicationId", d."accessKeyId", d."scopes",
  d."resources", d."acrValues", d."ip", d."intervalSeconds", d."createdAt", d."expiresAt",
  d."userId", d."sessionId", d."authTime", d."acr", d."amr", d."deniedAt", d."usedAt"`

const FIND = `SELECT ${COLUMNS} FROM "DeviceAuthorization" d WHERE d."id" = ?`
const FIND_BY_USER_CODE = `
  SELECT ${COLUMNS} FROM "DeviceAuthorization" d WHERE d."userCodeHash" = ?`

const FIND_WITH_USER = inEachDialect(
  (dialect) => `
    SELECT ${COLUMNS}, u."disabledAt", u."deleteAfter",
      ${answersAsJson(dialect, 'd."userId"', 'd."applicationId"')} AS "answers"
    FROM "DeviceAuthorization" d LEFT JOIN "User" u ON u."id" = d."userId"
    WHERE d."deviceCodeHash" = ?`,
)

/** Those that wait are counted by an index. */
const WAITING = `
  SELECT COUNT(*) AS "count" FROM "DeviceAuthorization"
  WHERE "applicationId" = ? AND "expiresAt" > ? AND "approvedAt" IS NULL AND "deniedAt" IS NULL`

const MAKE_ROOM = `
  DELETE FROM "DeviceAuthorization" WHERE "id" = (
    SELECT "id" FROM "DeviceAuthorization"
    WHERE "applicationId" = ? AND "expiresAt" > ? AND "approvedAt" IS NULL AND "deniedAt" IS NULL
    ORDER BY "expiresAt", "id" LIMIT 1)`

const INSERT = `
  INSERT INTO "DeviceAuthorization" ("id", "deviceCodeHash", "userCodeHash", "applicationId",
    "accessKeyId", "scopes", "resources", "acrValues", "ip", "intervalSeconds", "createdAt",
    "expiresAt")
  SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE (${WAITING}) < ? ON CONFLICT DO NOTHING`

const POLL = `
  UPDATE "DeviceAuthorization" SET "polledAt" = ?
  WHERE "id" = ? AND ("polledAt" IS NULL OR "polledAt" <= ?)`

const SLOW_DOWN = `
  UPDATE "DeviceAuthorization" SET "polledAt" = ?, "intervalSeconds" = "intervalSeconds" + ?
  WHERE "id" = ?`

/** The first answer counts, and none after the end. */
const OPEN = `
  "approvedAt" IS NULL AND "deniedAt" IS NULL AND "usedAt" IS NULL AND "expiresAt" > ?`

const APPROVE = `
  UPDATE "DeviceAuthorization"
  SET "approvedAt" = ?, "userId" = ?, "sessionId" = ?, "authTime" = ?, "acr" = ?, "amr" = ?
  WHERE "id" = ? AND ${OPEN}`

const DENY = `UPDATE "DeviceAuthorization" SET "deniedAt" = ? WHERE "id" = ? AND ${OPEN}`

/** Exactly one caller changes the row. */
const SPEND = `
  UPDATE "DeviceAuthorization" SET "usedAt" = ?, "tokenGrantId" = ?
  WHERE "deviceCodeHash" = ? AND "usedAt" IS NULL AND "approvedAt" IS NOT NULL
    AND "deniedAt" IS NULL AND "expiresAt" > ?`

export function deviceStore(db: Database): DeviceStore {
  const sql = sqlOf(db)
  const findOne = async (text: string, key: string) => {
    const row = await sql.first(text, [key])
    return row ? toDevice(row) : null
  }
  return {
    async save(device, mostWaiting) {
      const asked = [device.applicationId, device.createdAt]
      const saved = await sql.run(INSERT, [...valuesOf(device), ...asked, mostWaiting])
      if (saved === 1) return 'saved'
      const waiting = await sql.first(WAITING, asked)
      return Number(waiting?.count) < mostWaiting ? 'taken' : 'full'
    },

    async makeRoom(applicationId, now) {
      await sql.run(MAKE_ROOM, [applicationId, now])
    },

    find: (id) => findOne(FIND, id),
    findByUserCode: (userCodeHash) => findOne(FIND_BY_USER_CODE, userCodeHash),

    async findWithUser(deviceCodeHash) {
      const row = await sql.first(FIND_WITH_USER[sql.kind], [deviceCodeHash])
      if (!row) return null
      const userIsActive = row.disabledAt === null && row.deleteAfter === null
      return { device: toDevice(row), userIsActive, answered: answersIn(row.answers) }
    },

    ...pollsOf(sql),

    approve(id, { userId, sessionId, authTime, acr, amr }, interactionId, now, event) {
      const values = [now, userId, sessionId, authTime, acr, JSON.stringify(amr), id, now]
      return sql.audited({
        steps: [
          holdOpen(sessionId),
          completeInteraction(interactionId, now),
          { text: APPROVE, values, locks: id },
        ],
        events: [{ at: now, ...event }],
      })
    },

    deny(id, interactionId, now, event) {
      return sql.audited({
        steps: [
          completeInteraction(interactionId, now),
          { text: DENY, values: [now, id, now], locks: id },
        ],
        events: [{ at: now, ...event }],
      })
    },

    exchange(deviceCodeHash, now, grant, refresh, event) {
      const values = [now, grant.id, deviceCodeHash, now]
      return sql.audited({
        steps: [
          { text: SPEND, values, locks: deviceCodeHash },
          createGrant(grant),
          ...(refresh ? createFamily(grant, refresh) : []),
        ],
        events: [{ at: now, ...event }],
      })
    },
  }
}

function pollsOf(sql: Pick<Sql, 'run'>): Pick<DeviceStore, 'poll' | 'slowDown'> {
  return {
    async poll(id, now, due) {
      return (await sql.run(POLL, [now, id, due])) === 1
    },

    async slowDown(id, now, bySeconds) {
      await sql.run(SLOW_DOWN, [now, bySeconds, id])
    },
  }
}

function valuesOf(device: NewDevice) {
  return [
    ...[device.id, device.deviceCodeHash, device.userCodeHash],
    ...[device.applicationId, device.accessKeyId],
    ...[device.scopes, device.resources, device.acrValues].map((list) => JSON.stringify(list)),
    ...[device.ip, device.intervalSeconds, device.createdAt, device.expiresAt],
  ]
}

function toDevice(row: Row): StoredDevice {
  const listIn = (value: unknown) => stringList(jsonIn(value))
  return {
    id: textIn(row.id),
    deviceCodeHash: textIn(row.deviceCodeHash),
    userCodeHash: textIn(row.userCodeHash),
    applicationId: textIn(row.applicationId),
    accessKeyId: textOrNull(row.accessKeyId),
    scopes: listIn(row.scopes),
    resources: listIn(row.resources),
    acrValues: listIn(row.acrValues),
    ip: textOrNull(row.ip),
    intervalSeconds: Number(row.intervalSeconds),
    createdAt: timeIn(row.createdAt),
    expiresAt: timeIn(row.expiresAt),
    approval: row.userId === null ? null : approvalIn(row),
    deniedAt: timeOrNull(row.deniedAt),
    usedAt: timeOrNull(row.usedAt),
  }
}

function approvalIn(row: Row) {
  return {
    userId: textIn(row.userId),
    sessionId: textIn(row.sessionId),
    authTime: timeIn(row.authTime),
    acr: textIn(row.acr),
    amr: stringList(jsonIn(row.amr)),
  }
}
