import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { StoreUnavailable } from '../database/unavailable'
import type { DatedEvent } from './audit'
import { auditBatch } from './batch'

const event = (targetId: string, detail: object = {}) =>
  ({ event: 'token.issued', targetId, detail }) as unknown as DatedEvent

function batchThat(refuses: (written: readonly DatedEvent[]) => Error | null) {
  const written: DatedEvent[] = []
  const batch = auditBatch(
    async (events) => {
      const error = refuses(events)
      if (error) throw error
      written.push(...events)
    },
    () => undefined,
  )
  return { batch, written }
}

test('an entry that cannot be written is written without its details, and holds up nobody', async () => {
  const isBad = ({ detail }: DatedEvent) => JSON.stringify(detail).includes('\\u0000')
  const { batch, written } = batchThat((events) =>
    events.some(isBad) ? new Error('unsupported Unicode escape sequence') : null,
  )
  batch.add(event('first'))
  batch.add(event('bad', { given: '\0' }))
  batch.add(event('last'))
  await batch.flush()
  expect(written.map(({ targetId, detail }) => [targetId, detail])).toEqual([
    ['first', {}],
    ['bad', { unwritable: true }],
    ['last', {}],
  ])
})

test('entries wait while the database is away, and are written once', async () => {
  let isAway = true
  const { batch, written } = batchThat(() => (isAway ? new StoreUnavailable('away') : null))
  batch.add(event('first'))
  await batch.flush()
  expect(written).toEqual([])
  isAway = false
  await batch.flush()
  expect(written).toHaveLength(1)
})

describe('requests that leave many entries', () => {
  const REQUESTS = 600
  const ENTRIES = 50 // 30 000 in all, and the backlog holds 20 000

  function slowBatch() {
    let written = 0
    const slowly = async (events: DatedEvent[]) => {
      await sleep(1)
      written += events.length
    }
    return { batch: auditBatch(slowly, () => undefined), written: () => written }
  }

  const leaveMany = ({ add }: { add(event: DatedEvent): void }) => {
    for (let at = 0; at < ENTRIES; at += 1) add(event(String(at)))
  }

  test('are refused if they do not wait: what is not recorded is not answered', () => {
    const { batch } = slowBatch()
    expect(() => {
      for (let request = 0; request < REQUESTS; request += 1) leaveMany(batch)
    }).toThrow(StoreUnavailable)
  })

  test('wait for room, lose nothing, and leave half of it to others', async () => {
    const { batch, written } = slowBatch()
    for (let request = 0; request < REQUESTS; request += 1)
      await batch.withRoom(ENTRIES, async () => leaveMany(batch))
    for (let other = 0; other < 9_000; other += 1) batch.add(event('other'))
    await batch.flush()
    expect(written()).toBe(REQUESTS * ENTRIES + 9_000)
  })

  test('at the same time: some are refused, and half of the room is still for others', async () => {
    const { batch, written } = slowBatch()
    const later = async () => {
      await sleep(5)
      leaveMany(batch)
    }
    const all = Array.from({ length: REQUESTS }, () => batch.withRoom(ENTRIES, later))
    const settled = await Promise.allSettled(all)
    for (let other = 0; other < 9_000; other += 1) batch.add(event('other'))
    const done = settled.filter(({ status }) => status === 'fulfilled').length
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThanOrEqual(10_000 / ENTRIES)
    await batch.flush()
    expect(written()).toBe(done * ENTRIES + 9_000)
  })

  test('are refused while the database is away', async () => {
    const { batch } = batchThat(() => new StoreUnavailable('away'))
    const leaveAll = async () => {
      for (let request = 0; request < REQUESTS; request += 1) {
        await batch.withRoom(ENTRIES, async () => leaveMany(batch))
      }
    }
    await expect(leaveAll()).rejects.toThrow(StoreUnavailable)
  })
})
