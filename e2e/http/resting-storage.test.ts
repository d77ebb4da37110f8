import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { startPortal } from '../support/portal'

const WATCH = join(fileURLToPath(new URL('../support', import.meta.url)), 'awake-storages.mjs')

// A portal of its own: a program is loaded into its process.
test('after a page, no storage of Next.js or React makes tokens dearer', async () => {
  const portal = await startPortal({
    env: { NODE_OPTIONS: `--import ${pathToFileURL(WATCH)}` },
  })
  const page = await fetch(`${portal.origin}/login`)
  expect(page.status).toBe(200)
  await page.text()
  // The log is written in order: by then the page is over.
  await portal.allOutput()
  portal.signal('SIGUSR2')
  await expect.poll(portal.output).toMatch(/storages used/)
  const [, used, awake] = /(\d+) storages used, (\d+) awake/.exec(portal.output()) ?? []
  expect(Number(used)).toBeGreaterThan(3)
  expect(Number(awake)).toBe(0)
  await portal.stop()
})
