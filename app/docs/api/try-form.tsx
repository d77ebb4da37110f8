'use client'

import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { Button } from '@/app/_ui/button'
import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import { fill } from '@/lib/i18n/fill'
import { ScrollingCode } from './code'
import type { TryCall, TryParameter, TryWords } from './try-it'

type Answer = { status: string; good: boolean; headers: [string, string][]; body: string }
type Typed = Record<string, string>

const WORTH_SEEING = [
  'content-type',
  'etag',
  'location',
  'x-policy-version',
  'x-request-id',
  'www-authenticate',
  'retry-after',
]

/** The versions that answers on this page showed, by address. */
const seen = new Map<string, string>()

type Props = { call: TryCall; words: TryWords }

export default function TryForm({ call, words }: Props) {
  const [missing, setMissing] = useState<string[]>([])
  const [sending, setSending] = useState(false)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const question = useRef<HTMLDialogElement>(null)
  const typed = useRef<Typed>({})

  const send = async () => {
    setSending(true)
    setAnswer(await sent(call, typed.current, words))
    setSending(false)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    typed.current = read(event.currentTarget)
    const wrong = wrongIn(call, typed.current)
    setMissing(wrong)
    const [first] = wrong
    if (first) document.getElementById(fieldName(call, first))?.focus()
    else if (call.changes) question.current?.showModal()
    else void send()
  }

  return (
    <div className="grid min-w-0 gap-5 rounded-panel border border-line bg-raised p-4 sm:p-5">
      <form onSubmit={submit} noValidate className="grid min-w-0 gap-4">
        <p className="text-small text-muted">{words.intro}</p>
        {call.parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            call={call}
            parameter={parameter}
            wrong={missing.includes(parameter.name)}
            words={words}
          />
        ))}
        {call.body !== null && (
          <BodyField call={call} wrong={missing.includes(BODY)} words={words} />
        )}
        <div>
          <Button type="submit" disabled={sending}>
            {sending ? words.sending : words.send}
          </Button>
        </div>
      </form>
      <Question ref={question} call={call} words={words} onConfirm={() => void send()} />
      <div role="status" className="empty:-mt-5">
        {answer && <StatusLine answer={answer} words={words} />}
      </div>
      {answer && <AnswerBody call={call} answer={answer} words={words} />}
    </div>
  )
}

type QuestionProps = Props & { ref: RefObject<HTMLDialogElement | null>; onConfirm(): void }

/** A call that changes something is confirmed first. */
function Question({ ref, call, words, onConfirm }: QuestionProps) {
  return (
    <dialog
      ref={ref}
      aria-labelledby={fieldName(call, 'question')}
      className="m-auto w-[min(30rem,calc(100vw-2.5rem))] rounded-panel border border-line bg-raised p-6 text-ink backdrop:bg-[rgb(0_0_0/0.5)]"
    >
      <form method="dialog" onSubmit={onConfirm} className="grid gap-5">
        <h2 id={fieldName(call, 'question')} className="text-lead font-semibold">
          {words.confirmTitle}
        </h2>
        <p className="font-mono text-small [overflow-wrap:anywhere]">
          {call.method} {call.path}
        </p>
        <div className="flex flex-wrap gap-3">
          <Button type="submit">{words.confirm}</Button>
          <Button tone="quiet" onClick={() => ref.current?.close()}>
            {words.cancel}
          </Button>
        </div>
      </form>
    </dialog>
  )
}

// ---------------------------------------------------------------- fields

const BODY = 'body'

function fieldName({ id }: TryCall, name: string): string {
  return `try-${id}-${name}`
}

/** The version in `If-Match` goes along by itself once it was read. */
function mustBeTyped({ required, place }: TryParameter): boolean {
  return required && place !== 'header'
}

type FieldProps = Props & { wrong: boolean }

