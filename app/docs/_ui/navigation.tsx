'use client'

import { useRef, useState } from 'react'
import { inputClass } from '@/app/_ui/field'
import type { Section } from '@/lib/docs/document'
import { DOCS } from '@/lib/docs/list'
import { type Hit, search } from '@/lib/docs/search'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { useOpenWhenWide } from './use-open-when-wide'

export type Entry = { href: string; title: string; isEnglish: boolean; parts: Part[] | null }
export type Part = { href: string; title: string }
export type Group = { title: string; entries: Entry[] }

type Words = Pick<
  Messages['guides'],
  | 'navigation'
  | 'open'
  | 'search'
  | 'searchHint'
  | 'submit'
  | 'found'
  | 'foundOne'
  | 'nothingFound'
  | 'onlyEnglish'
>
/** `isForeign`: the reader reads another language than that of the documents. */
type Props = { groups: Group[]; asked: string; isForeign: boolean; words: Words }

/**
 * The list of documents, and the search. While somebody types, the browser searches by itself, in a
 * list of sections that it fetches once. Without script the form asks the server.
 */
export function Navigation({ groups, asked: askedBefore, isForeign, words }: Props) {
  const [asked, setAsked] = useState(askedBefore)
  const [sections, load] = useSections()
  const box = useRef<HTMLDetailsElement>(null)
  useOpenWhenWide(box)
  const isSearching = sections !== null && asked.trim() !== '' && asked !== askedBefore
  const hits = isSearching ? search(sections, asked) : []
  return (
    <nav
      aria-label={words.navigation}
      className="min-w-0 pt-6 lg:sticky lg:top-0 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:-ms-3 lg:ps-3 lg:pt-12 lg:pe-3 lg:pb-10"
    >
      <details
        ref={box}
        className="open-when-wide rounded-panel border border-line bg-raised max-lg:px-4 lg:border-0 lg:bg-transparent"
      >
        <summary className="min-h-12 cursor-pointer py-3 font-semibold">{words.open}</summary>
        <div className="grid gap-6 max-lg:pb-5">
          <SearchForm asked={asked} onAsk={setAsked} onFocus={load} words={words}>
            {isSearching && countOf(hits, words)}
          </SearchForm>
          {isForeign && <p className="text-small text-muted">{words.onlyEnglish}</p>}
          {isSearching ? <Hits hits={hits} /> : <Documents groups={groups} />}
        </div>
      </details>
    </nav>
  )
}

function countOf(hits: readonly Hit[], words: Words): string {
  if (hits.length === 0) return words.nothingFound
  return hits.length === 1 ? words.foundOne : fill(words.found, { count: String(hits.length) })
}

/** Null until it is there. If it cannot be fetched, the form still works. */
function useSections(): [readonly Section[] | null, () => void] {
  const [sections, setSections] = useState<readonly Section[] | null>(null)
  const wanted = useRef(false)
  const load = () => {
    if (wanted.current) return
    wanted.current = true
    fetchSections().then(setSections, () => {
      wanted.current = false
    })
  }
  return [sections, load]
}

async function fetchSections(): Promise<readonly Section[]> {
  const response = await fetch(`${DOCS}/sections.json`)
  if (!response.ok) throw new Error(String(response.status))
  return response.json()
}

type FormProps = {
  asked: string
  onAsk(asked: string): void
  onFocus(): void
  words: Words
  children: React.ReactNode
}

function SearchForm({ asked, onAsk, onFocus, words, children }: FormProps) {
  return (
    <search>
      <form action={DOCS} method="get" className="grid gap-1.5">
        <label htmlFor="docs-search" className="text-small font-semibold">
          {words.search}
        </label>
        <div className="flex gap-2">
          <input
            id="docs-search"
            name="q"
            type="search"
            value={asked}
            onChange={({ target }) => onAsk(target.value)}
            onFocus={onFocus}
            maxLength={100}
            placeholder={words.searchHint}
            autoComplete="off"
            spellCheck={false}
            className={`${inputClass} min-h-11 min-w-0 flex-1 placeholder:text-muted`}
          />
          <button
            type="submit"
            aria-label={words.submit}
            className="min-h-11 min-w-11 rounded-control border border-edge bg-raised px-2 hover:border-ink hover:text-accent"
          >
            <svg
              viewBox="0 0 20 20"
              aria-hidden="true"
              className="mx-auto size-5 fill-none stroke-current"
            >
              <circle cx="9" cy="9" r="5.5" strokeWidth="1.75" />
              <path d="M13 13l4 4" strokeWidth="1.75" strokeLinecap="round" />
            </svg>
          </button>
        </div>
        <p role="status" className="text-small text-muted empty:hidden">
          {children}
        </p>
      </form>
    </search>
  )
}

const linkClass =
  'block min-h-8 rounded-control px-1.5 py-1 text-small hover:bg-wash hover:text-accent'

function Hits({ hits }: { hits: readonly Hit[] }) {
  return (
    <ul lang="en" className="-mx-1.5 grid gap-1">
      {hits.map(({ href, heading, document }) => (
        <li key={href}>
          <a href={href} className={linkClass}>
            <span className="block font-medium [overflow-wrap:anywhere]">{heading}</span>
            {heading !== document && <span className="block text-muted">{document}</span>}
          </a>
        </li>
      ))}
    </ul>
  )
}

function Documents({ groups }: { groups: readonly Group[] }) {
  return groups.map(({ title, entries }) => (
    <div key={title} className="grid gap-1">
      <p className="text-small font-semibold text-muted">{title}</p>
      <ul className="-mx-1.5">
        {entries.map((entry) => (
          <li key={entry.href}>
            <DocumentLink entry={entry} />
          </li>
        ))}
      </ul>
    </div>
  ))
}

/** The document that is open has its parts below it. */
function DocumentLink({ entry: { href, title, isEnglish, parts } }: { entry: Entry }) {
  const lang = isEnglish ? { lang: 'en' } : {}
  if (!parts)
    return (
      <a href={href} className={linkClass} {...lang}>
        {title}
      </a>
    )
  return (
    <div {...lang}>
      <a href={href} aria-current="page" className={`${linkClass} font-semibold text-accent`}>
        {title}
      </a>
      <ul className="ms-1.5 border-s border-line ps-1.5">
        {parts.map((part) => (
          <li key={part.href}>
            <a href={part.href} className={`${linkClass} text-muted`}>
              {part.title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
