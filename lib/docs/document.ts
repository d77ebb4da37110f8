/** A document as data: what the build makes of Markdown, and the pages draw. */

export type Inline =
  | string
  | { code: string }
  | { strong: readonly Inline[] }
  | { em: readonly Inline[] }
  | { link: string; text: readonly Inline[] }
  | { lineBreak: true }

export type Block =
  | { kind: 'heading'; depth: number; id: string; text: readonly Inline[] }
  | { kind: 'paragraph'; text: readonly Inline[] }
  | { kind: 'code'; language: string; code: string }
  | { kind: 'list'; start: number | null; items: readonly (readonly Block[])[] }
  | { kind: 'quote'; blocks: readonly Block[] }
  | { kind: 'table'; head: readonly Cell[]; rows: readonly (readonly Cell[])[] }
  | { kind: 'picture'; name: string; text: string; width: number; height: number }

export type Cell = readonly Inline[]

/** `summary` is what docs/README.md says that the document answers. */
export type Document = { title: string; summary: string; blocks: readonly Block[] }

/** What the search finds: a heading with the text below it. `isLast`: after all other documents. */
export type Section = {
  href: string
  document: string
  heading: string
  text: string
  isLast?: true
}

export type CompiledDocuments = {
  /** By path, as in the list. */
  documents: Readonly<Record<string, Document>>
  sections: readonly Section[]
  /** By name: SVG. */
  pictures: Readonly<Record<string, string>>
}

export function plainText(text: readonly Inline[]): string {
  return text.map(plainPart).join('')
}

function plainPart(part: Inline): string {
  if (typeof part === 'string') return part
  if ('code' in part) return part.code
  if ('strong' in part) return plainText(part.strong)
  if ('em' in part) return plainText(part.em)
  return 'link' in part ? plainText(part.text) : ' '
}
