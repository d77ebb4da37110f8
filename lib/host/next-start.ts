import { isOpen, op } from '../op'
import { demoLeftLine } from '../operations/demo'
import { closeToOthers } from '../operations/private-files'
import { explainStartUpError } from '../operations/start-up-error'
import { config } from '../settings/config'
import { warnOfUnseen } from './unseen'

/** What server.ts does before it serves, for plain Next; behind server.ts it has been done. */
export function startUnderNext(): void {
  if (isOpen()) return
  try {
    for (const line of closeToOthers(config())) warn(line)
  } catch (error) {
    warn(explainStartUpError(error))
    process.exit(1)
  }
  warnOfUnseen()
  if (!config().frozen) tellOfDemo()
}

/** Beside what is served; a database that is away says so with the first request. */
async function tellOfDemo(): Promise<void> {
  try {
    const line = await demoLeftLine(await op())
    if (line) warn(line)
  } catch {}
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`)
}
