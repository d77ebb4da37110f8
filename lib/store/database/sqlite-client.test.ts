import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../e2e/support/folder'
import { SqliteClient } from './sqlite-client'
import { SqliteFile } from './sqlite-connection'

const run = (sql: string) => ({ sql, args: [] })

async function newClient(path = join(temporaryFolder(), 'test.db')): Promise<SqliteClient> {
  const client = new SqliteClient(new SqliteFile(path))
  await client.execute(run('CREATE TABLE kept (name TEXT)'))
  return client
}

test('a statement that waits while its transaction is rolled back writes nothing', async () => {
  const client = await newClient()
  const transaction = await client.transaction()
  await transaction.execute(run(`INSERT INTO kept VALUES ('early')`))
  standStill(30) // so that the next statement pauses
  const late = transaction.execute(run(`INSERT INTO kept VALUES ('late')`))
  await Promise.all([transaction.rollback(), expect(late).rejects.toThrow('has ended')])
  const { rows } = await client.execute(run('SELECT name FROM kept'))
  expect(rows).toEqual([])
  client.close()
})

test('a transaction that is being committed takes no statement, and no rollback', async () => {
  const client = await newClient()
  const transaction = await client.transaction()
  await transaction.execute(run(`INSERT INTO kept VALUES ('early')`))
  const committed = transaction.commit()
  await transaction.rollback()
  await expect(transaction.execute(run(`INSERT INTO kept VALUES ('late')`))).rejects.toThrow(
    'has ended',
  )
  // The next write has its turn after the commit.
  await client.execute(run(`INSERT INTO kept VALUES ('next')`))
  await committed
  const { rows } = await client.execute(run('SELECT name FROM kept'))
  expect(rows).toEqual([['early'], ['next']])
  client.close()
})

test('a commit that fails is not answered as done, and the next write works', async () => {
  const client = await newClient()
  await client.execute(run('CREATE TABLE a (id INTEGER PRIMARY KEY)'))
  await client.execute(run('CREATE TABLE b (a INTEGER REFERENCES a DEFERRABLE INITIALLY DEFERRED)'))
  const transaction = await client.transaction()
  await transaction.execute(run('INSERT INTO b VALUES (1)'))
  await expect(transaction.commit()).rejects.toThrow('FOREIGN KEY')
  await expect(client.execute(run('INSERT INTO b VALUES (2)'))).rejects.toThrow('FOREIGN KEY')
  await client.execute(run('INSERT INTO b VALUES (NULL)'))
  const { rows } = await client.execute(run('SELECT a FROM b'))
  expect(rows).toEqual([[null]])
  client.close()
})

test.runIf(process.platform === 'linux')(
  'O7: after a commit that the disk refused, the file is opened again',
  async () => {
    const path = join(temporaryFolder(), 'test.db')
    const client = await newClient(path)
    refuseWritesTo(`${path}-wal`)
    await expect(client.execute(run(`INSERT INTO kept VALUES ('lost')`))).rejects.toThrow('I/O')
    await client.execute(run(`INSERT INTO kept VALUES ('kept')`))
    const { rows } = await client.execute(run('SELECT name FROM kept'))
    expect(rows).toEqual([['kept']])
    client.close()
  },
)

/** What this process has open of the file becomes something that it may not write. */
function refuseWritesTo(path: string): void {
  const open = readdirSync('/proc/self/fd').map(Number)
  const found = open.filter((fd) => nameOf(fd) === path)
  expect(found).toHaveLength(1)
  for (const fd of found) {
    closeSync(fd)
    // The system gives the lowest number that is free.
    expect(openSync('/dev/null', 'r')).toBe(fd)
  }
}

function nameOf(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}

function standStill(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until) {
    // The processor is busy.
  }
}
