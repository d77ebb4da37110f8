'use client'

import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Locale, Messages } from '@/lib/i18n'
import { plural } from '@/lib/i18n/plural'
import { type Choice, type ChoiceSource, type SearchState, useChoices } from './choices-found'
import { type FieldWords, fieldIds, inputClass } from './field'
import { useLeaving, useRoomBelow } from './popup'
import { useScripted } from './scripted'

/**
 * A text field that offers what can be entered: the combobox with a list of WAI-ARIA APG. Without
 * script, and for whoever does not choose, what was typed is sent, and the server finds what it
 * means (lib/admin/choice.ts).
 */

export type ComboboxWords = Messages['choose'] & { locale: Locale }

type ComboboxProps = FieldWords & {
  source: ChoiceSource
  words: ComboboxWords
  /** What the field begins with, and what that is called. */
  value?: string | undefined
  shown?: string | undefined
  /** Several, with spaces between them: the word at the caret is looked for. */
  several?: boolean
  placeholder?: string
  autoComplete?: string
  className?: string
  /** Another use of what was chosen than to stand in the field. */
  onChoose?: (choice: Choice) => void
  /** `/` goes to it; see app/admin/_ui/table-keys.tsx. */
  isTableSearch?: boolean
}

type Chosen = Pick<Choice, 'value' | 'label'>

export function Combobox(props: ComboboxProps) {
  const { name, words } = props
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const box = useCombobox(props, input)
  const { text, open, at, choices, said, sent } = box
  const field = useRoomBelow(open, `${said} ${choices.length}`)
  return (
    <div ref={field} className="relative">
      <input
        {...fieldIds(props)}
        ref={input}
        type="text"
        {...(sent !== null && { name: undefined })}
        role="combobox"
        aria-expanded={open}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={open && choices[at] ? `${list}-${at}` : undefined}
        autoComplete={props.autoComplete ?? 'off'}
        spellCheck={false}
        maxLength={2_000}
        placeholder={props.placeholder}
        value={text}
        {...(props.isTableSearch && { 'data-table-search': true })}
        onChange={(event) => box.type(event.target.value)}
        onKeyDown={box.press}
        onClick={box.show}
        onBlur={box.leave}
        className={`${props.className ?? inputClass} pe-9!`}
      />
      <span
        aria-hidden="true"
        className="needs-script pointer-events-none absolute inset-y-0 end-3 content-center text-muted"
      >
        ▾
      </span>
      {sent !== null && <input type="hidden" name={name} value={sent} />}
      <ChoiceList id={list} label={words.list} {...box} />
      <p role="status" className="sr-only">
        {open && saidOf(words, said, choices.length)}
      </p>
      {open && choices.length === 0 && (
        <p
          aria-hidden="true"
          data-popup
          className={`${popupClass} px-3 py-2 text-muted text-small`}
        >
          {saidOf(words, said, 0)}
        </p>
      )}
    </div>
  )
}

function useCombobox(props: ComboboxProps, input: RefObject<HTMLInputElement | null>) {
  const { source, value = '', shown, several = false, onChoose } = props
  const first = shown === undefined ? null : { value, label: shown }
  const [chosen, setChosen] = useState<Chosen | null>(first)
  const [text, setText] = useState(shown ?? value)
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const scripted = useScripted()
  const caret = () => input.current?.selectionStart ?? null
  const q = lookedFor(text, { several, chosen, caret: caret() })
  const { choices, state } = useChoices(source, q, open)

  // What was typed before the script came stays, and is looked for while the field has the focus.
  useLayoutEffect(() => {
    const typed = input.current?.value ?? ''
    if (typed !== input.current?.defaultValue) {
      setText(typed)
      setChosen(null)
      setOpen(document.activeElement === input.current)
    }
  }, [input])

  const close = () => {
    setOpen(false)
    setAt(-1)
  }
  const type = (typed: string) => {
    setText(typed)
    setChosen(null)
    setOpen(true)
    setAt(-1)
  }
  const choose = (choice: Choice) => {
    close()
    if (several) return setText(withWord(text, caret(), choice.value))
    // What a browser knows has no other name on the server than its value.
    setText(onChoose ? '' : source.from === 'search' ? choice.label : choice.value)
    setChosen(onChoose ? null : choice)
    onChoose?.(choice)
  }
  const clear = () => {
    setText('')
    setChosen(null)
  }
  const press = keysFor({ open, at, choices, setOpen, setAt, close, choose, clear })
  // Without script, what stands in the field is sent.
  const sent = scripted && chosen !== null && chosen.value !== text ? chosen.value : null
  const show = () => setOpen(true)
  const leave = useLeaving(input, open, close)
  return { text, open, at, choices, said: state, sent, type, press, show, leave, choose, setAt }
}

