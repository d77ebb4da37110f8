// npm run torture [-- races|crashes|history|...] [--rounds N] [--seed N] [--database
// sqlite|postgres] [--host node|next] [--workers N] [--only words] [--quick] [--minutes N, for ranks]: injects
// failures and concurrency, and checks that no guarantee breaks.
import { build, bundle, main, prepareTests, ROOT, step } from './setup.mjs'

await main(async () => {
  await prepareTests()
  await step('build', build)
  // Two folders deep, like its source files, which find the portal by a relative path.
  await bundle({ 'torture/run': 'e2e/torture/run.ts' })
  process.chdir(ROOT)
  await import('../dist/torture/run.js')
})
