import { parseArgs } from 'node:util'
import { startPortal } from '../support/portal'
import { runClients } from './clients'
import { GUIDES, runGuide } from './guides'
import { runQuickStarts } from './quick-starts'
import { writeResults } from './report'

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
  const guides = everything || values.guides ? await runGuides() : 0
  const failed = samples.filter((one) => one.failed)
  console.log(
    `\n${samples.filter(({ ran }) => ran).length} quick starts ran, ${failed.length} failed`,
  )
  process.exitCode = failed.length + guides > 0 ? 1 : 0
} finally {
  await portal.stop()
}

/** How many of them failed. */
async function runGuides(): Promise<number> {
  let failures = 0
  for (const guide of GUIDES.filter(({ path }) => isNamed(path))) {
    const error = await runGuide(portal, guide).then(
      () => null,
      (cause: Error) => cause,
    )
    console.log(`  ${guide.path} ... ${error ? `failed\n${error.message}` : 'ran'}`)
    if (error) failures += 1
  }
  return failures
}
