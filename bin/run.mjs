// npm run db:migrate and the like: prepares, then runs one command of lib/commands.ts.
import { bundle, main, prepare } from './setup.mjs'

await main(async () => {
  await prepare()
  await bundle()
  await import('../dist/commands.js')
})
