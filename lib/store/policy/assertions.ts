import type { Reader, Transaction } from '../database/connection'
import { type Database, type InputJsonObject, prisma } from '../database/database'

/** Policy tests, stored beside the permission model. */

export type AssertionRow = NonNullable<
  Awaited<ReturnType<Database['policyAssertion']['findFirst']>>
>

export function assertionsOf(db: Reader, spaceId: string): Promise<AssertionRow[]> {
  return prisma(db).policyAssertion.findMany({ where: { spaceId }, orderBy: { id: 'asc' } })
}

export type AssertionKept = Pick<
  AssertionRow,
  'id' | 'question' | 'expected' | 'lastRunAt' | 'lastResult'
>

/** In one statement. Their contexts may be long, and a statement cannot be interrupted. */
const MAX_AT_ONCE = 4

export async function saveAssertions(
  tx: Transaction,
  spaceId: string,
  assertions: readonly AssertionKept[],
  now: Date,
): Promise<void> {
  await prisma(tx).policyAssertion.deleteMany({ where: { spaceId } })
  for (let from = 0; from < assertions.length; from += MAX_AT_ONCE) {
    await prisma(tx).policyAssertion.createMany({
      data: assertions.slice(from, from + MAX_AT_ONCE).map((assertion) => ({
        ...assertion,
        question: assertion.question as InputJsonObject,
        spaceId,
        createdAt: now,
      })),
    })
  }
}

export async function saveResults(
  tx: Transaction,
  results: { id: string; allowed: boolean }[],
  now: Date,
): Promise<void> {
  for (const allowed of [true, false]) {
    const ids = results.filter((result) => result.allowed === allowed).map(({ id }) => id)
    await prisma(tx).policyAssertion.updateMany({
      where: { id: { in: ids } },
      data: { lastRunAt: now, lastResult: allowed },
    })
  }
}
