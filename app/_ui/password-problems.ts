import type { Problem } from '@/app/_ui/error-summary'
import type { PasswordProblem } from '@/lib/accounts/passwords'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'

/** What is wrong with a password that somebody wants, in words. */
export function passwordProblems(
  words: Messages['password'],
  shortest: number,
  field = 'password',
): Record<'password_missing' | PasswordProblem, Problem> {
  return {
    password_missing: { field, text: words.missing },
    password_short: { field, text: fill(words.short, { count: String(shortest) }) },
    password_long: { field, text: words.long },
    password_common: { field, text: words.common },
    password_own: { field, text: words.own },
    password_breached: { field, text: words.breached },
  }
}