type Looked = { several: boolean; chosen: Chosen | null; caret: number | null }

/** Of what was chosen all is offered again; of several, what is being typed. */
function lookedFor(text: string, { several, chosen, caret }: Looked): string {
  if (chosen) return ''
  return several ? wordAt(text, caret).word : text.trim()
}

function wordAt(text: string, caret: number | null): { word: string; start: number; end: number } {
  const here = caret ?? text.length
  const start = text.lastIndexOf(' ', here - 1) + 1
  const next = text.indexOf(' ', here)
  const end = next === -1 ? text.length : next
  return { word: text.slice(start, here), start, end }
}

function withWord(text: string, caret: number | null, word: string): string {
  const { start, end } = wordAt(text, caret)
  return `${text.slice(0, start)}${word}${text.slice(end) || ' '}`
}

type KeyTools = {
  open: boolean
  at: number
  choices: readonly Choice[]
  setOpen(open: boolean): void
  setAt(at: number): void
  close(): void
  choose(choice: Choice): void
  clear(): void
}

/** Arrows open and move, Enter chooses, Escape closes and then clears; all else is typing (APG). */
function keysFor({ open, at, choices, setOpen, setAt, close, choose, clear }: KeyTools) {
  const step = (by: 1 | -1) => {
    if (!open) setOpen(true)
    const { length } = choices
    // From the field itself, up leads to the last.
    setAt(length === 0 ? -1 : by === 1 ? (at + 1) % length : (at <= 0 ? length : at) - 1)
  }
  return (event: KeyboardEvent) => {
    const current = open ? choices[at] : undefined
    if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else if (event.key === 'Enter' && current) choose(current)
    else if (event.key === 'Escape' && open) close()
    else if (event.key === 'Escape') clear()
    else return
    event.preventDefault()
    // Escape closes the list, not the dialog around it.
    event.stopPropagation()
  }
}

type ListProps = {
  id: string
  open: boolean
  label: string
  choices: readonly Choice[]
  at: number
  setAt(at: number): void
  choose(choice: Choice): void
}

function ChoiceList({ id, open, label, choices, at, setAt, choose }: ListProps) {
  useEffect(() => {
    if (at >= 0) document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])
  return (
    <div
      id={id}
      role="listbox"
      // A list that scrolls would be a stop of the Tab key otherwise.
      tabIndex={-1}
      data-popup
      aria-label={label}
      hidden={!open || choices.length === 0}
      className={`${popupClass} max-h-80 overflow-y-auto p-1`}
    >
      {choices.map((choice, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys and the focus (APG)
        <div
          key={`${choice.value} ${choice.label}`}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          // The field keeps the focus, so that a press does not close the list before it counts.
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => setAt(index)}
          onClick={() => choose(choice)}
          className="grid min-h-10 cursor-pointer content-center rounded-control px-3 py-1 aria-selected:bg-wash"
        >
          <span className="[overflow-wrap:anywhere]">{choice.label}</span>
          {choice.hint && (
            <span className="text-muted text-small [overflow-wrap:anywhere]">{choice.hint}</span>
          )}
        </div>
      ))}
    </div>
  )
}

function saidOf(words: ComboboxWords, state: SearchState, count: number): string {
  if (state === 'failed') return words.failed
  if (state === 'searching') return words.searching
  return count === 0 ? words.none : plural(words.locale, words.results, count)
}

const popupClass =
  'absolute inset-x-0 top-full z-20 mt-1 rounded-control border border-edge bg-raised shadow-control'
