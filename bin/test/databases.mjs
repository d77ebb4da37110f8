// The PostgreSQL and the templates of databases that the parts of one `npm test` share.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { relative } from 'node:path'
import { createInterface } from 'node:readline'
import { bundle, ROOT, SetupError } from '../setup.mjs'

/** `made()` gives the line that e2e/support/run-databases.ts prints. */
export function startDatabases(folder) {
  const started = start(folder)
  // Whoever asks for them is told; until then the error is nobody's.
  started.catch(() => {})
  return {
    made: async () => (await started).line,
    async stop() {
      const { child, exited } = await started.catch(() => ({}))
      child?.stdin.end()
      await exited
    },
  }
}

async function start(folder) {
  const outdir = relative(ROOT, folder)
  // Two folders deep, like its source file, which finds the portal by a relative path.
  await bundle({ databases: 'e2e/support/run-databases.ts' }, outdir)
  const child = spawn(process.execPath, [`${outdir}/databases.js`], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const line = await firstLine(child.stdout)
  if (line === undefined) throw new SetupError('the databases of the tests could not be made')
  return { child, exited, line }
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line
}
