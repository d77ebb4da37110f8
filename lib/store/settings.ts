import type { Database, Transaction } from './database'

export type SettingKey = 'setup_completed' | 'demo_loaded'

export async function hasSetting(db: Database | Transaction, key: SettingKey): Promise<boolean> {
  return (await db.setting.count({ where: { key } })) === 1
}

/** Inserts, so of two transactions that set it the second fails whole. */
export async function setOnce(tx: Transaction, key: SettingKey, now: Date): Promise<void> {
  await tx.setting.create({ data: { key, value: true, updatedAt: now } })
}
