import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from './setup.mjs'
import { LAYERS } from './structure/layers.mjs'

/** What the documents name exists: links, headings, paths, commands, dependencies. */

const MAX_WORDS_OF_README = 900
const FOLDERS = 'app|bench|bin|deploy|docs|e2e|examples|lib|prisma'
/** `lib/api/routes/`, `e2e/*.spec.ts`; not a URL below a slash, such as /docs/api. */
const PATH = new RegExp(String.raw`(?<![\w/.-])(?:${FOLDERS})/[\w./()*-]*[\w/)*]`, 'g')

const pages = [
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true }).flatMap((name) =>
    name.endsWith('.md') ? `docs/${name}` : [],
  ),
]
const scripts = Object.keys(packageJson().scripts)

describe.each(pages)('%s', (page) => {
  const text = read(page)

  test('links lead to files and headings that exist', () => {
    expect(linksIn(text).filter((link) => !leadsSomewhere(page, link))).toEqual([])
  })

  test('paths exist', () => {
    expect(pathsIn(text).filter((path) => !isThere(path))).toEqual([])
  })

  test('commands exist', () => {
    const named = [...text.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name)
    expect(named.filter((name) => !scripts.includes(name))).toEqual([])
  })
})

test('the README names the test command and is short', () => {
  const text = read('README.md')
  expect(text).toContain('npm test')
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS_OF_README)
})

test('the index of docs/ lists every page', () => {
  const listed = linksIn(read('docs/README.md')).map((link) => join('docs', link))
  expect(pages.filter((page) => /^docs\/(?!README)/.test(page) && !listed.includes(page))).toEqual(
    [],
  )
})

test('the layers of lib are those that Biome keeps', () => {
  const rows = [...read('docs/architecture.md').matchAll(/^\| `lib\/([\w-]+)(?:\.ts)?` \|/gm)]
  expect(rows.map(([, layer]) => layer)).toEqual(LAYERS.lib)
})

test('the table of dependencies is that of package.json', () => {
  const [, table] = read('docs/architecture.md').split('\n## Dependencies\n')
  const rows = [...table.matchAll(/^\| ([^|]+) \| [^|]+ \|$/gm)].slice(2)
  const listed = rows.flatMap(([, names]) => names.split(', '))
  const { dependencies, devDependencies } = packageJson()
  expect(listed.sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort())
})

function read(path) {
  return readFileSync(join(ROOT, path), 'utf8')
}

function packageJson() {
  return JSON.parse(read('package.json'))
}

function linksIn(text) {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target)
  return targets.filter((target) => !/^https?:/.test(target))
}

function leadsSomewhere(page, link) {
  const [path, heading] = link.split('#')
  const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path))
  if (!existsSync(join(ROOT, target))) return false
  return heading === undefined || anchorsIn(read(target)).includes(heading)
}

/** As GitHub makes them of headings. */
function anchorsIn(text) {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-'),
  )
}

/** In code only: a path in a sentence may be about something else. */
function pathsIn(text) {
  const code = [...text.matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].map(([whole]) => whole)
  return code.flatMap((part) => part.match(PATH) ?? [])
}

/** Of a pattern, the folder before it. */
function isThere(path) {
  return existsSync(join(ROOT, path.replace(/\*.*$/, '')))
}
