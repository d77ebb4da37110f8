import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { KINDS } from '../../../e2e/support/databases'
import { db, NOW, startStore } from '../../../e2e/support/store'

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
})
