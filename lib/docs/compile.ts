import { dirname, join } from 'node:path/posix'
import { lexer, type Token, type Tokens } from 'marked'
import {
  type Block,
  type Cell,
  type CompiledDocuments,
  type Document,
  type Inline,
  plainText,
  type Section,
} from './document'
import { addressOf, DOCS, DOCUMENTS, fileOf, type ListedDocument } from './list'

/**
 * Markdown to data, once, when the portal is built. HTML in Markdown stays text. What cannot be
 * drawn stops the build.
 */

/** Reads a file of the repository. */
type ReadFile = (file: string) => string

export function compile(read: ReadFile): CompiledDocuments {
  const pictures = new Map<string, string>()
  const keep = (file: string) => {
    const svg = read(file)
    pictures.set(nameOf(file), svg)
    return svg
  }
  const summaries = summariesIn(read(CONTENTS))
  const compiled = DOCUMENTS.flatMap((listed) => {
    const summary = summaries.get(addressOf(listed))
    if (summary === undefined) return missing(`${fileOf(listed)} in ${CONTENTS}`)
    const document = { ...compileDocument(read(fileOf(listed)), fileOf(listed), keep), summary }
    return listed.inParts ? inParts(listed, document) : [{ listed, document }]
  })
  return {
    documents: Object.fromEntries(compiled.map(({ listed, document }) => [listed.path, document])),
    sections: compiled.flatMap(({ listed, document }) => sectionsOf(listed, document)),
    pictures: Object.fromEntries(pictures),
  }
}

const CONTENTS = 'docs/README.md'

/** Each row of its tables is a link to a document and what the document answers. */
function summariesIn(contents: string): Map<string, string> {
  const page: Page = { file: CONTENTS, readPicture: missing, idOf: anchorOf }
  const rows = blocksOf(page, lexer(contents)).flatMap((block) =>
    block.kind === 'table' ? block.rows : [],
  )
  return new Map(
    rows.flatMap(([title = [], summary = []]) => {
      const [link] = title
      const isLink = typeof link === 'object' && 'link' in link
      return isLink ? [[link.link, plainText(summary)] as const] : []
    }),
  )
}

function missing(what: string): never {
  throw new Error(`${what} is missing`)
}

type Written = Omit<Document, 'summary'>

/** `file` is where it stands, for the links in it. */
export function compileDocument(markdown: string, file: string, readPicture: ReadFile): Written {
  const known = new Map<string, number>()
  const page: Page = { file, readPicture, idOf: (text) => unused(known, anchorOf(text)) }
  const [title, ...blocks] = blocksOf(page, lexer(markdown))
  if (title?.kind !== 'heading' || title.depth !== 1) throw new Error(`${file} needs a title`)
  return { title: plainText(title.text), blocks }
}

type Compiled = { listed: ListedDocument; document: Document }

/** What stands before the first part, with links to the parts; then each of them. */
function inParts(listed: ListedDocument, { blocks, ...of }: Document): Compiled[] {
  const parts: { title: string; path: string; blocks: Block[] }[] = []
  const before: Block[] = []
  for (const block of blocks) {
    if (block.kind !== 'heading' || block.depth !== 2) (parts.at(-1)?.blocks ?? before).push(block)
    else {
      const title = plainText(block.text)
      parts.push({ title, path: `${listed.path}/${block.id}`, blocks: [] })
    }
  }
  const items = parts.map((part): Block[] => [
    { kind: 'paragraph', text: [{ link: addressOf(part), text: [part.title] }] },
  ])
  const contents: Block = { kind: 'list', start: null, items }
  return [
    { listed, document: { ...of, blocks: [...before, contents] } },
    ...parts.map(({ title, path, blocks: own }) => ({
      listed: { ...listed, path, title },
      document: { title, summary: '', blocks: own },
    })),
  ]
}

type Page = { file: string; readPicture: ReadFile; idOf(text: string): string }

// ---------------------------------------------------------------- blocks

function blocksOf(page: Page, tokens: readonly Token[]): Block[] {
  return tokens.flatMap((token) => blockOf(page, token as Tokens.Generic))
}

function blockOf(page: Page, token: Tokens.Generic): Block | [] {
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return headingOf(page, token as Tokens.Heading)
    case 'paragraph':
      return pictureIn(page, token) ?? { kind: 'paragraph', text: inlinesOf(page, token.tokens) }
    case 'text':
      return { kind: 'paragraph', text: inlinesOf(page, token.tokens ?? [token as Token]) }
    case 'html':
      return { kind: 'paragraph', text: [token.raw.trim()] }
    case 'code':
      return { kind: 'code', language: token.lang ?? '', code: token.text }
    case 'blockquote':
      return { kind: 'quote', blocks: blocksOf(page, token.tokens ?? []) }
    case 'list':
      return listOf(page, token as Tokens.List)
    case 'table':
      return tableOf(page, token as Tokens.Table)
    default:
      throw new Error(`${page.file}: ${token.type} cannot be drawn`)
  }
}

