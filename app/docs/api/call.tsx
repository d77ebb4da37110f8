import type { ReactNode } from 'react'
import type { Parameter } from '@/lib/api/openapi/openapi'
import {
  type ReferenceBody,
  type ReferenceCall,
  sampleOf,
  standIn,
} from '@/lib/api/reference/reference'
import { fieldOf } from '@/lib/api/reference/schema-fields'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { Anchor } from './anchor'
import { Method } from './method'
import { Samples } from './samples'
import { Details, Fields, Required, Type } from './schema'
import { type TryCall, TryIt } from './try-it'

type Words = Messages['docs']

type Props = {
  call: ReferenceCall
  origin: string
  /** Whoever reads it could send it, here and now. */
  offered: boolean
  /** What each scope allows. */
  sentences: Messages['portalScopes']
  words: Words
  common: Messages['common']
}

export function Call({ call, origin, offered, sentences, words, common }: Props) {
  const { id, method, path, summary } = call
  const sample = sampleOf(call, origin)
  return (
    <article
      id={id}
      aria-labelledby={`${id}-title`}
      data-call={id}
      className="scroll-mt-6 border-t border-line pt-8"
    >
      <header className="mb-6 grid gap-2">
        <div>
          <h2 id={`${id}-title`} lang="en" className="inline text-lead font-semibold">
            {summary}
          </h2>{' '}
          <Anchor to={id} label={fill(words.link, { name: id })} />
        </div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Method name={method} />
          <code translate="no" className="code">
            {path}
          </code>
          <code translate="no" className="code text-muted">
            {id}
          </code>
        </p>
      </header>
      <div className="grid gap-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,30rem)] xl:gap-10">
        <div className="grid min-w-0 content-start gap-7">
          <Scopes call={call} sentences={sentences} words={words} />
          {call.parameters.length > 0 && <Parameters all={call.parameters} words={words} />}
          {call.body && (
            <Part title={words.body} aside="application/json">
              <Content shown={call.body} words={words} />
            </Part>
          )}
          <Answers call={call} words={words} />
          <Problems call={call} words={words} />
        </div>
        <div className="min-w-0">
          <div className="grid min-w-0 gap-4 xl:sticky xl:top-6 xl:has-aria-expanded:static">
            <Samples id={id} sample={sample} words={words} common={common} />
            {offered && <TryIt call={toTry(call)} words={words.tryIt} />}
          </div>
        </div>
      </div>
    </article>
  )
}

function toTry(call: ReferenceCall): TryCall {
  const { id, method, path, parameters, body, example, changes } = call
  return {
    id,
    method,
    path,
    parameters: parameters
      .filter(({ name }) => name !== 'Idempotency-Key' && name !== 'Consistency')
      .map(({ name, in: place, required, schema }) => ({
        name,
        place,
        required,
        choices: Array.isArray(schema.enum) ? schema.enum.map(String) : [],
        hint: place === 'path' ? standIn(name, call) : String(schema.default ?? ''),
      })),
    body: body ? JSON.stringify(example ?? {}, null, 2) : null,
    changes,
  }
}

type PartProps = { title: string; aside?: string; children: ReactNode }

function Part({ title, aside, children }: PartProps) {
  return (
    <section className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h3 className="font-semibold">{title}</h3>
        {aside && <Type text={aside} />}
      </div>
      {children}
    </section>
  )
}

type ScopesProps = Pick<Props, 'call' | 'sentences' | 'words'>

function Scopes({ call: { scopes }, sentences, words }: ScopesProps) {
  if (scopes.length === 0) return <p className="text-muted">{words.noScope}</p>
  return scopes.map((scope) => {
    return (
      <p key={scope} className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-semibold">{words.scope}</span>
        <code translate="no" className="code">
          {scope}
        </code>
        <span className="text-small text-muted">{sentences[scope]}</span>
      </p>
    )
  })
}

function Parameters({ all, words }: { all: readonly Parameter[]; words: Words }) {
  return (
    <Part title={words.parameters}>
      <table className="w-full table-fixed border-collapse text-start">
        <thead>
          <tr className="border-b border-line text-small text-muted">
            <th scope="col" className="w-2/5 py-1.5 pe-4 text-start font-medium">
              {words.name}
            </th>
            <th scope="col" className="py-1.5 text-start font-medium">
              {words.about}
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((parameter) => (
            <ParameterRow key={parameter.name} parameter={parameter} words={words} />
          ))}
        </tbody>
      </table>
    </Part>
  )
}

function ParameterRow({ parameter, words }: { parameter: Parameter; words: Words }) {
  const { name, in: place, required, description, schema } = parameter
  const field = fieldOf(name, schema, required)
  return (
    <tr className="border-b border-line align-baseline">
      <th scope="row" className="py-2 pe-4 text-start font-normal">
        <code translate="no" className="code font-semibold">
          {name}
        </code>
        <span className="flex flex-wrap gap-x-2.5 text-small text-muted">
          {words.places[place]}
          {required && <Required words={words} />}
        </span>
      </th>
      <td className="py-2">
        <div className="grid gap-0.5">
          <Type text={field.type} />
          <Details field={{ ...field, description: description ?? null }} words={words} />
        </div>
      </td>
    </tr>
  )
}

function Content({ shown, words }: { shown: ReferenceBody; words: Words }) {
  if (shown.fields.length === 0) return <Type text={shown.type} />
  return <Fields fields={shown.fields} words={words} />
}

function Answers({ call: { answers }, words }: Pick<Props, 'call' | 'words'>) {
  return (
    <Part title={words.answers}>
      <ul className="grid gap-2">
        {answers.map(({ status, body }) => (
          <li key={status}>
            <Answer status={status} body={body} words={words} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

type AnswerProps = { status: number; body: ReferenceBody | null; words: Words }

function Answer({ status, body, words }: AnswerProps) {
  const code = <code className="code font-semibold">{status}</code>
  if (!body) {
    return (
      <p className="flex gap-x-3">
        {code}
        <span className="text-muted">{words.done}</span>
      </p>
    )
  }
  return (
    <details className="group/answer">
      <summary className={summaryClass}>
        {code} <Type text={body.type} />
      </summary>
      <div className="mt-2 mb-3 grid gap-2.5 border-s border-line ps-4">
        <Content shown={body} words={words} />
      </div>
    </details>
  )
}

const summaryClass =
  'min-h-7 w-fit cursor-pointer rounded-control marker:text-muted hover:text-accent'

function Problems({ call: { problems }, words }: Pick<Props, 'call' | 'words'>) {
  return (
    <Part title={words.problems}>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-small">
        {problems.map(({ status, codes }) => (
          <li key={status} className="flex min-h-7 flex-wrap gap-x-2.5">
            <span className="font-semibold">{status}</span>
            {codes.map((code) => (
              <a
                key={code}
                href={`/docs/api#problem-${code}`}
                translate="no"
                className="text-link inline-block min-h-6 font-mono"
              >
                {code}
              </a>
            ))}
          </li>
        ))}
      </ul>
    </Part>
  )
}
