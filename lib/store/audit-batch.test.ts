import { expect, test } from 'vitest'
import type { DatedEvent } from './audit'
import { auditBatch } from './audit-batch'
import { StoreUnavailable } from './unavailable'

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
