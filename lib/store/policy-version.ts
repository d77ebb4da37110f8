import type { Database, Transaction } from './database'

const ONLY_ROW = 1

/** Every write that can change a decision bumps the version in its own transaction. */
export async function bumpPolicyVersion(tx: Transaction): Promise<void> {
  await tx.policyVersion.update({
    where: { id: ONLY_ROW },
    data: { version: { increment: 1 } },
  })
}

export async function readPolicyVersion(db: Database | Transaction): Promise<number> {
  const { version } = await db.policyVersion.findUniqueOrThrow({ where: { id: ONLY_ROW } })
  return version
}
