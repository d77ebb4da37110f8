import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../e2e/support/folder'
import { SqliteClient } from './sqlite-client'
import { SqliteFile } from './sqlite-connection'

test('a statement that waits while its transaction is rolled back writes nothing', async () => {
  const client = new SqliteClient(new SqliteFile(join(temporaryFolder(), 'test.db')))
  const run = (sql: string) => ({ sql, args: [] })
  await client.execute(run('CREATE TABLE kept (name TEXT)'))
  const transaction = await client.transaction()
  await transaction.execute(run(`INSERT INTO kept VALUES ('early')`))
  standStill(30) // so that the next statement pauses
  const late = transaction.execute(run(`INSERT INTO kept VALUES ('late')`))
  await Promise.all([transaction.rollback(), expect(late).rejects.toThrow('has ended')])
  const { rows } = await client.execute(run('SELECT name FROM kept'))
  expect(rows).toEqual([])
  client.close()
})

function standStill(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until) {
    // The processor is busy.
  }
}
