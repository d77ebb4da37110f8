import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { MINUTE_MS } from '../../base/time'
import { type Database, openDatabase } from '../database/database'
import { migrate } from '../operations/migrations'
import { grantedLog, tokensWith } from './last-granted'

const NOW = new Date('2026-11-15T12:00:00.000Z')
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE_MS)
const MONTH = 30 * 24 * 60

const PAGE = 20
/** Ten pages of one application are read. */
const MANY = 11 * PAGE

describe.each(KINDS)('the last use of scopes on %s', (kind) => {
  let db: Database

  beforeAll(async () => {
    const url = await freshDatabase[kind]()
    await migrate(url)
    db = await openDatabase(url)
    let seq = 0n
    const entry = (minutes: number, applicationId: string, scope: string) => ({
      seq: ++seq,
      id: `evt_${seq}`,
      at: ago(minutes),
      event: 'token.issued',
      result: 'ok',
      actorKind: 'client',
      actorId: applicationId,
      applicationId,
      detail: { scope: [scope] },
      previousHash: '',
      hash: '',
    })
    const quiet = (minutes: number, scope: string) => entry(minutes, 'app_quiet', scope)
    const data = [
      entry(MONTH, 'app_first', 'a:b'),
      quiet(MONTH - 1, 'a:old'),
      ...Array.from({ length: MANY }, (_, at) => entry((MANY - at) / 4, 'app_busy', 'a:b')),
      quiet(2, 'a:b'),
      quiet(1, 'a:b'),
    ]
    await db.auditEntry.createMany({ data })
  })
  afterAll(() => db.$disconnect())

  test('W22: what one application does hides nothing of another, and what was not read is told', async () => {
    const applications = ['app_busy', 'app_quiet', 'app_unused']
    const log = grantedLog('applications', ago(2 * MONTH), { page: PAGE })
    const { by, knownSince, cut } = await log(db, applications)
    expect(knownSince).toEqual(ago(MONTH))
    expect([...cut]).toEqual([['app_busy', ago((10 * PAGE) / 4)]])
    expect(Object.fromEntries(by.get('app_quiet') ?? [])).toEqual({
      'a:b': ago(1),
      'a:old': ago(MONTH - 1),
    })
    expect(by.get('app_busy')?.get('a:b')).toEqual(ago(1 / 4))
  })

  test('W22: each is read once, and all of them together have a limit', async () => {
    const log = grantedLog('applications', ago(2 * MONTH), { page: PAGE, mostRows: 3 })
    const first = await log(db, ['app_quiet'])
    expect(first.by.get('app_quiet')?.size).toBe(2)
    expect([...first.cut]).toEqual([])
    // Three entries are read: of others nothing is known, of this one what was read.
    const { by, cut } = await log(db, ['app_quiet', 'app_first'])
    expect([...cut]).toEqual([['app_first', null]])
    expect([by.get('app_first'), by.get('app_quiet')?.size]).toEqual([undefined, 2])
    const late = grantedLog('applications', ago(2 * MONTH), { page: PAGE, mostMs: 0 })
    expect([...(await late(db, ['app_quiet'])).cut]).toEqual([['app_quiet', null]])
  })

  test('many entries of the same moment are read page by page, each once', async () => {
    const at = ago(5)
    const entries = Array.from({ length: 3 * PAGE }, (_, index) => ({
      seq: BigInt(1_000 + index),
      id: `evt_at_${index}`,
      at,
      event: 'token.issued',
      result: 'ok',
      actorKind: 'user',
      actorId: 'usr_1',
      applicationId: 'app_burst',
      detail: { scope: [`b:${index}`] },
      previousHash: '',
      hash: '',
    }))
    await db.auditEntry.createMany({ data: entries })
    const { by, cut } = await grantedLog('users', ago(MONTH), { page: PAGE })(db, ['usr_1'])
    expect(by.get('usr_1')?.size).toBe(3 * PAGE)
    expect([...cut]).toEqual([])
  })

  test('the tokens of a user with a scope in a time are counted, and what was not read is told', async () => {
    const entry = (minutes: number, actorId: string, ...scope: string[]) => ({
      at: ago(minutes),
      event: 'token.issued',
      result: 'ok',
      actorKind: 'user',
      actorId,
      applicationId: 'app',
      detail: { scope },
      previousHash: '',
      hash: '',
    })
    const entries = [
      entry(50, 'usr_2', 'c:d'),
      entry(40, 'usr_2', 'c:d', 'a:b'),
      entry(35, 'usr_2', 'a:b'),
      entry(30, 'usr_2', 'c:d'),
      entry(30, 'usr_3', 'c:d'),
      entry(10, 'usr_2', 'c:d'),
    ]
    await db.auditEntry.createMany({
      data: entries.map((one, at) => ({ ...one, seq: BigInt(5_000 + at), id: `evt_use_${at}` })),
    })
    const during = { userId: 'usr_2', scope: 'c:d', from: ago(45), until: ago(20) }
    expect(await tokensWith(db, during)).toEqual({ count: 2, lastAt: ago(30), complete: true })
    expect(await tokensWith(db, during, 2)).toMatchObject({ count: 1, complete: false })
    const early = { ...during, from: ago(2 * MONTH) }
    expect(await tokensWith(db, early)).toMatchObject({ count: 3, complete: false })
    expect(await tokensWith(db, { ...during, scope: 'x:y' })).toMatchObject({ lastAt: null })
  })
})