function ParameterField({
  call,
  parameter,
  wrong,
  words,
}: FieldProps & { parameter: TryParameter }) {
  const { name, choices, hint, place } = parameter
  const required = mustBeTyped(parameter)
  const described = {
    name: fieldName(call, name),
    label: name,
    hint: place === 'header' ? words.ifMatchHint : undefined,
    error: wrong ? words.missing : undefined,
  }
  return (
    <Field words={described}>
      {choices.length > 0 ? (
        <select className={inputClass} {...fieldIds(described)} required={required}>
          <option value="">{hint && `(${hint})`}</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          className={`${inputClass} placeholder:text-muted`}
          {...fieldIds(described)}
          placeholder={hint}
          required={required}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </Field>
  )
}

function BodyField({ call, wrong, words }: FieldProps) {
  const described = {
    name: fieldName(call, BODY),
    label: words.bodyLabel,
    error: wrong ? words.notJson : undefined,
  }
  const text = call.body ?? ''
  return (
    <Field words={described}>
      <textarea
        className={`${inputClass} resize-y overflow-x-auto font-mono text-[0.8125rem] leading-[1.65] whitespace-pre`}
        {...fieldIds(described)}
        defaultValue={text}
        rows={Math.min(text.split('\n').length + 1, 16)}
        spellCheck={false}
        autoCapitalize="none"
      />
    </Field>
  )
}

// ---------------------------------------------------------------- sending

function read(form: HTMLFormElement): Typed {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
}

function wrongIn(call: TryCall, typed: Typed): string[] {
  const empty = call.parameters
    .filter((one) => mustBeTyped(one) && typedIn(call, typed, one.name) === '')
    .map(({ name }) => name)
  const badBody = call.body !== null && !isJson(typedIn(call, typed, BODY))
  return badBody ? [...empty, BODY] : empty
}

function typedIn(call: TryCall, typed: Typed, name: string): string {
  return (typed[fieldName(call, name)] ?? '').trim()
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function addressOf(call: TryCall, typed: Typed): { path: string; query: string } {
  const value = (name: string) => typedIn(call, typed, name)
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(value(name)))
  const asked = call.parameters.filter(({ place, name }) => place === 'query' && value(name) !== '')
  const query = new URLSearchParams(asked.map(({ name }) => [name, value(name)])).toString()
  return { path, query: query && `?${query}` }
}

async function sent(call: TryCall, typed: Typed, words: TryWords): Promise<Answer> {
  const { path, query } = addressOf(call, typed)
  const wantsVersion = call.parameters.some(({ name }) => name === 'If-Match')
  const version = typedIn(call, typed, 'If-Match') || seen.get(path)
  try {
    const response = await fetch(path + query, {
      method: call.method,
      headers: {
        'X-Gatehouse-Request': '1',
        ...(call.body !== null && { 'Content-Type': 'application/json' }),
        ...(wantsVersion && version !== undefined && { 'If-Match': version }),
      },
      ...(call.body !== null && { body: typedIn(call, typed, BODY) }),
    })
    const etag = response.headers.get('etag')
    if (etag !== null && response.ok) seen.set(path, etag)
    return toAnswer(response, await response.text())
  } catch {
    return { status: words.unreachable, good: false, headers: [], body: '' }
  }
}

function toAnswer(response: Response, text: string): Answer {
  const headers = WORTH_SEEING.flatMap((name): [string, string][] => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  const status = `${response.status} ${response.statusText}`.trim()
  return { status, good: response.ok, headers, body: pretty(text) }
}

function pretty(text: string): string {
  return isJson(text) ? JSON.stringify(JSON.parse(text), null, 2) : text
}

// ---------------------------------------------------------------- the answer

function StatusLine({ answer, words }: { answer: Answer; words: TryWords }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3">
      <span className="font-semibold">{words.answer}</span>
      <span
        data-answer-status
        className={`font-mono font-semibold ${answer.good ? 'text-accent' : 'text-danger'}`}
      >
        {answer.status}
      </span>
    </p>
  )
}

function AnswerBody({ call, answer, words }: Props & { answer: Answer }) {
  return (
    <div className="grid min-w-0 gap-3">
      {answer.headers.length > 0 && (
        <dl aria-label={words.headers} className="grid gap-0.5 font-mono text-[0.8125rem]">
          {answer.headers.map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2 [overflow-wrap:anywhere]">
              <dt className="text-muted">{name}:</dt>
              <dd className="min-w-0">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {answer.body === '' ? (
        <p className="text-small text-muted">{words.empty}</p>
      ) : (
        <ScrollingCode
          label={fill(words.body, { name: call.id })}
          text={answer.body}
          className="max-h-[28rem] overflow-y-auto rounded-control border border-line bg-paper"
        />
      )}
    </div>
  )
}
