import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { compileDocument } from '../docs/compile'
import { type Block, type Inline, plainText } from '../docs/document'
import { DOCUMENTS, fileOf } from '../docs/list'
import { messagesFor } from '../i18n'

/**
 * What the documents name of the pages is there. Names of pages, tabs, fields and buttons are in
 * italics, as they are on the screen; addresses of pages are in code.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SVG = '<svg viewBox="0 0 1 1"></svg>'

const english = await messagesFor('en')
const { admin, account } = english
const WORDS = new Set(textsIn(english))
const PAGES = new Set<string>([...Object.values(admin.pages), ...Object.values(account.pages)])
const TABS = new Set<string>([...tabsIn(admin), ...Object.values(admin.governance.parts)])
const ADDRESSES = readdirSync(join(ROOT, 'app'), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('page.tsx'))
  .map((name) => name.replace(/\([^)]*\)\//g, '').replace(/\/page\.tsx$/, ''))
  .map((path) => new RegExp(`^/${path.replace(/\[[^\]]+\]/g, '[^/]+')}$`))

/** The others set words of their own in italics. */
const OTHERS = ['glossary', 'quick-starts']
const READ = DOCUMENTS.filter(({ group, path }) => group !== 'project' && !OTHERS.includes(path))

test.each(READ.map(fileOf))('%s names pages, tabs and fields that exist', (file) => {
  expect(faultsIn(readFileSync(join(ROOT, file), 'utf8'), file)).toEqual([])
})

test.each([
  ['*Nothing of the kind* is on no page', ['“Nothing of the kind” is on no page']],
  ['on its *Scopes* tab', ['“Scopes” is no tab']],
  ['open *Name*', ['“Name” is no page and no tab']],
  ['open *Period*', ['“Period” is no page and no tab']],
  ['in *Settings*, *Scopes*', ['“Scopes” is no page and no tab']],
  ['at `/admin/none`', ['/admin/none is no page']],
  ['open *Users*, then the *Permissions* tab, *Email* and *no* words at `/admin/users/new`', []],
])('%s', (text, faults) => {
  expect(faultsIn(`# T\n\n${text}`, 'docs/x.md')).toEqual(faults)
})

// ---------------------------------------------------------------- what is named, and where

type Name = { name: string; before: string; after: string; above: string | null }

function faultsIn(markdown: string, file: string): string[] {
  const lines = compileDocument(markdown, file, () => SVG).blocks.flatMap(linesOf)
  return lines.flatMap((line) => [
    ...namesIn(line).flatMap((named) => faultOf(named) ?? []),
    ...addressesIn(line)
      .filter(isUnknown)
      .map((address) => `${address} is no page`),
  ])
}

function linesOf(block: Block): (readonly Inline[])[] {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return [block.text]
    case 'list':
      return block.items.flat().flatMap(linesOf)
    case 'quote':
      return block.blocks.flatMap(linesOf)
    case 'table':
      return block.rows.flat()
    default:
      return []
  }
}

/** A word that begins with a small letter is only stressed. */
function namesIn(line: readonly Inline[]): Name[] {
  return line.flatMap((part, at) => {
    if (!isItalic(part)) return []
    const name = plainText(part.em)
    const [before, after] = [textAt(line, at - 1), textAt(line, at + 1)]
    const first = line[at - 2]
    const above = before === ', ' && first && isItalic(first) ? plainText(first.em) : null
    return /^\p{Lu}/u.test(name) ? [{ name, before, after, above }] : []
  })
}

function isItalic(part: Inline): part is Extract<Inline, { em: unknown }> {
  return typeof part === 'object' && 'em' in part
}

function textAt(line: readonly Inline[], at: number): string {
  const part = line[at]
  return typeof part === 'string' ? part : ''
}

function faultOf({ name, before, after, above }: Name): string | null {
  if (!WORDS.has(name)) return `“${name}” is on no page`
  if (/^ tab\b/.test(after)) return TABS.has(name) ? null : `“${name}” is no tab`
  const isPlace = PAGES.has(name) || TABS.has(name)
  const isNamedAsPlace = /\b(open|at) $/i.test(before) || (above !== null && PAGES.has(above))
  return isNamedAsPlace && !isPlace ? `“${name}” is no page and no tab` : null
}

function addressesIn(line: readonly Inline[]): string[] {
  const code = line.flatMap((part) => (typeof part === 'object' && 'code' in part ? part.code : []))
  return code.filter((text) => /^\/(admin|account)\b/.test(text))
}

function isUnknown(address: string): boolean {
  return !ADDRESSES.some((page) => page.test(address.replace(/\?.*$/, '')))
}

// ---------------------------------------------------------------- the words of the pages

/** The words of a button may end with a sign that says that it goes on. */
function textsIn(words: unknown): string[] {
  if (typeof words === 'string') return [words, words.replace(/[…:]$/, '')]
  return Object.values(words ?? {}).flatMap(textsIn)
}

/** `tab`, `settingsTab` and the members of `tabs` are tabs; a text `tabs` is what all are called. */
function tabsIn(words: object): string[] {
  return Object.entries(words).flatMap(([key, value]) => {
    const isObject = typeof value === 'object' && value !== null
    if (/^tab$|Tab$/.test(key) || (key === 'tabs' && isObject)) return textsIn(value)
    return isObject ? tabsIn(value) : []
  })
}
