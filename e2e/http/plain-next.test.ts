import { expect, test } from 'vitest'
import { migrate } from '../../lib/store/operations/migrations'
import { ask } from '../support/ask'
import { startNext } from '../support/portal'
import { createDatabase, freePort, startPostgres } from '../support/postgres'

// A portal of its own: it is about the start of a process.
test('a database that is away when a process wakes up is not held against it for ever', async () => {
  const server = await startPostgres()
  const DATABASE_URL = await createDatabase(server.url)
  await migrate(DATABASE_URL)
  await server.stopServer()
  const port = String(await freePort())
  const waking = startNext({ DATABASE_URL }, port)
  const status = () =>
    ask(`http://localhost:${port}`, { path: '/healthz' }).then(
      (answer) => answer.status,
      () => 0,
    )
  await expect.poll(status).toBe(500)
  await server.startServer()
  await (await waking).stop()
  await server.stop()
})