function headingOf(page: Page, { depth, tokens }: Tokens.Heading): Block {
  const text = inlinesOf(page, tokens)
  return { kind: 'heading', depth, id: page.idOf(plainText(text)), text }
}

function listOf(page: Page, { ordered, start, items }: Tokens.List): Block {
  return {
    kind: 'list',
    start: ordered ? Number(start || 1) : null,
    items: items.map(({ tokens }) => blocksOf(page, tokens)),
  }
}

function tableOf(page: Page, { header, rows }: Tokens.Table): Block {
  const cell = ({ tokens }: Tokens.TableCell): Cell => inlinesOf(page, tokens)
  // Who hears the page is told the name of the column with each cell.
  if (header.some(({ text }) => text.trim() === ''))
    throw new Error(`${page.file}: a column needs a name`)
  return { kind: 'table', head: header.map(cell), rows: rows.map((row) => row.map(cell)) }
}

/** A picture stands alone in its paragraph. Its text says what it shows. */
function pictureIn(page: Page, { tokens = [] }: Tokens.Generic): Block | null {
  const [only, ...others] = tokens
  if (only?.type !== 'image' || others.length > 0) return null
  const { href, text } = only as Tokens.Image
  const file = join(dirname(page.file), href)
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(page.readPicture(file)) ?? []
  if (!width || !height) throw new Error(`${file} needs a viewBox from 0 0`)
  return { kind: 'picture', name: nameOf(file), text, width: +width, height: +height }
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

// ---------------------------------------------------------------- within a line

function inlinesOf(page: Page, tokens: readonly Token[] = []): Inline[] {
  return tokens.map((token) => inlineOf(page, token as Tokens.Generic))
}

function inlineOf(page: Page, token: Tokens.Generic): Inline {
  switch (token.type) {
    case 'text':
    case 'escape':
      return decoded(token.text)
    case 'codespan':
      return { code: decoded(token.text) }
    case 'strong':
      return { strong: inlinesOf(page, token.tokens) }
    case 'em':
      return { em: inlinesOf(page, token.tokens) }
    case 'br':
      return { lineBreak: true }
    case 'html':
      return token.raw === '<br>' ? { lineBreak: true } : token.raw
    case 'link':
      return linkOf(page, token as Tokens.Link)
    default:
      throw new Error(`${page.file}: ${token.type} cannot be drawn`)
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
}

function decoded(text: string): string {
  return text.replace(/&(?:lt|gt|amp|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}

/** A file that is no page of the portal is named and not linked. */
function linkOf(page: Page, { href, tokens }: Tokens.Link): Inline {
  const text = inlinesOf(page, tokens)
  const address = addressFrom(page.file, href)
  return address === null ? { em: text } : { link: address, text }
}

const INDEX = ['docs/README.md', 'README.md']

export function addressFrom(file: string, href: string): string | null {
  if (/^(https?:|mailto:)/.test(href) || href.startsWith('#')) return href
  const [path = '', anchor] = href.split('#')
  const target = join(dirname(file), path)
  const listed = DOCUMENTS.find((document) => fileOf(document) === target)
  if (!listed) return INDEX.includes(target) ? DOCS : null
  return anchor ? `${addressOf(listed)}${listed.inParts ? '/' : '#'}${anchor}` : addressOf(listed)
}

// ---------------------------------------------------------------- headings and sections

/** As GitHub makes them of headings. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/ /g, '-')
}

function unused(known: Map<string, number>, id: string): string {
  const times = known.get(id) ?? 0
  known.set(id, times + 1)
  return times === 0 ? id : `${id}-${times}`
}

function sectionsOf(listed: ListedDocument, { title, summary, blocks }: Document): Section[] {
  const of = { document: title, ...(listed.foundLast && { isLast: true as const }) }
  const sections: Section[] = [{ ...of, href: addressOf(listed), heading: title, text: summary }]
  for (const block of blocks) {
    if (block.kind === 'heading') {
      const heading = plainText(block.text)
      const href = `${addressOf(listed)}#${block.id}`
      sections.push({ ...of, href, heading, text: '' })
    } else {
      const last = sections.at(-1)
      if (last) last.text = `${last.text} ${textOf(block)}`.trim()
    }
  }
  return sections
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainText(block.text)
    case 'code':
      return block.code
    case 'list':
      return block.items.flat().map(textOf).join(' ')
    case 'quote':
      return block.blocks.map(textOf).join(' ')
    case 'table':
      return [block.head, ...block.rows].flat().map(plainText).join(' ')
    case 'picture':
      return block.text
  }
}
