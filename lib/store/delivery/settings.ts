import { z } from 'zod'
import type { Reader, Transaction } from '../database/connection'
import { type InputJsonObject, prisma } from '../database/database'

export type SettingKey = 'setup_completed' | 'demo_loaded'

export async function hasSetting(db: Reader, key: SettingKey): Promise<boolean> {
  return (await prisma(db).setting.count({ where: { key } })) === 1
}

/** True for exactly one of all transactions that set it. */
export async function setOnce(tx: Transaction, key: SettingKey, now: Date): Promise<boolean> {
  const inserted = await prisma(tx).$executeRaw`
    INSERT INTO "Setting" ("key", "value", "updatedAt") VALUES (${key}, 'true', ${now})
    ON CONFLICT DO NOTHING`
  return inserted === 1
}

// ---------------------------------------------------------------- what admins set

const PORTAL = 'portal'

export type SettingsRow = { value: unknown; secretEncrypted: string | null; updatedAt: Date }

export function findSettings(db: Reader): Promise<SettingsRow | null> {
  return prisma(db).setting.findUnique({
    where: { key: PORTAL },
    select: { value: true, secretEncrypted: true, updatedAt: true },
  })
}

const attributesIn = z.object({
  userAttributes: z.array(z.object({ key: z.string(), inConditions: z.boolean() })).default([]),
  retiredAttributes: z.array(z.string()).default([]),
})

const NONE: ReadonlySet<string> = new Set()
const hidden = new WeakMap<SettingsRow, ReadonlySet<string>>()

/** The attributes of users that conditions must not read; lib/settings/model.ts has their form. */
export function hiddenAttributes(row: SettingsRow | null): ReadonlySet<string> {
  if (!row) return NONE
  const known = hidden.get(row)
  if (known) return known
  const { userAttributes, retiredAttributes } = attributesIn.parse(row.value)
  const unread = userAttributes.filter(({ inConditions }) => !inConditions)
  const keys = new Set([...unread.map(({ key }) => key), ...retiredAttributes])
  hidden.set(row, keys)
  return keys
}

type Written = { value: InputJsonObject; secretEncrypted: string; updatedAt: Date }

/** The time of the last change is the version, so each must be later than the one before. */
export function nextVersion(before: SettingsRow | null, now: Date): Date {
  return new Date(Math.max(now.getTime(), (before?.updatedAt.getTime() ?? 0) + 1))
}

/** 0 if somebody else changed them first. */
export async function saveSettings(
  tx: Transaction,
  before: SettingsRow | null,
  data: Written,
): Promise<number> {
  if (!before) {
    await prisma(tx).setting.create({ data: { key: PORTAL, ...data } })
    return 1
  }
  const where = { key: PORTAL, updatedAt: before.updatedAt }
  return (await prisma(tx).setting.updateMany({ where, data })).count
}
