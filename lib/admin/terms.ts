import { textOf } from '../browser/form'
import { fromField, zoneAmong } from '../i18n/moments'

/** The terms of a grant or an assignment as a form has them: times are to the minute. */

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
    validFrom: timeIn(form, 'validFrom'),
    validUntil: timeIn(form, 'validUntil'),
  }
}

/** In the time zone that the form names. What is not a time stays as typed: the API refuses it. */
export function timeIn(form: FormData, name: string): string | null {
  const typed = textOf(form, name)
  if (typed.trim() === '') return null
  return fromField(typed, zoneAmong(textOf(form, 'zone')))?.toISOString() ?? typed
}
