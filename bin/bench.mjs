// npm run bench [-- --quick | -- --only=token,check]: what operations cost, compared with other
// servers, as ratios within one run. Also: -- tables, -- permissions, -- database, -- simulate,
// -- replay, and -- profile exchange, which shows where the time goes.
import { spawnSync } from 'node:child_process'
import { build, bundle, installIn, main, prepareTests, ROOT, step } from './setup.mjs'

const OTHERS = {
  tables: 'bench/tables.ts',
  permissions: 'bench/permissions.ts',
  profile: 'bench/profile.ts',
  simulate: 'bench/simulate.ts',
  against: 'bench/against.ts',
  database: 'bench/database.ts',
  replay: 'bench/replay.ts',
}

await main(async () => {
  await prepareTests()
  await step('build', build)
  const [which = ''] = process.argv.slice(2)
  const alone = Object.hasOwn(OTHERS, which) ? OTHERS[which] : undefined
  if (!alone) await step('peers', () => installIn('bench'))
  await bundle({ bench: alone ?? 'bench/main.ts' })
  const args = ['--expose-gc', 'dist/bench.js', ...process.argv.slice(2)]
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
  process.exitCode = status ?? 1
})
