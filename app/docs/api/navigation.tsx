'use client'

import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react'
import { inputClass } from '@/app/_ui/field'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { useOpenWhenWide, WIDE } from '../_ui/use-open-when-wide'
import { Method } from './method'

type Entry = { id: string; href: string; method: string; title: string; words: string }
export type Group = { title: string; href: string; entries: Entry[] }
export type Topic = { href: string; title: string }

type Words = Pick<
  Messages['docs'],
  'navigation' | 'findCall' | 'filter' | 'filterHint' | 'found' | 'nothingFound' | 'basics'
>
type Props = { topics: Topic[]; groups: Group[]; words: Words }

/** By tag, with a filter. Without script it is a list of links, which is all it has to be. */
export function Navigation({ topics, groups, words }: Props) {
  const [asked, setAsked] = useState('')
  const box = useRef<HTMLDetailsElement>(null)
  const found = matching(groups, asked)
  const [total, count] = [countOf(groups), countOf(found)]
  const isAsked = asked.trim() !== ''

  useOpenWhenWide(box)

  // Calls were once all on the first page: who comes with such an address is sent on.
  useEffect(() => {
    const id = window.location.hash.slice(1)
    const wanted = groups.flatMap(({ entries }) => entries).find((entry) => entry.id === id)
    if (wanted && !document.getElementById(id)) window.location.replace(wanted.href)
  }, [groups])

  // On a phone the list lies over what was chosen from it.
  const fold = () => {
    if (!window.matchMedia(WIDE).matches) box.current?.removeAttribute('open')
  }
  const goToFirst = (event: KeyboardEvent) => {
    const first = found[0]?.entries[0]
    if (event.key !== 'Enter' || !isAsked || !first) return
    window.location.assign(first.href)
    fold()
  }
  const foldAfterLink = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('a')) fold()
  }

  return (
    <nav
      aria-label={words.navigation}
      onClickCapture={foldAfterLink}
      className="min-w-0 pt-6 lg:sticky lg:top-0 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:-ms-3 lg:ps-3 lg:pt-12 lg:pe-3 lg:pb-10"
    >
      <details
        ref={box}
        className="open-when-wide rounded-panel border border-line bg-raised max-lg:px-4 lg:border-0 lg:bg-transparent"
      >
        <summary className="min-h-12 cursor-pointer py-3 font-semibold">{words.findCall}</summary>
        <div className="grid gap-6 max-lg:pb-5">
          <Filter asked={asked} onAsk={setAsked} onKeyDown={goToFirst} words={words}>
            {isAsked &&
              (count === 0 ? words.nothingFound : fill(words.found, numbers(count, total)))}
          </Filter>
          {!isAsked && <Topics title={words.basics} topics={topics} />}
          {found.map((group) => (
            <Calls key={group.title} group={group} />
          ))}
        </div>
      </details>
    </nav>
  )
}

function numbers(count: number, total: number) {
  return { count: String(count), total: String(total) }
}

function countOf(groups: Group[]): number {
  return groups.reduce((sum, { entries }) => sum + entries.length, 0)
}

function matching(groups: Group[], asked: string): Group[] {
  const wanted = asked.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = ({ words }: Entry) => wanted.every((word) => words.includes(word))
  return groups
    .map((group) => ({ ...group, entries: group.entries.filter(fits) }))
    .filter(({ entries }) => entries.length > 0)
}

type FilterProps = {
  asked: string
  onAsk(asked: string): void
  onKeyDown(event: KeyboardEvent): void
  words: Words
  children: React.ReactNode
}

function Filter({ asked, onAsk, onKeyDown, words, children }: FilterProps) {
  const id = useId()
  return (
    <div className="needs-script grid gap-1.5">
      <label htmlFor={id} className="text-small font-semibold">
        {words.filter}
      </label>
      <input
        id={id}
        type="search"
        value={asked}
        onChange={({ target }) => onAsk(target.value)}
        onKeyDown={onKeyDown}
        placeholder={words.filterHint}
        autoComplete="off"
        spellCheck={false}
        className={`${inputClass} min-h-11 placeholder:text-muted`}
      />
      <p role="status" className="text-small text-muted empty:hidden">
        {children}
      </p>
    </div>
  )
}

const groupTitle = 'text-small font-semibold text-muted'
const linkClass =
  'flex min-h-8 items-baseline gap-2 rounded-control px-1.5 py-1 text-small hover:bg-wash hover:text-accent'

function Topics({ title, topics }: { title: string; topics: Topic[] }) {
  return (
    <div className="grid gap-1">
      <p className={groupTitle}>{title}</p>
      <ul className="-mx-1.5">
        {topics.map(({ href, title: name }) => (
          <li key={href}>
            <a href={href} className={linkClass}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Calls({ group: { title, href: page, entries } }: { group: Group }) {
  return (
    <div className="grid gap-1">
      <p lang="en" className={groupTitle}>
        <a href={page} className="inline-block min-h-6 hover:text-accent">
          {title}
        </a>
      </p>
      <ul className="-mx-1.5">
        {entries.map(({ id, href, method, title: name }) => (
          <li key={id}>
            <a href={href} className={linkClass} translate="no">
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{name}</span>
              <Method name={method} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
