import { textOf } from '../browser/form'

/** The terms of a grant or an assignment as a form has them: times are UTC, to the minute. */

export type Terms = {
  effect: 'allow' | 'deny'
  condition: string | null
  validFrom: string | null
  validUntil: string | null
  /** Only for a token exchange: the application whose tokens are exchanged, or `*`. */
  exchangeFrom?: string | null
}

/** False if it holds without terms. */
export function hasTerms({ effect, exchangeFrom, ...limits }: Terms): boolean {
  const { condition, validFrom, validUntil } = limits
  const limited = condition !== null || validFrom !== null || validUntil !== null
  return effect === 'deny' || limited || Boolean(exchangeFrom)
}

export function termsIn(form: FormData): Omit<Terms, 'exchangeFrom'> {
  return {
    effect: textOf(form, 'effect') === 'deny' ? 'deny' : 'allow',
    condition: textOf(form, 'condition').trim() || null,
    validFrom: timeIn(textOf(form, 'validFrom')),
    validUntil: timeIn(textOf(form, 'validUntil')),
  }
}

/** A text that is not a time stays as typed: the API refuses it. */
export function timeIn(typed: string): string | null {
  if (typed.trim() === '') return null
  const time = new Date(`${typed}Z`)
  return Number.isNaN(time.getTime()) ? typed : time.toISOString()
}

/** In the format of a date and time input. */
export function timeInput(iso: string | null | undefined): string {
  return iso ? iso.slice(0, 16) : ''
}
