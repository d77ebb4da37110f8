// npm start: everything from a fresh clone to a portal that answers.
import { build, main, prepare, step } from './setup.mjs'

await main(async () => {
  console.log('Gatehouse is starting')
  await prepare()
  await step('build', build)
  await import('../dist/server.js')
})
