import { redirect } from 'next/navigation'
import type { z } from 'zod'
import type { AnswerOf, Input } from '../api/http/client'
import type { Answers, Operation } from '../api/http/operation'
import { problemsOfBody } from '../api/http/perform'
import { keyFrom } from '../base/key-from'
import {
  errorsAtFields,
  type FieldError,
  type FormState,
  mistaken,
  refused,
} from '../browser/api-form'
import { textOf } from '../browser/form'
import { currentMessages } from '../browser/locale'
import type { Messages } from '../i18n'
import { adminApi, withQuery } from './api'

/** Server actions that are one call of the API. */

/** The answer of the API; or the form again, with what was refused. */
type Sent<Body> = { refused: FormState<never> } | { refused?: never; body: Body }

/** The kind of object that has sentences of its own for what is wrong. */
type Kind = keyof Messages['admin']['problems']['own']

type SendForm = <
  Path extends string,
  Q extends z.ZodObject | undefined,
  B extends z.ZodType | undefined,
  A extends Answers,
>(
  form: FormData,
  operation: Operation<Path, Q, B, A>,
  input: Input<Path, Q, B>,
  kind?: Kind | null,
  /** Where the members of the body are in the form, if the names differ. */
  fields?: Readonly<Record<string, string>>,
) => Promise<Sent<AnswerOf<A>>>

/** What the API refuses is said at its field. */
export const sendForm: SendForm = async (form, operation, input, kind, fields = {}) => {
  const answer = await (await adminApi()).send(operation, input)
  if (answer.ok) return { body: answer.body }
  const { problems } = (await currentMessages()).admin
  const sentences = kind ? problems.own[kind] : {}
  return { refused: refused(answer.problem, form, problems, fields, sentences) }
}

/**
 * The mistakes that the form itself found, and what the API would say of its other fields: all at
 * once, so that nobody corrects one after the other.
 */
export async function allMistaken(
  form: FormData,
  mistakes: readonly FieldError[],
  { body: schema }: { body: z.ZodType },
  body: unknown,
  fields: Readonly<Record<string, string>>,
): Promise<FormState<never>> {
  const { problems } = (await currentMessages()).admin
  const others = errorsAtFields(problemsOfBody(schema, body), problems, fields)
  const free = others.filter((one) => mistakes.every(({ field }) => field !== one.field))
  return mistaken(form, ...mistakes, ...free)
}

/** For what cannot be taken back: its name must be typed. */
export const sendNamed: SendForm = async (form, operation, input) => {
  const wrong = await wrongName(form)
  return wrong ? { refused: wrong } : sendForm(form, operation, input)
}

/** The key of something new, or its prefix: if nothing was typed, it is made of the name. */
export function newKeyIn(form: FormData, field = 'key'): string {
  return textOf(form, field).trim() || keyFrom(textOf(form, 'name'))
}

export async function wrongName(form: FormData): Promise<FormState<never> | null> {
  if (textOf(form, 'typed') === textOf(form, 'name')) return null
  const { form: words } = (await currentMessages()).admin
  return mistaken(form, { field: 'typed', text: words.typeNameWrong })
}

/** A button: the page says what was done, or that it was refused. */
export async function press<
  Path extends string,
  Q extends z.ZodObject | undefined,
  B extends z.ZodType | undefined,
  A extends Answers,
>(
  operation: Operation<Path, Q, B, A>,
  input: Input<Path, Q, B>,
  page: string,
  done: string,
  otherwise = 'refused',
): Promise<never> {
  const { ok } = await (await adminApi()).send(operation, input)
  redirect(withQuery(page, { done: ok ? done : otherwise }))
}
