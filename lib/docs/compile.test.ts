import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { addressFrom, anchorOf, compile, compileDocument } from './compile'
import { addressOf, DOCUMENTS, fileOf } from './list'
import { search } from './search'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')
const compiled = compile(read)

const SVG = '<svg viewBox="0 0 10 20"></svg>'
const blocksOf = (markdown: string) =>
  compileDocument(`# T\n\n${markdown}`, 'docs/x.md', () => SVG).blocks

describe('Markdown as data', () => {
  test('headings have the anchors of GitHub, also where two are alike', () => {
    expect(anchorOf('`npm start`: what’s new?')).toBe('npm-start-whats-new')
    const ids = blocksOf('## Same\n\n## Same').map((block) => block.kind === 'heading' && block.id)
    expect(ids).toEqual(['same', 'same-1'])
  })

  test('HTML stays text, in a line and between lines', () => {
    const text = JSON.stringify(blocksOf('a <b>x</b>\n\n<script>alert(1)</script>'))
    expect(text).toContain('<b>')
    expect(blocksOf('<script>alert(1)</script>')).toEqual([
      { kind: 'paragraph', text: ['<script>alert(1)</script>'] },
    ])
  })

  test('entities are characters, and code is as it was typed', () => {
    expect(blocksOf('a &lt; b `x &amp; y`')).toEqual([
      { kind: 'paragraph', text: ['a < b ', { code: 'x & y' }] },
    ])
    expect(blocksOf('```sh\na && b\n```')).toEqual([
      { kind: 'code', language: 'sh', code: 'a && b' },
    ])
  })

  test('a picture needs a place of its own and a size', () => {
    expect(blocksOf('![What it shows](pictures/a.svg)')).toEqual([
      { kind: 'picture', name: 'a.svg', text: 'What it shows', width: 10, height: 20 },
    ])
    expect(() => blocksOf('text ![x](a.svg)')).toThrow('image cannot be drawn')
    expect(() => compileDocument('# T\n\n![x](a.svg)', 'docs/x.md', () => '<svg/>')).toThrow(
      'needs a viewBox',
    )
  })

  test('a document without a title stops the build', () => {
    expect(() => compileDocument('text', 'docs/x.md', () => SVG)).toThrow('needs a title')
  })

  test('so does a table with a column that has no name (WCAG 2.2, 1.3.1)', () => {
    expect(() => blocksOf('| | b |\n| --- | --- |\n| 1 | 2 |')).toThrow('a column needs a name')
  })
})

test.each([
  ['docs/errors.md', 'concepts.md#roles', '/docs/concepts#roles'],
  ['docs/how-to/conditions.md', '../errors.md', '/docs/errors'],
  ['docs/operations/upgrade.md', '../../CHANGELOG.md', '/docs/changelog'],
  ['CHANGELOG.md', 'docs/operations/upgrade.md', '/docs/operations/upgrade'],
  ['docs/errors.md', 'attacks.md#c-pkce', '/docs/attacks/c-pkce'],
  ['docs/errors.md', '#stale', '#stale'],
  ['docs/errors.md', 'README.md', '/docs'],
  ['docs/errors.md', 'https://cel.dev', 'https://cel.dev'],
  ['docs/errors.md', '../LICENSE', null],
  ['docs/errors.md', 'javascript:alert(1)', null],
])('in %s, %s leads to %s', (file, href, address) => {
  expect(addressFrom(file, href)).toBe(address)
})

describe('the documents', () => {
  test.each(DOCUMENTS.map((listed) => [fileOf(listed), listed] as const))(
    '%s has the title of the list',
    (_file, { path, title }) => {
      expect(compiled.documents[path]?.title).toBe(title)
    },
  )

  test('each has what it answers from the contents, and one that the contents lack stops the build', () => {
    const { summary } = compiled.documents['how-to/migrate-users'] ?? {}
    expect(summary).toBe('How do users get here from another system?')
    const without = (file: string) => (file === 'docs/README.md' ? '# Documents' : read(file))
    expect(() => compile(without)).toThrow('docs/concepts.md in docs/README.md is missing')
  })

  test.each([
    ['change the logo', '/docs/how-to/brand-the-portal#change-the-logo'],
    ['How do I invite a user?', '/docs/how-to/invite-users'],
    ['set up mail', '/docs/how-to/set-up-mail'],
    ['cors', '/docs/integration#single-page-applications-and-cors'],
    ['pkce', '/docs/integration#pkce'],
    ['mfa_required', '/docs/errors#mfa_required'],
  ])('the search finds for “%s” first: %s', (question, href) => {
    expect(search(compiled.sections, question)[0]?.href).toBe(href)
  })

  test('the lists that name everything are found after all others', () => {
    const lists = DOCUMENTS.filter(({ foundLast }) => foundLast).map(addressOf)
    const isLast = (href: string) => lists.some((list) => `${href}/`.startsWith(`${list}/`))
    const hits = search(compiled.sections, 'webhook').map(({ href }) => href.split('#')[0] ?? '')
    const of = search(compiled.sections, 'cors').map(({ href }) => href.split('#')[0] ?? '')
    expect(of.at(-1)).toContain('/docs/attacks/')
    for (const found of [hits, of]) expect(found.map(isLast)).toEqual(found.map(isLast).sort())
  })

  test('one that is too long is a page of contents and a page for each part', () => {
    const parts = Object.keys(compiled.documents).filter((path) => path.startsWith('attacks/'))
    expect(parts).toContain('attacks/c-pkce')
    const contents = JSON.stringify(compiled.documents.attacks)
    for (const path of parts) expect(contents).toContain(`"/docs/${path}"`)
    const longest = Object.values(compiled.documents).map((one) => JSON.stringify(one).length)
    expect(Math.max(...longest)).toBeLessThan(80_000)
  })

  test('every drawing has a title and a description, and asks nobody for anything', () => {
    const drawings = Object.values(compiled.pictures)
    expect(drawings.length).toBeGreaterThanOrEqual(3)
    for (const svg of drawings) {
      expect(svg).toMatch(/<title id="title">[^<]+<\/title>\s+<desc id="desc">[^<]+<\/desc>/)
      expect(svg).toContain('@media (prefers-color-scheme: dark)')
      expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
        /https?:|<script|href|url\(/,
      )
    }
  })

  test('a text alternative says what the drawing shows', () => {
    const texts = Object.values(compiled.documents)
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => (block.kind === 'picture' ? [block.text] : []))
    expect(texts.length).toBe(Object.keys(compiled.pictures).length)
    for (const text of texts) expect(text.length).toBeGreaterThan(100)
  })
})
