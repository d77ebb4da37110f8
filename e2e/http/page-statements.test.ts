import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoDatabase } from '../support/databases'
import { OldBrowser } from '../support/old-browser'
import { STATEMENTS, type WeighedPage } from '../support/page-budget'
import { type Portal, startPortal } from '../support/portal'
import { type StatementLog, statementLog } from '../support/statement-log'
import { visitedPages } from '../support/visited-pages'

/** What the ten most visited pages ask the database: no more than their budget, nothing twice. */

let log: StatementLog
let portal: Portal
let owner: OldBrowser

beforeAll(async () => {
  log = await statementLog(await demoDatabase.postgres())
  portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL: log.url } })
  owner = new OldBrowser(portal.origin)
  await owner.signIn(await owner.open('/login'), portal.demo().admin)
})
afterAll(async () => {
  await portal.stop()
  log.close()
})

const TRIES = 4

describe.each(Object.keys(STATEMENTS) as WeighedPage[])('%s', (name) => {
  test('asks the database for no more than its budget, and for nothing twice', async () => {
    const first = visitedPages(portal, owner)[name]
    const { url } = await first()
    // Consent is asked behind a redirect, which is a request of its own.
    const open = name === 'consent' ? () => owner.open(url) : first
    const tries: string[][] = []
    for (let at = 0; at < TRIES; at += 1) {
      await log.taken()
      expect((await open()).status).toBe(200)
      tries.push(await log.taken())
    }
    // What the process asks by itself once a second is in some of the tries.
    const [fewest = []] = tries.toSorted((one, other) => one.length - other.length)
    // Prisma asks for an empty relation too.
    const asked = fewest.filter((statement) => !/^(?:BEGIN|COMMIT)\b|IN \(NULL\)/.test(statement))
    expect(twice(asked)).toEqual([])
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(STATEMENTS[name])
  })
})

function twice(asked: readonly string[]): string[] {
  return asked.filter((statement, at) => asked.indexOf(statement) !== at)
}
