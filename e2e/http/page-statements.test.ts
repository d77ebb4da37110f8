import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoDatabase } from '../support/databases'
import { OldBrowser } from '../support/old-browser'
import { STATEMENTS, type WeighedPage } from '../support/page-budget'
import { type Portal, startPortal } from '../support/portal'
import { type StatementLog, statementLog } from '../support/statement-log'
import { visitedPages } from '../support/visited-pages'

/** What the ten most visited pages ask the database: no more than their budget, and nothing twice. */

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
  test('asks the database for no more than its budget', async () => {
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
    const [fewest = []] = tries
      .map((statements) => statements.filter(isOfThePage))
      .toSorted((one, other) => one.length - other.length)
    expect(twice(fewest)).toEqual([])
    expect(fewest.length, fewest.join('\n')).toBeLessThanOrEqual(STATEMENTS[name])
  })
})

/**
 * A process looks by itself, each second or so, for a new version of the policy and for work that is
 * due. Prisma asks for a relation although it is empty.
 */
const OF_THE_PROCESS =
  /^(?:BEGIN|COMMIT)\b|IN \(NULL\)|FROM "PolicyVersion" v|^\s*SELECT 1 FROM "|"ProcessHeartbeat"/

function isOfThePage(statement: string): boolean {
  return !OF_THE_PROCESS.test(statement)
}

function twice(asked: readonly string[]): string[] {
  return asked.filter((statement, at) => asked.indexOf(statement) !== at)
}
