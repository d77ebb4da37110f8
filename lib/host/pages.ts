import { fileURLToPath } from 'node:url'
import { sayStep } from '../base/console'
import { provideRestingStorage } from '../base/resting-storage'
import type { Config } from '../settings/config'
import type { PageHandler } from './server'

/** The pages, which Next.js answers. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** A fresh clone is still being built when the portal starts; see bin/start.mjs. */
const PAGES = Symbol.for('gatehouse.pages')
const shared = globalThis as { [PAGES]?: Promise<string> }

/** The seconds are those that are left of it. */
export async function waitForBuild(step = sayStep): Promise<void> {
  const built = shared[PAGES]
  if (built) await step('build', () => built)
}

export async function preparePages({ host, port }: Config): Promise<PageHandler> {
  provideRestingStorage()
  const { default: next } = await import('next')
  const app = next({ dev: false, dir: ROOT, port, ...(host && { hostname: host }) })
  await app.prepare()
  return app.getRequestHandler()
}
