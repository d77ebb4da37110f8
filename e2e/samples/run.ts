import { parseArgs } from 'node:util'
import { startPortal } from '../support/portal'
import { runClients } from './clients'
import { runQuickStarts } from './quick-starts'
import { writeResults } from './report'

/** `npm run samples`: the quick starts and the clients of others, each in an empty folder. */

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    clients: { type: 'boolean' },
    'quick-starts': { type: 'boolean' },
  },
})

const everything = !values.clients && !values['quick-starts']
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
  const failed = samples.filter((one) => one.failed)
  console.log(
    `\n${samples.filter(({ ran }) => ran).length} quick starts ran, ${failed.length} failed`,
  )
  process.exitCode = failed.length > 0 ? 1 : 0
} finally {
  await portal.stop()
}
