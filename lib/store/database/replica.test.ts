import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type Postgres, startPostgres } from '../../../e2e/support/postgres'
import { type Replica, startReplica } from '../../../e2e/support/replica'
import { NOW } from '../../../e2e/support/store'
import { migrate } from '../operations/migrations'
import { addReplica, type Database, openDatabase, prisma, type ReplicaState } from './database'
import { readReplica } from './replica'

let primary: Postgres
let replica: Replica
let url: string
let db: Database
let otherProcess: Database
const states: ReplicaState[] = []

async function open(replicaUrl: string): Promise<Database> {
  const opened = await openDatabase(url)
  await addReplica(opened, replicaUrl, (state) => {
    states.push(state)
  })
  return opened
}

beforeAll(async () => {
  primary = await startPostgres()
  replica = await startReplica(primary)
  url = await createDatabase(primary.url)
  await migrate(url)
  db = await open(replica.urlOf(url))
  otherProcess = await open(replica.urlOf(url))
})

afterAll(async () => {
  await db.$disconnect()
  await otherProcess.$disconnect()
  await replica.stop()
  await primary.stop()
})

const stamps = { createdAt: NOW, updatedAt: NOW, profile: {}, attributes: {} }
const add = (id: string) => db.user.create({ data: { id, ...stamps } })
const sees = (on: Database, id: string) =>
  readReplica(on, async (reader) => (await prisma(reader).user.count({ where: { id } })) === 1)
const asksReplica = (on: Database) =>
  readReplica(on, async (reader) => {
    const [row] = await prisma(reader).$queryRaw<
      { there: boolean }[]
    >`SELECT pg_is_in_recovery() AS there`
    return row?.there
  })

test('the replica is asked', async () => {
  await expect.poll(() => asksReplica(db)).toBe(true)
})

test('what was just written is seen, also by another process', async () => {
  const missed: string[] = []
  for (let at = 0; at < 100; at += 1) {
    const id = `usr_${at}`
    await add(id)
    const seen = await Promise.all([sees(db, id), sees(otherProcess, id)])
    if (seen.includes(false)) missed.push(id)
  }
  expect(missed).toEqual([])
})

test('a replica that is behind is not asked, and is asked again once it has followed', async () => {
  await expect.poll(() => asksReplica(db)).toBe(true)
  states.length = 0
  await replica.pause()
  await add('usr_behind')
  expect(await sees(db, 'usr_behind')).toBe(true)
  expect(await asksReplica(db)).toBe(false)
  expect(states).toEqual(['behind'])
  await replica.resume()
  await expect.poll(() => asksReplica(db)).toBe(true)
  expect(states).toEqual(['behind', 'used'])
})

test('an error of the query itself is not hidden', async () => {
  const wrong = readReplica(db, (reader) => prisma(reader).$queryRaw`SELECT 1 / 0 AS "nothing"`)
  await expect(wrong).rejects.toThrow('division by zero')
})

test('a server that is not a replica is never asked', async () => {
  const misled = await open(url)
  await add('usr_misled')
  expect(await sees(misled, 'usr_misled')).toBe(true)
  expect(states.at(-1)).toBe('behind')
  await misled.$disconnect()
})

test('the primary answers while the replica is away', async () => {
  await expect.poll(() => asksReplica(db)).toBe(true)
  states.length = 0
  await replica.stop()
  await add('usr_away')
  expect(await sees(db, 'usr_away')).toBe(true)
  expect(states).toEqual(['away'])
})
