import { subscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import { op } from '../op'
import { demoLeftLine } from '../operations/demo'
import { closeToOthers } from '../operations/private-files'
import { explainStartUpError } from '../operations/start-up-error'
import { config } from '../settings/config'
import { answerBadRequests } from './bad-request'
import { warnOfUnseen } from './unseen'

/**
 * The start-up work of server.ts, for plain Next.js, which does not give us its HTTP server: we meet
 * it at its first request.
 */
export function startUnderNext(): void {
  subscribe('http.server.request.start', (message) => {
    answerBadRequests((message as { server: Server }).server)
  })
  try {
    for (const line of closeToOthers(config())) warn(line)
  } catch (error) {
    warn(explainStartUpError(error))
    process.exit(1)
  }
  warnOfUnseen()
  if (!config().frozen) tellOfDemo()
}

/** Runs beside the requests; if the database cannot be reached, the first request reports it. */
async function tellOfDemo(): Promise<void> {
  try {
    const line = await demoLeftLine(await op())
    if (line) warn(line)
  } catch {}
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`)
}
