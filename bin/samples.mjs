// npm run samples [-- --only=web/python]: runs every quick start as it is pasted, the clients of others
// (both write their results into docs/quick-starts.md), and the commands of every guide (--guides).
import { spawnSync } from 'node:child_process'
import { findChromium } from './chromium.mjs'
import { build, bundle, main, prepareTests, ROOT, step } from './setup.mjs'

await main(async () => {
  await prepareTests()
  await step('build', build)
  let chromium = ''
  await step('browser', async () => {
    chromium = await findChromium()
    return chromium
  })
  // Two folders deep, like its source files, which find the portal by a relative path.
  await bundle({ 'samples/run': 'e2e/samples/run.ts' })
  const { status } = spawnSync(
    process.execPath,
    ['dist/samples/run.js', ...process.argv.slice(2)],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, CHROMIUM_PATH: chromium },
    },
  )
  process.exitCode = status ?? 1
})
