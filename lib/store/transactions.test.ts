import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { KINDS } from '../../e2e/support/databases'
import { db, NOW, startStore } from '../../e2e/support/store'

const row = (key: string) => ({ data: { key, value: 1, updatedAt: NOW } })

describe.each(KINDS)('transactions on %s', (kind) => {
  startStore(kind)

  const kept = (key: string) => db.setting.count({ where: { key } })

  test('others do not see what is not committed, also while the transaction waits', async () => {
    const seen: number[] = []
    await db.$transaction(async (tx) => {
      await tx.setting.create(row('uncommitted'))
      await sleep(20)
      seen.push(await kept('uncommitted'))
    })
    expect(seen).toEqual([0])
    expect(await kept('uncommitted')).toBe(1)
  })

  test('a transaction of many statements lets others go on in between', async () => {
    let turns = 0
    let running = true
    const counting = (async () => {
      for (; running; turns += 1) await nextTurn()
    })()
    await db.$transaction(async (tx) => {
      for (let at = 0; at < 300; at += 1) await tx.setting.create(row(`many-${at}`))
    })
    running = false
    await counting
    expect(turns).toBeGreaterThan(5)
  })

  test('nothing is written by a statement that was still waiting when its transaction ended', async () => {
    let late: Promise<unknown> = Promise.resolve()
    const failed = db.$transaction(async (tx) => {
      await tx.setting.create(row('early'))
      late = standStill(tx.setting.create(row('late'))).catch(() => 'refused')
      throw new Error('given up')
    })
    await expect(failed).rejects.toThrow('given up')
    await late
    expect(await kept('early')).toBe(0)
    expect(await kept('late')).toBe(0)
  })
})

/** Starts what is lazy, in a turn of the event loop that is long already. */
function standStill<T>(work: PromiseLike<T>): Promise<T> {
  const until = performance.now() + 30
  while (performance.now() < until) {
    // The processor is busy.
  }
  return Promise.resolve(work)
}
