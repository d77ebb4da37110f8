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
  process.env[OWN_ORIGIN] = ownOrigin(host, port)
  const { default: next } = await import('next')
  const app = next({ dev: false, dir: ROOT, port, ...(host && { hostname: host }) })
  await app.prepare()
  return app.getRequestHandler()
}

/**
 * Where an action with scripts redirects to a page, Next.js fetches that page from itself. Without
 * this variable, which its own server sets as well, it takes scheme and host from the request: behind
 * a proxy that ends TLS, it would speak TLS to its own plain port.
 */
const OWN_ORIGIN = '__NEXT_PRIVATE_ORIGIN'
const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

function ownOrigin(host: string | undefined | null, port: number): string {
  if (!host || ANY_ADDRESS.has(host)) return `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
