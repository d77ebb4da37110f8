import { expect, test } from 'vitest'
import { eachRow } from './rows'

type Row = { id: string }

const idAt = (at: number) => String(at).padStart(5, '0')

test.each([0, 1, 1_999, 2_000, 2_001, 4_000])('all %i rows are read, each once', async (count) => {
  const table = Array.from({ length: count }, (_, at) => ({ id: idAt(at) }))
  const page = async (after: string, atMost: number) =>
    table.filter(({ id }) => id > after).slice(0, atMost)
  const seen: string[] = []
  await eachRow<Row>(null, page, ({ id }) => seen.push(id))
  expect(seen).toEqual(table.map(({ id }) => id))
})

test('where some are wanted, no more than those', async () => {
  const seen: string[] = []
  const none = () => Promise.reject(new Error('the whole table was read'))
  await eachRow<Row>(Promise.resolve([{ id: 'a' }]), none, ({ id }) => seen.push(id))
  expect(seen).toEqual(['a'])
})
