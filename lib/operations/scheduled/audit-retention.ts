import { DAY_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { BY_SYSTEM } from '../../oidc/audit-event'
import { makeAuditMonths, removeAuditBefore, removeBehindFoot } from '../../store/audit/months'

/** Removes what AUDIT_RETENTION_DAYS no longer keeps, and says so in the log itself. */
export async function removeOldAudit(op: Op, mayGoOn: () => boolean): Promise<number> {
  const { config, databaseKind } = op
  await op.read((db) => makeAuditMonths(db, databaseKind, op.now()))
  if (config.auditRetentionDays === null) return 0
  const before = new Date(op.now().getTime() - config.auditRetentionDays * DAY_MS)
  let months = 0
  while (mayGoOn() && (await removeOnce(op, before))) months += 1
  const entries = await op.read((db) => removeBehindFoot(db, databaseKind, mayGoOn))
  return months + entries
}

function removeOnce(op: Op, before: Date): Promise<boolean> {
  return op.write(async (tx, audit) => {
    const foot = await removeAuditBefore(tx, op.databaseKind, before)
    if (!foot) return false
    audit({
      event: 'audit.removed',
      result: 'success',
      ...BY_SYSTEM,
      detail: { up_to: String(foot.seq), hash: foot.hash, before: before.toISOString() },
    })
    return true
  })
}
