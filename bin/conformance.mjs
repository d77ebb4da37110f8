// npm run conformance -- --issuer URL: the black-box suite against a provider that is up.
import { bundle, main, prepare, ROOT } from './setup.mjs'

await main(async () => {
  await prepare()
  await bundle({ conformance: 'e2e/conformance/run.ts' })
  process.chdir(ROOT)
  await import('../dist/conformance.js')
})
