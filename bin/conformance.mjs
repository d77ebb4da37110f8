// npm run conformance -- --issuer URL: runs the black-box suite against a running provider; --
// --host next: against the portal under plain `next start`, several processes on PostgreSQL.
import { build, bundle, main, prepareTests, ROOT, step } from './setup.mjs'

await main(async () => {
  await prepareTests()
  if (process.argv.includes('--host')) await step('build', build)
  // Two folders deep, like its source files, which find the portal by a relative path.
  await bundle({ 'conformance/run': 'e2e/conformance/run.ts' })
  process.chdir(ROOT)
  await import('../dist/conformance/run.js')
})
