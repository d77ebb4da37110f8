import { spawnSync } from 'node:child_process'
import { closeSync, copyFileSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fsck } from '../../../lib/operations/fsck'
import { machineToken } from '../../support/api'
import { type Answer, ask } from '../../support/ask'
import { aliceAtWeb, exchange, getCode, webRequest } from '../../support/flow'
import { temporaryFolder } from '../../support/folder'
import { pagesOf } from '../../support/outage-pages'
import { demoIn, type Portal, startPortal } from '../../support/portal'
import type { Arena } from '../arena'
import { type Line, newTally, type Tally } from '../report'
import { introspectWith, publicDocuments, requireRefusal } from './answers'

/**
 * A disk that is full: writes are refused cleanly, reads go on, and with room again so does
 * everything. The disk is a small one in memory that only the portal's process sees.
 */

const SIZE_MB = 48
/** A write of a moment ago still counts. */
const NOTICED_MS = 10_000
const BLOCK = Buffer.alloc(64 * 1024, 1)

export async function fullDisk({ say }: Arena): Promise<Line> {
  const tally = newTally('weather', 'disk full', 'sqlite')
  if (spawnSync('unshare', ['-rm', 'true']).status !== 0) {
    say('disk full: not tried, this machine gives no mount of its own (unshare -rm)')
    return tally
  }
  const folder = temporaryFolder()
  const portal = await startPortal({
    args: ['--demo'],
    env: { DATA_DIR: folder, LOG_LEVEL: 'silent' },
    within: ['unshare', '-rm', 'sh', '-c', mountAndRun(folder)],
  })
  // From outside its mount, through the process itself.
  const seen = { ...portal, ...seenFrom(portal, folder) }
  try {
    await fillAndEmpty(tally, seen)
  } finally {
    await portal.stop()
  }
  return tally
}

function mountAndRun(folder: string): string {
  return `mount -t tmpfs -o size=${SIZE_MB}m none ${folder} && exec "$0" "$@"`
}

function seenFrom({ pid }: Portal, folder: string) {
  const dataDir = join(`/proc/${pid}/root`, folder)
  return { dataDir, demo: () => demoIn(dataDir) }
}

async function fillAndEmpty(tally: Tally, portal: Portal): Promise<void> {
  const code = await getCode(await aliceAtWeb(portal), webRequest(portal.demo()))
  const token = await machineToken(portal, 'orders:read')
  const pages = await pagesOf(portal)
  const filler = join(portal.dataDir, 'filler')
  fill(filler)
  const ready = () => ask(portal.origin, { path: '/readyz' })
  await untilStatus(tally, ready, 503)
  for (let round = 0; round < 3; round += 1) {
    tally.rounds += 1
    requireRefusal(tally, 'code exchange', await exchange(portal, code))
    requireRefusal(tally, 'sign-in', await pages.form())
    requireRefusal(tally, 'sign-in with scripts', await pages.formWithScripts())
    for (const [path, status] of await publicDocuments(portal)) {
      tally.check(status === 200, `${path} answered ${status} with a full disk`)
    }
    const asked = await introspectWith(portal, token)
    tally.check(
      JSON.parse(asked.body).active === true,
      `introspection: ${asked.status} ${asked.body}`,
    )
  }
  rmSync(filler)
  await untilStatus(tally, ready, 200)
  const exchanged = await exchange(portal, code)
  tally.check(
    exchanged.status === 200,
    `the code from before: ${exchanged.status} ${exchanged.body}`,
  )
  for (const { rule, ids } of await fsck(copyOf(portal.dataDir))) {
    tally.check(ids.length === 0, `fsck: ${rule}: ${ids.join(' ')}`)
  }
}

async function untilStatus(tally: Tally, ready: () => Promise<Answer>, status: number) {
  const until = performance.now() + NOTICED_MS
  let seen = (await ready()).status
  while (seen !== status && performance.now() < until) {
    await sleep(200)
    seen = (await ready()).status
  }
  tally.check(seen === status, `/readyz answered ${seen} instead of ${status}`)
}

/** SQLite would follow the way into the process's mount out of it again. */
function copyOf(dataDir: string): string {
  const copy = temporaryFolder()
  for (const name of ['gatehouse.db', 'gatehouse.db-wal']) {
    copyFileSync(join(dataDir, name), join(copy, name))
  }
  return `file:${join(copy, 'gatehouse.db')}`
}

/** To the last byte. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (let block = BLOCK; block.length > 0; block = block.subarray(0, block.length >> 1)) {
      while (fits(file, block)) {}
    }
  } finally {
    closeSync(file)
  }
}

function fits(file: number, block: Buffer): boolean {
  try {
    return writeSync(file, block) === block.length
  } catch {
    return false
  }
}
