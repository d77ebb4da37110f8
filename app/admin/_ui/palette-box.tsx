'use client'

import { type KeyboardEvent as KeyPress, useEffect, useState } from 'react'
import { pageOfHit } from '@/lib/admin/hit-page'
import type { Destination } from '@/lib/admin/palette'
import type { HitWire } from '@/lib/api/records/search'
import type { Locale, Messages } from '@/lib/i18n'
import { plural } from '@/lib/i18n/plural'
import { paletteDestinations } from './palette-actions'
import { useSearch } from './use-search'

export type PaletteWords = Omit<Messages['admin']['palette'], 'labels' | 'also'>
type Words = PaletteWords
type Props = { words: Words; locale: Locale; close(): void }
type Option = { id: string; group: string; label: string; hint: string | null; href: string }

/** What is in the dialog. Its pages are asked for once, until the page is left. */
export function PaletteBox({ words, locale, close }: Props) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { options, state } = useOptions(typed, words)
  const current = options[Math.min(at, options.length - 1)]

  const press = (event: KeyPress) => {
    const next = stepFor(event.key, at, options.length)
    if (next !== null) {
      event.preventDefault()
      setAt(next)
    }
    if (event.key === 'Enter' && current) {
      event.preventDefault()
      window.location.assign(current.href)
    }
  }
  return (
    <div className="grid gap-3 p-4">
      <div className="flex items-center gap-2">
        <input
          type="text"
          role="combobox"
          aria-label={words.label}
          aria-expanded="true"
          aria-controls="palette-options"
          aria-activedescendant={current?.id}
          aria-autocomplete="list"
          aria-describedby="palette-hint"
          placeholder={words.placeholder}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
          // biome-ignore lint/a11y/noAutofocus: whoever opens the palette types into it
          autoFocus
          className="min-h-12 w-full rounded-control border border-edge bg-raised px-3.5 text-body"
        />
        <button
          type="button"
          onClick={close}
          className="min-h-11 rounded-control px-3 font-semibold text-muted text-small hover:bg-wash hover:text-ink"
        >
          {words.close}
        </button>
      </div>
      <Options options={options} current={current} choose={setAt} label={words.title} />
      <p role="status" className="text-muted text-small">
        {saidOf(words, locale, state, options.length)}
      </p>
      <p id="palette-hint" className="text-muted text-small max-sm:hidden">
        {words.hint}
      </p>
    </div>
  )
}

/** Places that fit what is typed, and what the search found. */
function useOptions(typed: string, words: Words): { options: readonly Option[]; state: State } {
  const { destinations, failed } = useDestinations()
  const { hits, state } = useSearch(typed.trim())
  const options = [
    ...fitting(destinations ?? [], typed, words),
    ...hits.map((hit) => toOption(hit, words)),
  ]
  if (failed) return { options, state: 'failed' }
  return { options, state: destinations ? state : 'searching' }
}

let asked: Promise<readonly Destination[]> | null = null

/** Where one can go without a search; null until it is known. */
function useDestinations(): { destinations: readonly Destination[] | null; failed: boolean } {
  const [found, setFound] = useState<readonly Destination[] | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    asked ??= paletteDestinations()
    asked.then(setFound, () => {
      asked = null
      setFailed(true)
    })
  }, [])
  return { destinations: found, failed }
}

type OptionsProps = {
  options: readonly Option[]
  current: Option | undefined
  choose(at: number): void
  label: string
}

function Options({ options, current, choose, label }: OptionsProps) {
  useEffect(() => {
    if (current) document.getElementById(current.id)?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <div
      id="palette-options"
      role="listbox"
      tabIndex={-1}
      aria-label={label}
      className="grid max-h-[50vh] gap-0.5 overflow-y-auto"
    >
      {options.map((option, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys and the focus (APG)
        <div
          key={option.id}
          id={option.id}
          role="option"
          tabIndex={-1}
          aria-selected={option.id === current?.id}
          onMouseMove={() => choose(at)}
          onClick={() => window.location.assign(option.href)}
          className="flex min-h-10 cursor-pointer items-center justify-between gap-4 rounded-control px-3 py-1 aria-selected:bg-wash"
        >
          <span className="grid min-w-0">
            <span className="[overflow-wrap:anywhere]">{option.label}</span>
            {option.hint && (
              <span className="text-muted text-small [overflow-wrap:anywhere]">{option.hint}</span>
            )}
          </span>
          <span className="shrink-0 text-muted text-small">{option.group}</span>
        </div>
      ))}
    </div>
  )
}

/**
 * Every word somewhere in its names; what is called so comes before what other words lead to. Unless
 * somebody asks, documents and settings stay out of the way.
 */
function fitting(destinations: readonly Destination[], typed: string, words: Words): Option[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (text: string) => wanted.every((word) => text.includes(word))
  const isCalled = ({ label }: Destination) => has(label.toLowerCase())
  const found = destinations.filter(({ found, group }) =>
    wanted.length === 0 ? group === 'page' || group === 'action' : has(found),
  )
  return [...found.filter(isCalled), ...found.filter((one) => !isCalled(one))].map(
    ({ group, label, href }) => ({
      id: `palette ${href} ${label}`.replaceAll(/[^\p{L}\p{N}]+/gu, '-'),
      group: words.groups[group],
      label,
      hint: null,
      href,
    }),
  )
}

function toOption(hit: HitWire, words: Words): Option {
  return {
    id: `palette-${hit.kind}-${hit.id}`,
    group: words.groups[hit.kind],
    label: hit.name,
    hint: hit.hint,
    href: pageOfHit(hit),
  }
}

function stepFor(key: string, at: number, count: number): number | null {
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count
    case 'ArrowUp':
      return (at - 1 + count) % count
    case 'PageDown':
      return count - 1
    case 'PageUp':
      return 0
    default:
      return null
  }
}

type State = 'idle' | 'searching' | 'failed'

function saidOf(words: Words, locale: Locale, state: State, count: number): string {
  if (state === 'failed') return words.failed
  if (state === 'searching') return words.searching
  return count === 0 ? words.none : plural(locale, words.results, count)
}
