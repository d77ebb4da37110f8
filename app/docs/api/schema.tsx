import { Fragment } from 'react'
import type { Field, Limit } from '@/lib/api/reference/schema-fields'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { Prose } from './prose'

type Words = Messages['docs']

/** Fields within fields, each with its type and what is asked of it. */
export function Fields({ fields, words }: { fields: readonly Field[]; words: Words }) {
  const forms = fields.some(({ name }) => name === null)
  return (
    <>
      {forms && <p className="text-small text-muted">{words.oneOf}</p>}
      <ul className="grid gap-2.5">
        {fields.map((field, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is all that tells forms apart
          <li key={`${at} ${field.name}`} className="grid min-w-0">
            <FieldLine field={field} words={words} />
            {field.fields.length > 0 && (
              <div className="mt-1.5 grid gap-2.5 border-s border-line ps-4">
                <Fields fields={field.fields} words={words} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function FieldLine({ field, words }: { field: Field; words: Words }) {
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2.5">
        {field.name !== null && <code className="code font-semibold">{field.name}</code>}
        <Type text={field.type} />
        {field.required && <Required words={words} />}
      </p>
      <Details field={field} words={words} />
    </>
  )
}

export function Required({ words }: { words: Words }) {
  return <span className="text-small font-semibold">{words.required}</span>
}

export function Type({ text }: { text: string }) {
  return <code className="code text-small text-muted">{text}</code>
}

type DetailsProps = { field: Pick<Field, 'description' | 'limits'>; words: Words }

export function Details({ field: { description, limits }, words }: DetailsProps) {
  return (
    <>
      {description && (
        <p lang="en" className="text-small">
          <Prose text={description} />
        </p>
      )}
      {limits.length > 0 && (
        <p className="text-small text-muted">
          {limits.map((limit, at) => (
            <Fragment key={limit.kind}>
              {at > 0 && ' · '}
              <LimitWords limit={limit} words={words.limits} />
            </Fragment>
          ))}
        </p>
      )}
    </>
  )
}

function LimitWords({ limit, words }: { limit: Limit; words: Words['limits'] }) {
  if (!('text' in limit)) {
    const { kind, least, most } = limit
    const which = least !== null && most !== null ? 'Between' : least !== null ? 'Least' : 'Most'
    return fill(words[`${kind}${which}`], { least: String(least), most: String(most) })
  }
  return (
    <>
      {words[limit.kind]} <code className="code">{limit.text}</code>
    </>
  )
}
