// npm run conformance -- --issuer URL: the black-box suite against a provider that is up;
// -- --host next: against the portal under plain `next start`, several processes on PostgreSQL.
import { build, bundle, main, prepare, ROOT, step } from './setup.mjs'

await main(async () => {
  await prepare()
  if (process.argv.includes('--host')) await step('build', build)
  // Two folders deep, like the files that it is made of: they find the portal from there.
  await bundle({ 'conformance/run': 'e2e/conformance/run.ts' })
  process.chdir(ROOT)
  await import('../dist/conformance/run.js')
})
