// npm run bench [-- --quick | -- tables]: what things cost, as ratios within one run.
import { spawnSync } from 'node:child_process'
import { build, bundle, main, prepare, ROOT, step } from './setup.mjs'

await main(async () => {
  await prepare()
  await step('build', build)
  const [which = ''] = process.argv.slice(2)
  await bundle({ bench: which === 'tables' ? 'bench/tables.ts' : 'bench/permissions.ts' })
  const args = ['--expose-gc', 'dist/bench.js', ...process.argv.slice(2)]
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
  process.exitCode = status ?? 1
})
