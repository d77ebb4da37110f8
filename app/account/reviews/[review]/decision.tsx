'use client'

import { type Options, Select, TextInput, useField } from '@/app/admin/_ui/form'
import type { Messages } from '@/lib/i18n'

type Words = Pick<
  Messages['reviews']['own'],
  'what' | 'comment' | 'narrowTo' | 'narrowToHint' | 'until' | 'untilHint'
>
type Decision = 'keep' | 'narrow' | 'remove'

type Props = {
  item: string
  /** What it is about, for a screen reader. */
  about: string
  words: Words
  choices: readonly (readonly [decision: Decision, label: string])[]
  decision: Decision | null
  comment: string
  /** Null if it cannot be narrowed so. */
  narrowTo: string | null
  ends: Options | null
  /** The end that was decided, or none. */
  until: string
}

/** Keep, narrow or remove; large enough for a thumb. */
export function DecisionFields(props: Props) {
  const { item, about, words, choices, decision, comment, narrowTo, ends, until } = props
  const name = `decision-${item}`
  const { error, value, key } = useField(name, decision ?? '')
  return (
    <div className="decision grid gap-4">
      <fieldset
        id={name}
        tabIndex={-1}
        aria-describedby={error ? `${name}-error` : undefined}
        className="grid min-w-0 gap-2"
      >
        <legend className="mb-1 font-semibold">
          {words.what}
          <span className="sr-only">: {about}</span>
        </legend>
        <div key={key} className="grid gap-2 sm:grid-cols-3">
          {choices.map(([one, label]) => (
            <label
              key={one}
              className="flex min-h-11 items-center gap-3 rounded-control border border-edge bg-raised px-3 has-checked:border-accent has-checked:bg-wash has-checked:font-semibold"
            >
              <input
                type="radio"
                name={name}
                value={one}
                defaultChecked={value === one}
                className="size-5 shrink-0"
              />
              {label}
            </label>
          ))}
        </div>
        {error && (
          <p id={`${name}-error`} className="text-small font-medium text-danger">
            {error}
          </p>
        )}
      </fieldset>
      {(narrowTo !== null || ends !== null) && (
        <div className={narrowClass}>
          {narrowTo !== null && (
            <TextInput
              name={`narrow-${item}`}
              label={words.narrowTo}
              hint={words.narrowToHint}
              defaultValue={narrowTo}
            />
          )}
          {ends !== null && (
            <Select
              name={`until-${item}`}
              label={words.until}
              hint={words.untilHint}
              defaultValue={until}
              options={ends}
            />
          )}
        </div>
      )}
      <TextInput name={`comment-${item}`} label={words.comment} defaultValue={comment} />
    </div>
  )
}

/** Only with that choice; without script, and everywhere where a style sheet cannot ask for it. */
const narrowClass = 'grid gap-4 [.decision:not(:has([value=narrow]:checked))_&]:hidden'
