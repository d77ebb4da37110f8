// npm start: from a fresh clone to a running portal; with --dev it reloads when files change.
import { build, main, prepare, step } from './setup.mjs'

if (process.argv.includes('--dev')) await import('./dev.mjs')
else await main(start)

async function start() {
  console.log('Gatehouse is starting')
  await prepare()
  await step('build', build)
  await import('../dist/server.js')
}
