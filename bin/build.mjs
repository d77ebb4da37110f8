// node bin/build.mjs: what a host such as Vercel runs before it serves the app.
import { build, main, prepare, step } from './setup.mjs'

await main(async () => {
  await prepare()
  await step('build', build)
})
