import { errorMessage } from '../../i18n/error-message'
import { type FieldProblem, fieldProblem } from '../http/problem'
import { grantText, type StoredGrant, writtenRow } from './privileges'

type Period = { validFrom: string | null; validUntil: string | null }

/** A period that ends before it begins, or when it begins, would never be in force. */
export function periodProblems(asked: readonly Period[], pointerTo: (at: number) => string) {
  return asked.flatMap(({ validFrom, validUntil }, at) =>
    validFrom !== null && validUntil !== null && new Date(validFrom) >= new Date(validUntil)
      ? [fieldProblem(`${pointerTo(at)}/validUntil`, errorMessage('period_order'))]
      : [],
  )
}

/**
 * What is in force is removed, or it ends later. An end in the past could not be announced when it
 * comes, and those who depend on it would not be told.
 */

type Ending = { validUntil: Date | null }

export function endsInPast(before: Ending, after: Ending, now: Date): boolean {
  return isOver(after, now) && !isOver(before, now)
}

/** In a set of grants; one that was never in force may have ended long ago. */
export function pastEnds(
  before: readonly StoredGrant[],
  after: readonly StoredGrant[],
  now: Date,
  base: string,
): FieldProblem[] {
  const known = new Set(before.map((one) => grantText(writtenRow(one))))
  const inForce = new Set(before.filter((one) => !isOver(one, now)).map(nameOf))
  const isWrong = (one: StoredGrant) =>
    isOver(one, now) && inForce.has(nameOf(one)) && !known.has(grantText(writtenRow(one)))
  return after.flatMap((one, at) =>
    isWrong(one) ? [fieldProblem(`${base}/${at}/validUntil`, errorMessage('future_needed'))] : [],
  )
}

function nameOf({ pattern, effect, exchangeFrom = null }: StoredGrant): string {
  return JSON.stringify([pattern, effect, exchangeFrom])
}

function isOver({ validUntil }: Ending, now: Date): boolean {
  return validUntil !== null && validUntil <= now
}
