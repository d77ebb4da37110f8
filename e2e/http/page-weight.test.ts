import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OldBrowser } from '../support/old-browser'
import { HTML_KB, SCRIPTS_KB, type WeighedPage } from '../support/page-budget'
import { type Portal, startPortal } from '../support/portal'
import { visitedPages } from '../support/visited-pages'

/** A page carries only what it shows: the ten most visited ones stay within their budget. */

let portal: Portal
let owner: OldBrowser

beforeAll(async () => {
  portal = await startPortal({ args: ['--demo'] })
  owner = new OldBrowser(portal.origin)
  await owner.signIn(await owner.open('/login'), portal.demo().admin)
})
afterAll(() => portal.stop())

describe.each(Object.keys(HTML_KB) as WeighedPage[])('%s', (name) => {
  test('is within its budget, and the pages not found and forbidden are only words in it', async () => {
    const { status, html } = await visitedPages(portal, owner)[name]()
    expect(status).toBe(200)
    const scripts = await Promise.all(scriptsOf(html).map(sizeOf))
    const weight = {
      html: kilobytes(Buffer.byteLength(html)),
      scripts: kilobytes(scripts.reduce((sum, size) => sum + size, 0)),
    }
    expect(weight.scripts).toBeGreaterThan(0)
    expect(weight).toSatisfy(
      (found: typeof weight) => found.html <= HTML_KB[name] && found.scripts <= SCRIPTS_KB,
    )
    // Seen by nobody on this page: not as elements.
    expect(html).not.toContain('\\"children\\":\\"Go to the home page\\"')
  })
})

function scriptsOf(html: string): string[] {
  return [...new Set([...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, src = '']) => src))]
}

async function sizeOf(path: string): Promise<number> {
  const answer = await fetch(new URL(path, portal.origin))
  expect(answer.status).toBe(200)
  return (await answer.arrayBuffer()).byteLength
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 100) / 10
}
