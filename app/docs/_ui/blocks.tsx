import { Fragment, type ReactNode } from 'react'
import type { Block, Cell, Inline } from '@/lib/docs/document'
import { plainText } from '@/lib/docs/document'
import { fillIn, type Values } from '@/lib/docs/fill-in'
import { DOCS } from '@/lib/docs/list'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { Anchor } from '../api/anchor'
import { CodePanel } from '../api/code'

/** Draws a document. Nothing of it is HTML: every part is text in an element of ours. */

type DocumentContext = {
  values: Values
  words: Messages['guides']
  common: Messages['common']
  /** The language of the frame, for what is said about an English text. */
  locale: string
}

type Of<Kind extends Block['kind']> = {
  block: Extract<Block, { kind: Kind }>
  at: string
} & DocumentContext

export function Blocks({
  blocks,
  at,
  ...drawn
}: { blocks: readonly Block[]; at: string } & DocumentContext) {
  return placed(blocks, at).map(({ one: block, place }) => (
    <OneBlock key={place} block={block} at={place} {...drawn} />
  ))
}

/** A document never changes its order, so the place of a part is its name. */
function placed<T>(list: readonly T[], at: string): { one: T; place: string }[] {
  return list.map((one, index) => ({ one, place: `${at}-${index}` }))
}

function OneBlock({ block, ...rest }: { block: Block; at: string } & DocumentContext): ReactNode {
  switch (block.kind) {
    case 'heading':
      return <Heading block={block} {...rest} />
    case 'paragraph':
      return (
        <p>
          <Inlines text={block.text} values={rest.values} />
        </p>
      )
    case 'code':
      return <Code block={block} {...rest} />
    case 'list':
      return <List block={block} {...rest} />
    case 'quote':
      return (
        <blockquote className="grid gap-3 border-s-2 border-accent ps-4">
          <Blocks {...rest} blocks={block.blocks} />
        </blockquote>
      )
    case 'table':
      return <Table block={block} {...rest} />
    case 'picture':
      return <Picture block={block} />
  }
}

const headingClass: Record<number, string> = {
  2: 'display mt-6 text-[1.625rem] leading-tight',
  3: 'mt-3 text-lead font-semibold',
}

function Heading({ block: { depth, id, text }, words, values, locale }: Of<'heading'>) {
  const Level = `h${depth}` as 'h2'
  return (
    <div className="flex scroll-mt-6 items-baseline gap-2 target:bg-wash" id={id}>
      <Level
        className={`${headingClass[depth] ?? 'font-semibold'} min-w-0 [overflow-wrap:anywhere]`}
      >
        <Inlines text={text} values={values} />
      </Level>
      <span lang={locale}>
        <Anchor to={id} label={fill(words.link, { name: plainText(text) })} />
      </span>
    </div>
  )
}

function List({ block: { start, items }, at, ...drawn }: Of<'list'>) {
  const rows = placed(items, at).map(({ one: blocks, place }) => (
    <li key={place} className="space-y-2 ps-1">
      <Blocks blocks={blocks} at={place} {...drawn} />
    </li>
  ))
  if (start === null) return <ul className="list-disc space-y-2 ps-5">{rows}</ul>
  return (
    <ol start={start} className="list-decimal space-y-2 ps-5">
      {rows}
    </ol>
  )
}

const CODE_LABELS: Readonly<Record<string, keyof Messages['guides']['code']>> = {
  sh: 'commands',
  console: 'commands',
  json: 'answer',
  http: 'request',
}

function Code({ block: { language, code }, at, values, words, common, locale }: Of<'code'>) {
  const label = words.code[CODE_LABELS[language] ?? 'example']
  return (
    <div lang={locale} className="min-w-0">
      <CodePanel id={at} label={label} text={fillIn(code, values)} common={common} />
    </div>
  )
}

function Table({ block: { head, rows }, at, values, words, locale }: Of<'table'>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      role="group"
      aria-label={words.table}
      lang={locale}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="min-w-0 overflow-x-auto -outline-offset-2"
    >
      <table lang="en" className="w-full border-collapse text-small">
        <thead>
          <tr className="border-b border-edge text-start">
            {placed(head, at).map(({ one: cell, place }) => (
              <th key={place} className="py-1.5 pe-4 text-start font-semibold">
                <Inlines text={cell} values={values} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {placed(rows, at).map(({ one: cells, place }) => (
            <Row key={place} cells={cells} at={place} values={values} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ cells, at, values }: { cells: readonly Cell[]; at: string; values: Values }) {
  return (
    <tr className="border-b border-line align-baseline">
      {placed(cells, at).map(({ one: cell, place }) => (
        <td key={place} className="min-w-28 py-1.5 pe-4">
          <Inlines text={cell} values={values} />
        </td>
      ))}
    </tr>
  )
}

/** One for each theme, because the theme of the page need not be that of the system. */
function Picture({ block: { name, text, width, height } }: { block: Of<'picture'>['block'] }) {
  return (['light', 'dark'] as const).map((theme) => (
    // biome-ignore lint/performance/noImgElement: a drawing of ours, which needs no resizing
    <img
      key={theme}
      src={`${DOCS}/pictures/${name}?theme=${theme}`}
      alt={text}
      width={width}
      height={height}
      loading="lazy"
      className={`${theme === 'light' ? 'only-light' : 'only-dark'} h-auto max-w-full rounded-panel border border-line`}
    />
  ))
}

// ---------------------------------------------------------------- within a line

function Inlines({ text, values }: { text: readonly Inline[]; values: Values }) {
  return placed(text, '').map(({ one, place }) => (
    <Fragment key={place}>{inline(one, values)}</Fragment>
  ))
}

function inline(part: Inline, values: Values): ReactNode {
  if (typeof part === 'string') return fillIn(part, values)
  if ('code' in part)
    return (
      <code translate="no" className="code rounded-control bg-wash px-1 py-0.5">
        {fillIn(part.code, values)}
      </code>
    )
  if ('lineBreak' in part) return <br />
  if ('strong' in part)
    return (
      <strong className="font-semibold">
        <Inlines text={part.strong} values={values} />
      </strong>
    )
  if ('em' in part)
    return (
      <em>
        <Inlines text={part.em} values={values} />
      </em>
    )
  return (
    <a href={part.link} className="text-link">
      <Inlines text={part.text} values={values} />
    </a>
  )
}
