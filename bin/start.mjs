// npm start: from a fresh clone to a running portal; with --dev it reloads when files change.
import { beginBuild, main, prepare } from './setup.mjs'

/** lib/host/pages.ts waits for what has this name. */
const PAGES = Symbol.for('gatehouse.pages')

if (process.argv.includes('--dev')) await import('./dev.mjs')
else await main(start)

/** The portal opens its database and answers its first tokens while its pages are still built. */
async function start() {
  console.log('Gatehouse is starting')
  await prepare()
  const { pages } = await beginBuild()
  globalThis[PAGES] = pages
  await import('../dist/server.js')
}
