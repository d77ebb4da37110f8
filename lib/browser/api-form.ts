import type { AdminRole } from '../access/authority'
import { OWN_ACCESS } from '../access/authority'
import type { FieldProblem, ProblemCode } from '../api/http/problem'
import type { Messages } from '../i18n'
import { type ErrorMessage, type OwnSentences, sentenceOf } from '../i18n/error-message'
import { fill } from '../i18n/fill'
import { withFormStatus } from './form-status'

/** A form over one call of the API, and its state after the API refused it. */

export type ApiProblem = {
  status: number
  code: ProblemCode
  detail: string
  errors?: readonly FieldProblem[]
  /** Why, for people; null if the code says it all. */
  reason: ErrorMessage | null
  /** What the rule of authority refused, and who could give it. */
  missing?: readonly string[]
  couldBeGivenBy?: readonly GrantorWire[]
}

type GrantorWire = { role: AdminRole } | { api: string; owners: readonly { name: string }[] }

export type FieldError = { field?: string; text: string }

export type FormState<Made = unknown> = {
  problems?: FieldError[]
  /** What was typed, so that nothing is lost. */
  typed?: Record<string, string[]>
  /** What is shown only once. */
  made?: Made
}

type Words = Messages['problems']

/**
 * `fields` maps members of the body to form fields where the names differ: `{ 'attributes/branch':
 * 'branch' }`. `own` has sentences of the fields of this form.
 */
export function refused<Made = never>(
  problem: ApiProblem,
  form: FormData,
  words: Words,
  fields: Readonly<Record<string, string>> = {},
  own: OwnSentences = {},
): FormState<Made> {
  const said = notTheirs(problem, words.authority)
  const { errors = [] } = problem
  const told = errorsAtFields(errors, words, fields, own)
  const problems = said === null ? told : told.map(({ field }) => ({ field, text: said }))
  withFormStatus({ problem: problem.code }, problem.status)
  const whole = [{ text: said ?? problemText(problem, words) }]
  return { problems: onceEach(errors.length > 0 ? problems : whole), typed: typedIn(form) }
}

/** Each at the field of the form in which its member stands. */
export function errorsAtFields(
  errors: readonly FieldProblem[],
  words: Words,
  fields: Readonly<Record<string, string>>,
  own: OwnSentences = {},
): { field: string; text: string }[] {
  return errors.map((error) => {
    const field = fieldAt(error.pointer, fields)
    return { field, text: errorText(error, words, own[`${field}.${error.code}`]) }
  })
}

/** In the language of the reader; `own` is the sentence of this field, if it has one. */
export function errorText({ code, values = {} }: FieldProblem, words: Words, own?: string): string {
  return sentenceOf({ code, values }, words.errorMessages, own)
}

/** A refusal as a whole: its reason, or what its code says. */
export function problemText({ code, reason }: ApiProblem, words: Words): string {
  return reason === null ? words[code] : sentenceOf(reason, words.errorMessages)
}

/** Several members of a body may be one field of the form. */
function onceEach(problems: readonly FieldError[]): FieldError[] {
  return [...new Map(problems.map((one) => [`${one.field} ${one.text}`, one])).values()]
}

const MAX_NAMED = 3

/** What the rule of authority refused, and who could give it; null for other refusals. */
function notTheirs(
  { missing, couldBeGivenBy = [] }: ApiProblem,
  words: Words['authority'],
): string | null {
  if (missing === undefined) return null
  if (missing[0] === OWN_ACCESS) return words.anotherAdmin
  const some = missing.slice(0, MAX_NAMED).join(', ')
  const rest = missing.length - MAX_NAMED
  const what = rest > 0 ? fill(words.others, { what: some, count: String(rest) }) : some
  const [first = '', ...others] = couldBeGivenBy.map((giver) => giverIn(giver, words))
  const who = others.reduce((one, other) => fill(words.or, { one, other: lowered(other) }), first)
  return fill(words.refused, { what, who })
}

function giverIn(giver: GrantorWire, { by }: Words['authority']): string {
  if ('role' in giver) return by[giver.role]
  const names = giver.owners.map(({ name }) => name).join(', ')
  return fill(names === '' ? by.api : by.apiNamed, { api: giver.api, names })
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** A mistake that the form itself finds. */
export function mistaken(form: FormData, ...problems: FieldError[]): FormState<never> {
  withFormStatus({ problem: 'invalid' })
  return { problems, typed: typedIn(form) }
}

/** The form as it was sent, with something to review before it is sent again. */
export function shownFirst<Made>(form: FormData, made: Made): FormState<Made> {
  return { typed: typedIn(form), made }
}

function fieldAt(pointer: string, fields: Readonly<Record<string, string>>): string {
  const parts = pointer.replace(/^\//, '').split('/')
  const paths = parts.map((_part, at) => parts.slice(0, parts.length - at).join('/'))
  const named = paths.find((path) => Object.hasOwn(fields, path))
  return fields[named ?? ''] ?? parts[0] ?? ''
}

const SECRET = /(?:password|secret)$/i

/** Fields of Next.js start with a dollar sign; passwords, secrets and files are not returned. */
function typedIn(form: FormData): Record<string, string[]> {
  const typed: Record<string, string[]> = {}
  for (const [name, value] of form) {
    if (typeof value !== 'string' || name.startsWith('$') || SECRET.test(name)) continue
    typed[name] = [...(typed[name] ?? []), value]
  }
  return typed
}

/** What is no number, and nothing at all, is NaN: the API says that a number is needed. */
export function numberOf(form: FormData, name: string): number {
  const value = form.get(name)
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

/** Lines of a text area, as a list. */
export function linesOf(form: FormData, name: string): string[] {
  const value = form.get(name)
  if (typeof value !== 'string') return []
  return value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** All values of one name: ticked boxes or a list. */
export function valuesOf(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === 'string')
}
