// npm run bench [-- --quick | -- --only=token,check]: what operations cost, compared with other
// servers, as ratios within one run. Also: -- tables, -- permissions, -- database, -- simulate,
// -- replay, and -- profile exchange, which shows where the time goes. With --node servers run on the
// newest long-term Node.js too, and with --node=PATH on that one.
import { spawnSync } from 'node:child_process'
import { build, bundle, installIn, main, prepareTests, ROOT, SetupError, step } from './setup.mjs'
import { newestNode } from './test/newest-node.mjs'

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
  const options = await Promise.all(process.argv.slice(2).map(withPath))
  const args = ['--expose-gc', 'dist/bench.js', ...options]
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
  process.exitCode = status ?? 1
})

async function withPath(option) {
  if (option !== '--node') return option
  const newest = await newestNode()
  if (!newest)
    throw new SetupError('the newest Node.js could not be installed; name one: --node=PATH')
  return `--node=${newest.path}`
}
