import { expect, test } from 'vitest'
import { Prisma } from '../generated/sqlite/client'
import { tables } from './tables'

test('every model is in a backup', () => {
  const models = Object.values(Prisma.ModelName).sort()
  expect(tables.map(({ name }) => name).sort()).toEqual(models)
})
