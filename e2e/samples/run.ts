import { parseArgs } from 'node:util'
import { startPortal } from '../support/portal'
import { runClients } from './clients'
import { GUIDES, runGuide } from './guides'
import { runQuickStarts } from './quick-starts'
import { isLockedOut, writeResults } from './report'

/**
 * `npm run samples`: the quick starts, the clients of others and the commands of the guides, each in
 * an empty folder.
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    clients: { type: 'boolean' },
    'quick-starts': { type: 'boolean' },
    guides: { type: 'boolean' },
  },
})

const everything = !values.clients && !values['quick-starts'] && !values.guides
const isNamed = (name: string) => !values.only || values.only.some((word) => name.includes(word))

const portal = await startPortal({ args: ['--demo'] })
try {
  console.log('\nQuick starts')
  const samples =
    everything || values['quick-starts']
      ? await runQuickStarts(portal, (sample) => isNamed(`${sample.for}/${sample.id}`))
      : []
  console.log('\nClients of others')
  const clients = everything || values.clients ? await runClients(portal, isNamed) : []
  writeResults({ samples, clients })
  console.log('\nGuides')
  const guides = everything || values.guides ? await runGuides() : { ran: 0, failed: 0 }
  const failed = samples.filter((one) => one.failed).length
  const ran = samples.filter((one) => one.ran).length
  const notRun = samples.length - ran - failed
  console.log(`\n${ran} quick starts ran, ${notRun} cannot be run here, ${failed} failed`)
  const lockedOut = clients.filter(isLockedOut).length
  console.log(
    `${clients.length - lockedOut} clients got in, or cannot be run here, ${lockedOut} did not`,
  )
  console.log(`${guides.ran} guides ran, ${guides.failed} failed`)
  process.exitCode = failed + lockedOut + guides.failed > 0 ? 1 : 0
} finally {
  await portal.stop()
}

async function runGuides(): Promise<{ ran: number; failed: number }> {
  const count = { ran: 0, failed: 0 }
  for (const guide of GUIDES.filter(({ path }) => isNamed(path))) {
    const error = await runGuide(portal, guide).then(
      () => null,
      (cause: Error) => cause,
    )
    console.log(`  ${guide.path} ... ${error ? `failed\n${error.message}` : 'ran'}`)
    count[error ? 'failed' : 'ran'] += 1
  }
  return count
}
