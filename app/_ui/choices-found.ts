import { useEffect, useState } from 'react'
import type { HitWire, SearchKind } from '@/lib/api/records/search'

/** What a combobox offers. */
export type Choice = { value: string; label: string; hint?: string | null }

/**
 * Where the choices come from: a search on the server, a list of the page, a long list at an address
 * of its own, or what the browser itself knows in the reader's language.
 */
export type ChoiceSource =
  | {
      from: 'search'
      kinds: readonly SearchKind[]
      space?: string
      send?: 'id' | 'hint'
      /** What is no object of the portal and can be chosen too. */
      also?: readonly Choice[]
    }
  | { from: 'list'; choices: readonly Choice[] }
  | { from: 'address'; address: string }
  | { from: 'browser'; what: DetectedChoice }

export type SearchState = 'idle' | 'searching' | 'failed'

const PAUSE_MILLISECONDS = 150
const MAX_SHOWN = 50
const MAX_OF_A_KIND = 8

type Found = { asked: string | null; choices: readonly Choice[]; failed: boolean }

/** Asks once nobody types any more; an answer to an older question is dropped. */
export function useChoices(
  source: ChoiceSource,
  q: string,
  open: boolean,
): { choices: readonly Choice[]; state: SearchState } {
  const [found, setFound] = useState<Found>({ asked: null, choices: [], failed: false })
  // A new object for the same source is the same source.
  const key = JSON.stringify(source)
  useEffect(() => {
    if (!open) return
    const asked: ChoiceSource = JSON.parse(key)
    const stop = new AbortController()
    const pause = asked.from === 'search' ? PAUSE_MILLISECONDS : 0
    const timer = setTimeout(async () => {
      const choices = await choicesFor(asked, q, stop.signal)
      if (stop.signal.aborted) return
      setFound({ asked: q, choices: choices ?? [], failed: choices === null })
    }, pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [key, q, open])
  if (!open) return { choices: [], state: 'idle' }
  if (found.asked !== q) return { choices: [], state: 'searching' }
  return { choices: found.choices, state: found.failed ? 'failed' : 'idle' }
}

async function choicesFor(
  source: ChoiceSource,
  q: string,
  signal: AbortSignal,
): Promise<readonly Choice[] | null> {
  if (source.from === 'list') return fitting(source.choices, q)
  if (source.from === 'address') {
    const all = await listAt(source.address)
    return all && fitting(all, q)
  }
  if (source.from === 'browser') return fitting(knownToBrowser(source.what), q)
  const found = await Promise.all(
    source.kinds.map((kind) => search({ ...source, kind }, q, signal)),
  )
  if (found.includes(null)) return null
  const send = source.send ?? 'id'
  const choices = found.flatMap((hits) =>
    (hits ?? []).map(({ id, name, hint }) => ({
      value: send === 'hint' ? (hint ?? id) : id,
      label: name,
      hint: hint === name ? null : hint,
    })),
  )
  return [...choices, ...fitting(source.also ?? [], q)]
}

/** Fetched when it is first looked at. */
const fetched = new Map<string, readonly Choice[]>()

async function listAt(address: string): Promise<readonly Choice[] | null> {
  const known = fetched.get(address)
  if (known) return known
  try {
    const response = await fetch(address)
    if (!response.ok) return null
    const choices: readonly Choice[] = await response.json()
    fetched.set(address, choices)
    return choices
  } catch {
    return null
  }
}

type OneSearch = { kind: SearchKind; space?: string }

async function search(
  { kind, space }: OneSearch,
  q: string,
  signal: AbortSignal,
): Promise<HitWire[] | null> {
  const query = new URLSearchParams({
    kind,
    limit: String(MAX_OF_A_KIND),
    ...(q !== '' && { q }),
    ...(space !== undefined && { space }),
  })
  try {
    const response = await fetch(`/api/v1/search?${query}`, { signal })
    return response.ok ? (await response.json()).data : null
  } catch {
    return null
  }
}

/** Every word somewhere in the name; what begins with the text comes first. */
function fitting(choices: readonly Choice[], q: string): Choice[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const textOf = ({ value, label, hint }: Choice) => `${label} ${value} ${hint ?? ''}`.toLowerCase()
  const found = choices.filter((one) => words.every((word) => textOf(one).includes(word)))
  const begins = (one: Choice) => textOf(one).startsWith(q.toLowerCase())
  return [...found.filter(begins), ...found.filter((one) => !begins(one))].slice(0, MAX_SHOWN)
}

export type DetectedChoice = 'timeZone' | 'region' | 'language'

/** A page has one language, so each list is made once. */
const known = new Map<DetectedChoice, readonly Choice[]>()

/** Names of time zones (IANA), countries and languages, in the language of the page. */
function knownToBrowser(what: DetectedChoice): readonly Choice[] {
  const { lang } = document.documentElement
  const choices = known.get(what) ?? (what === 'timeZone' ? zonesIn(lang) : namedIn(what, lang))
  known.set(what, choices)
  return choices
}

function zonesIn(lang: string): Choice[] {
  const nameOf = (timeZone: string) =>
    new Intl.DateTimeFormat(lang, { timeZone, timeZoneName: 'longGeneric' })
      .formatToParts()
      .find(({ type }) => type === 'timeZoneName')?.value
  return Intl.supportedValuesOf('timeZone').map((zone) => ({
    value: zone,
    label: zone,
    hint: nameOf(zone) ?? null,
  }))
}

/** Regions of Unicode that are no country. */
const NO_COUNTRY = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

function namedIn(what: 'region' | 'language', lang: string): Choice[] {
  const names = new Intl.DisplayNames([lang], { type: what, fallback: 'none' })
  const codes = what === 'region' ? countryCodes() : languageTags()
  const named = codes.flatMap((code) => {
    const label = names.of(code)
    return label === undefined ? [] : [{ code, label }]
  })
  // A country is told by its name (OpenID Connect Core §5.1.1), a language by its tag (RFC 5646).
  return named
    .sort((one, other) => one.label.localeCompare(other.label, lang))
    .map(({ code, label }) => ({ value: what === 'region' ? label : code, label, hint: code }))
}

function countryCodes(): string[] {
  return twoLetters('A').filter((code) => !NO_COUNTRY.has(code) && isCurrent(`und-${code}`))
}

function languageTags(): string[] {
  return [...twoLetters('a').filter(isCurrent), 'zh-Hans', 'zh-Hant']
}

/** Not an old name of something else, such as DD for DE. */
function isCurrent(tag: string): boolean {
  return Intl.getCanonicalLocales(tag)[0] === tag
}

const LETTERS = 26

/** `AA` to `ZZ`: most of them are nothing, and have no name. */
function twoLetters(first: 'A' | 'a'): string[] {
  const start = first.charCodeAt(0)
  const letters = Array.from({ length: LETTERS }, (_, at) => String.fromCharCode(start + at))
  return letters.flatMap((one) => letters.map((other) => one + other))
}
