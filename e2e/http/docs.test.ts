import { beforeAll, describe, expect, test } from 'vitest'
import { compiled } from '../../lib/docs/compiled'
import { addressOf, DOCS } from '../../lib/docs/list'
import { callApi, machineToken } from '../support/api'
import { ask } from '../support/ask'
import { decodeEntities, OldBrowser } from '../support/old-browser'
import type { Portal } from '../support/portal'
import { sharedPortal } from '../support/shared-portal'

/** The documents at /docs, as a browser without script gets them. */

let portal: Portal

beforeAll(async () => {
  portal = await sharedPortal()
})

const page = (path: string, headers = {}) => ask(portal.origin, { path, headers })

function idsIn(html: string): Set<string> {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))
}

/** Links within the documents, of the article alone: the list beside it is the same everywhere. */
function linksIn(html: string): string[] {
  const article = /<article[\s\S]*<\/article>/.exec(html)?.[0] ?? ''
  const all = [...article.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => decodeEntities(href))
  return all.filter((href) => href.startsWith(`${DOCS}/`) && !href.startsWith(`${DOCS}/api`))
}

describe('the documents', () => {
  test('each is there, and the links between them lead to headings that exist', async () => {
    const pages = new Map<string, string>()
    for (const path of Object.keys(compiled.documents)) {
      const { status, body } = await page(addressOf({ path }))
      expect(status, path).toBe(200)
      pages.set(addressOf({ path }), body)
    }
    const broken = [...pages.values()].flatMap(linksIn).filter((href) => {
      const [path = '', id] = href.split('#')
      const target = pages.get(path)
      return target === undefined || (id !== undefined && !idsIn(target).has(id))
    })
    expect(broken).toEqual([])
  })

  test('examples have the address of this portal, and no placeholder of it', async () => {
    const { body } = await page('/docs/how-to/machine-to-machine')
    expect(body).toContain(`PORTAL=${portal.origin}`)
    expect(body).not.toContain('https://portal.example')
    expect(body).toContain('YOUR_CLIENT_ID')
  })

  test('an admin may fill in an application, and a visitor or a made-up ID fills in nothing', async () => {
    const path = '/docs/how-to/machine-to-machine?application=app_demo_machine'
    const visitor = await page(path)
    expect(visitor.body).not.toContain('app_demo_machine)')
    expect(visitor.body).toContain('CLIENT_ID=YOUR_CLIENT_ID')
    const admin = new OldBrowser(portal.origin)
    await admin.signIn(await admin.open('/login'), portal.demo().admin)
    expect((await admin.open(path)).html).toContain('CLIENT_ID=app_demo_machine')
    const wrong = await admin.open('/docs/how-to/machine-to-machine?application="><script>')
    expect(wrong.html).toContain('CLIENT_ID=YOUR_CLIENT_ID')
  })

  test('an address that is no document is 404', async () => {
    for (const path of ['/docs/nothing', '/docs/how-to', '/docs/pictures/none.svg'])
      expect((await page(path)).status, path).toBe(404)
  })

  test('the frame is in Chinese, and the document says that it is in English', async () => {
    const { body } = await page('/docs/concepts', { 'accept-language': 'zh-CN' })
    expect(body).toContain('搜索文档')
    expect(body).toContain('文档正文目前只有英文版')
    expect(body).toMatch(/<article lang="en"/)
  })
})

describe('the search', () => {
  test('works without script', async () => {
    const { body } = await page('/docs?q=client_not_granted')
    expect(body).toContain('href="/docs/errors#client_not_granted"')
  })

  test('a question is text and nothing else', async () => {
    const { status, body } = await page(`/docs?q=${encodeURIComponent('<img src=x onerror=1>')}`)
    expect(status).toBe(200)
    expect(body).not.toContain('<img src=x')
  })

  test('the list that the browser searches names pages that exist', async () => {
    const { body, headers } = await page('/docs/sections.json')
    expect(headers['content-type']).toContain('application/json')
    const paths = Object.keys(compiled.documents).map((path) => addressOf({ path }))
    const sections: { href: string }[] = JSON.parse(body)
    expect(sections.length).toBeGreaterThan(200)
    expect(sections.filter(({ href }) => !paths.includes(href.split('#')[0] ?? ''))).toEqual([])
  })
})

describe('a drawing', () => {
  test('has the colours of the theme that is asked for', async () => {
    const [light, dark] = await Promise.all(
      ['light', 'dark'].map((theme) => page(`/docs/pictures/space.svg?theme=${theme}`)),
    )
    expect(light?.headers['content-type']).toBe('image/svg+xml')
    expect(light?.headers['content-security-policy']).toContain("default-src 'none'")
    expect(light?.body).toContain('@media not all')
    expect(dark?.body).toContain('@media all')
  })
})

test('the type of a problem is the address of a heading that explains it', async () => {
  const token = await machineToken(portal)
  const { json } = await callApi(portal, token, 'GET', '/applications/app_nothing')
  expect(json.type).toBe(`${portal.origin}/docs/errors#not_found`)
  const { pathname, hash } = new URL(json.type)
  expect(idsIn((await page(pathname)).body)).toContain(hash.slice(1))
})
