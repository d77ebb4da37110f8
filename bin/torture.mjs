// npm run torture [-- races|crashes|history|...] [--rounds N] [--seed N] [--database sqlite|postgres]
// [--host node|next] [--only words] [--quick] [--minutes N, for ranks]: what must hold when everybody comes at once, and when it is killed.
import { build, bundle, main, prepare, ROOT, step } from './setup.mjs'

await main(async () => {
  await prepare()
  await step('build', build)
  // Two folders deep, like the files that it is made of: they find the portal from there.
  await bundle({ 'torture/run': 'e2e/torture/run.ts' })
  process.chdir(ROOT)
  await import('../dist/torture/run.js')
})
