'use client'

import { createContext, type ReactNode, useActionState, useContext } from 'react'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { FormState } from '@/lib/browser/api-form'

/** A form over one call of the API: what it refuses stands at its field, and nothing is lost. */

type Action = (before: FormState, form: FormData) => Promise<FormState>

const State = createContext<FormState>({})

export type FormWords = {
  submit: string
  busy: string
  problem: string
  /** On the button once the action has shown what it would do. */
  confirm?: string
}

type Props = {
  action: Action
  words: FormWords
  /** Fields that go along unseen. */
  hidden?: Readonly<Record<string, string>>
  /** Beside the button. */
  aside?: ReactNode
  /** The form is not the main one of its page. */
  quiet?: boolean
  /** Shown to somebody who may look and not touch. */
  readOnly?: boolean
  /** Instead of the form, once it has made something that is shown once: see `useMade`. */
  made?: ReactNode
  /** In a column of its own, where there is room. */
  beside?: ReactNode
  children?: ReactNode
}

export function AdminForm(props: Props) {
  const {
    action,
    words,
    hidden = {},
    aside,
    quiet,
    readOnly = false,
    made,
    beside,
    children,
  } = props
  const [state, send] = useActionState(action, {})
  const { problems = [] } = state
  if (made !== undefined && state.made !== undefined) return <State value={state}>{made}</State>
  const label = state.made === undefined ? words.submit : (words.confirm ?? words.submit)
  return (
    <State value={state}>
      <form action={send} noValidate className={`grid gap-6 ${beside ? BESIDE : ''}`}>
        {problems.length > 0 && <ErrorSummary title={words.problem} problems={problems} />}
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children && (
          <fieldset disabled={readOnly} className="grid min-w-0 gap-6">
            {children}
          </fieldset>
        )}
        {!readOnly && (
          <div className="flex flex-wrap items-center gap-4">
            {quiet ? (
              <QuietSubmit label={label} busyLabel={words.busy} />
            ) : (
              <SubmitButton label={label} busyLabel={words.busy} />
            )}
            {aside}
          </div>
        )}
        {/* Last, so that Enter saves. */}
        {beside && (
          <fieldset
            disabled={readOnly}
            className="min-w-0 xl:col-start-2 xl:row-span-3 xl:row-start-1"
          >
            {beside}
          </fieldset>
        )}
      </form>
    </State>
  )
}

const BESIDE = 'xl:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] xl:gap-x-8'

/** What a field of this form shows: what was sent, or its first value; and what was refused of it. */
export function useField(name: string, defaultValue: string | undefined) {
  const { problems = [], typed } = useContext(State)
  return {
    error: problems.find(({ field }) => field === name)?.text,
    // A form that was sent shows what was sent.
    value: typed ? (typed[name]?.[0] ?? '') : defaultValue,
    // React keeps an input's first default: a new answer is a new input.
    key: typed ? JSON.stringify(typed[name]) : 'first',
  }
}

/** All that was sent under a name. */
export function useTyped(name: string): readonly string[] {
  return useContext(State).typed?.[name] ?? []
}

type FieldProps = {
  name: string
  label: string
  /** Behind the label, such as “optional”. */
  mark?: string | undefined
  hint?: string | undefined
  defaultValue?: string | undefined
}

type InputProps = FieldProps & {
  type?: 'text' | 'email' | 'url' | 'number' | 'datetime-local' | 'password' | 'color'
  placeholder?: string
  autoComplete?: string
  list?: string
  min?: number
  max?: number
}

export function TextInput({ defaultValue, type = 'text', ...field }: InputProps) {
  const { name, label, mark, hint, ...rest } = field
  const { error, value, key } = useField(name, defaultValue)
  const words = { name, label, mark, hint, error }
  return (
    <Field words={words}>
      <input
        key={key}
        type={type}
        autoComplete="off"
        spellCheck={false}
        className={inputClass}
        defaultValue={value}
        {...fieldIds(words)}
        {...rest}
      />
    </Field>
  )
}

type AreaProps = FieldProps & { rows?: number; code?: boolean; placeholder?: string }

export function TextArea({ defaultValue, rows = 3, code, ...field }: AreaProps) {
  const { name, label, mark, hint, ...rest } = field
  const { error, value, key } = useField(name, defaultValue)
  const words = { name, label, mark, hint, error }
  return (
    <Field words={words}>
      <textarea
        key={key}
        rows={rows}
        spellCheck={!code}
        className={`${inputClass} ${code ? 'font-mono text-small!' : ''}`}
        defaultValue={value}
        {...fieldIds(words)}
        {...rest}
      />
    </Field>
  )
}

export type Options = readonly (readonly [value: string, label: string])[]

export function Select({
  name,
  label,
  hint,
  defaultValue,
  options,
}: FieldProps & { options: Options }) {
  const { error, value, key } = useField(name, defaultValue)
  const words = { name, label, hint, error }
  return (
    <Field words={words}>
      <select key={key} className={inputClass} defaultValue={value} {...fieldIds(words)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}

type CheckProps = {
  name: string
  label: string
  hint?: string
  value?: string
  checked?: boolean
  /** The label is a name that machines read. */
  code?: boolean
}

/** One yes or no; of several with one name, one of a list. */
export function Check({ name, label, hint, value = 'yes', checked = false, code }: CheckProps) {
  const { typed } = useContext(State)
  const id = `${name}-${value}`
  const isChecked = typed ? (typed[name]?.includes(value) ?? false) : checked
  return (
    <div className="flex gap-3">
      <input
        key={String(isChecked)}
        type="checkbox"
        id={id}
        name={name}
        value={value}
        defaultChecked={isChecked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-1 size-5 shrink-0"
      />
      <div className="grid min-w-0">
        <label
          htmlFor={id}
          className={`[overflow-wrap:anywhere] ${code ? 'font-mono' : 'font-medium'}`}
        >
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-muted text-small">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

/** Boxes with one name: what is wrong with the choice stands below them. */
export function Ticks({ name, children }: { name: string; children: ReactNode }) {
  const error = useProblem(name)
  return (
    <div id={name} tabIndex={-1} className="grid min-w-0 gap-3">
      {children}
      {error && (
        <p id={`${name}-error`} className="text-small font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

/** What the action made and shows once. */
export function useMade<Made>(): Made | undefined {
  return useContext(State).made as Made | undefined
}

/** For a field that is none of the above. */
export function useProblem(name: string): string | undefined {
  return useContext(State).problems?.find(({ field }) => field === name)?.text
}
