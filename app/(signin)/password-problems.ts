import type { Problem } from '@/app/_ui/error-summary'
import type { PasswordProblem } from '@/lib/accounts/passwords'
import type { Messages } from '@/lib/i18n'

type Words = Pick<
  Messages['setup'],
  'passwordMissing' | 'passwordShort' | 'passwordLong' | 'passwordCommon'
>

/** What is wrong with a password that somebody wants, in words. */
export function passwordProblems(
  words: Words,
): Record<'password_missing' | PasswordProblem, Problem> {
  return {
    password_missing: { field: 'password', text: words.passwordMissing },
    password_short: { field: 'password', text: words.passwordShort },
    password_long: { field: 'password', text: words.passwordLong },
    password_common: { field: 'password', text: words.passwordCommon },
  }
}
