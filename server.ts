import cluster from 'node:cluster'
import { join } from 'node:path'
import { demoArguments, demoKindIn } from './lib/operations/demo/kind'
import { config } from './lib/settings/config'

/**
 * The Node host: what `npm start` runs after everything is installed and built. It serves alone, or
 * starts several workers, each of which runs this file again.
 */

const START_SCRIPT = /[\\/]bin[\\/]start\.mjs$/

/** The reader of the output is gone; writing an error message about it would fail again. */
function outliveReaders(): void {
  for (const out of [process.stdout, process.stderr]) out.on('error', () => {})
}

/** Each part is loaded only where it is needed: the primary needs little. */
async function start(args: readonly string[]): Promise<void> {
  process.umask(0o077)
  outliveReaders()
  const demo = demoKindIn(args)
  if (cluster.isWorker) {
    const { startWorker } = await import('./lib/host/workers/worker')
    const { roleIn } = await import('./lib/host/workers/messages')
    return startWorker(roleIn(args), demo)
  }
  const { workers, logLevel } = config()
  if (workers === 1) {
    const { startAlone } = await import('./lib/host/start')
    return startAlone(demo)
  }
  const { waitForBuild } = await import('./lib/host/pages')
  await waitForBuild()
  const { runWorkers } = await import('./lib/host/workers/primary')
  return runWorkers({ workers, logLevel, script: ownScript(), args: demoArguments(args) })
}

/**
 * By the path that was typed: if that leads through a symbolic link to a release, new workers run
 * the release that the link names then.
 */
function ownScript(): string {
  const typed = process.argv[1] ?? ''
  return START_SCRIPT.test(typed) ? join(typed, '../../dist/server.js') : typed
}

try {
  await start(process.argv.slice(2))
} catch (error) {
  const { explainStartUpError } = await import('./lib/operations/start-up-error')
  process.stderr.write(`\n${explainStartUpError(error)}\n`)
  process.exit(1)
}
