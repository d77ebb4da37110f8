import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everySample } from '../samples/catalogue'
import { runInstalled } from '../samples/quick-starts'
import { adminBrowser, showApi } from '../samples/shown'
import { type Portal, startPortal } from '../support/portal'

/** The quick starts that need nothing to be installed; `npm run samples` runs the others too. */

const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))

let portal: Portal

beforeAll(async () => {
  portal = await startPortal({ args: ['--demo'] })
})

afterAll(() => portal.stop())

const short = everySample().filter(({ id }) => id === 'curl' || id === 'node')

describe('a quick start, as the page shows it', () => {
  test.each(short.map((sample) => [`${sample.for}/${sample.id}`, sample] as const))(
    '%s runs in an empty folder',
    async (_name, sample) => {
      await runInstalled(portal, sample, NODE_MODULES)
    },
  )

  test('an API has one too, with its own audience and a permission of its own', async () => {
    const shown = await showApi(await adminBrowser(portal), 'api_demo_orders', 'python')
    expect(shown.install).toMatch(/^python3 -m venv/)
    const [{ name, text } = { name: '', text: '' }] = shown.files
    expect(name).toBe('api.py')
    expect(text).toContain(`ISSUER = "${portal.origin}"`)
    expect(text).toContain('AUDIENCE = "https://orders.gatehouse.example"')
    expect(text).toContain('if "orders:read" not in')
  })
})
