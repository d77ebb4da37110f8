'use client'

import { useEffect, useRef, useState } from 'react'
import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import { CONDITION_MEMBERS } from '@/lib/access/condition-examples'
import type { ConditionAnswer } from '@/lib/api/permissions/condition-check'
import type { Messages } from '@/lib/i18n'
import { choices } from '@/lib/i18n/choices'
import { fill, fillUnchecked } from '@/lib/i18n/fill'
import { useField } from './form'

type Words = Messages['admin']['conditions']
type Example = { name: string; source: string }

type Props = {
  name: string
  label: string
  hint: string
  defaultValue: string
  words: Words
  examples: readonly Example[]
}

/** Without script a plain text area: the API looks at it when it is saved. */
export function ConditionInput({ name, label, hint, defaultValue, words, examples }: Props) {
  const { error, value, key } = useField(name, defaultValue)
  const [typed, setTyped] = useState<string | null>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const texts = { name, label, hint, error }
  const insert = (source: string) => {
    area.current?.setRangeText(
      source,
      area.current.selectionStart,
      area.current.selectionEnd,
      'end',
    )
    area.current?.focus()
    setTyped(area.current?.value ?? null)
  }
  return (
    <div className="grid gap-2">
      <Field words={texts}>
        <textarea
          key={key}
          ref={area}
          rows={3}
          spellCheck={false}
          defaultValue={value}
          onChange={(event) => setTyped(event.target.value)}
          className={`${inputClass} font-mono text-small!`}
          {...fieldIds(texts)}
        />
      </Field>
      <CheckResult source={typed} words={words} />
      <Help words={words} examples={examples} onInsert={insert} />
    </div>
  )
}

const PAUSE_MILLISECONDS = 350

type Checked = ConditionAnswer & { source: string }

/** Asked after a pause; an answer to what has changed meanwhile is not shown. */
function CheckResult({ source, words }: { source: string | null; words: Words }) {
  const [checked, setChecked] = useState<Checked | null>(null)
  useEffect(() => {
    if (source === null || source.trim() === '') return
    const stopped = new AbortController()
    const timer = setTimeout(async () => {
      const answer = await check(source, stopped.signal)
      if (answer) setChecked({ ...answer, source })
    }, PAUSE_MILLISECONDS)
    return () => {
      clearTimeout(timer)
      stopped.abort()
    }
  }, [source])

  const current = checked && checked.source === source ? checked : null
  return (
    <div role="status" className="grid gap-2 text-small empty:hidden">
      {current?.valid && <p className="font-medium text-accent">{words.fine}</p>}
      {current?.mistake && <Mistake checked={current} mistake={current.mistake} words={words} />}
    </div>
  )
}

async function check(condition: string, signal: AbortSignal): Promise<ConditionAnswer | null> {
  try {
    const response = await fetch('/api/v1/conditions/check', {
      method: 'POST',
      headers: { 'X-Gatehouse-Request': '1', 'Content-Type': 'application/json' },
      body: JSON.stringify({ condition }),
      signal,
    })
    return response.ok ? ((await response.json()) as ConditionAnswer) : null
  } catch {
    // Nobody to ask: it is looked at again when it is saved.
    return null
  }
}

type MistakeProps = {
  checked: Checked
  mistake: NonNullable<ConditionAnswer['mistake']>
  words: Words
}

function Mistake({ checked: { source }, mistake, words }: MistakeProps) {
  const { code, values, position } = mistake
  return (
    <>
      <p className="font-medium text-danger">{fillUnchecked(words.faults[code], values)}</p>
      {position && (
        <div className="grid gap-1">
          <p className="text-muted">{words.place}</p>
          <pre className="overflow-x-auto whitespace-pre-wrap rounded-control border border-line bg-paper px-3 py-2 font-mono">
            {source.slice(0, position.start)}
            <mark className="rounded-sm bg-danger-wash text-danger underline decoration-wavy underline-offset-4">
              {source.slice(position.start, Math.max(position.end, position.start + 1)) || '␣'}
            </mark>
            {source.slice(Math.max(position.end, position.start + 1))}
          </pre>
        </div>
      )}
    </>
  )
}

type HelpProps = { words: Words; examples: readonly Example[]; onInsert(source: string): void }

function Help({ words, examples, onInsert }: HelpProps) {
  return (
    <details className="text-small">
      <summary className="flex min-h-9 w-fit cursor-pointer items-center text-link">
        {words.help}
      </summary>
      <div className="grid gap-4 rounded-control border border-line px-4 py-3">
        <p className="text-muted">{words.language}</p>
        <h3 className="font-semibold">{words.examplesTitle}</h3>
        <ul className="grid gap-3">
          {examples.map(({ name, source }) => (
            <li key={name} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
              <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
                <span>{name}</span>
                <code className="font-mono text-muted [overflow-wrap:anywhere]">{source}</code>
              </div>
              <button
                type="button"
                onClick={() => onInsert(source)}
                aria-label={fill(words.insertNamed, { name })}
                className="needs-script min-h-9 rounded-control px-3 font-semibold text-accent hover:bg-wash"
              >
                {words.insert}
              </button>
            </li>
          ))}
        </ul>
        <h3 className="font-semibold">{words.variablesTitle}</h3>
        <dl className="grid gap-x-6 gap-y-1.5 sm:grid-cols-[max-content_minmax(0,1fr)]">
          {choices(CONDITION_MEMBERS, words.variables).map(([variable, text]) => (
            <div key={variable} className="contents">
              <dt>
                <code className="font-mono">{variable}</code>
              </dt>
              <dd className="text-muted max-sm:mb-1">{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  )
}
