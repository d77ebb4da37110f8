import type { Reader, Transaction } from './connection'
import { type Database, type InputJsonObject, prisma } from './database'

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

export async function saveAssertions(
  tx: Transaction,
  spaceId: string,
  assertions: readonly AssertionKept[],
  now: Date,
): Promise<void> {
  await prisma(tx).policyAssertion.deleteMany({ where: { spaceId } })
  await prisma(tx).policyAssertion.createMany({
    data: assertions.map(({ id, question, expected, lastRunAt, lastResult }) => ({
      id,
      question: question as InputJsonObject,
      expected,
      lastRunAt,
      lastResult,
      spaceId,
      createdAt: now,
    })),
  })
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
