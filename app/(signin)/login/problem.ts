import type { Problem } from '@/app/_ui/error-summary'
import type { SearchParams } from '@/lib/browser/page-props'
import type { Locale } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import type { PasswordWords, WaitWords } from './words'

const PROBLEMS = ['missing', 'mismatch', 'slow_down'] as const
export type PasswordProblem = { what: (typeof PROBLEMS)[number]; waitSeconds: number }

/** Why the form was refused; see `refused` in lib/browser/page-forms.ts. */
export function passwordProblemIn({ refused, wait }: SearchParams): PasswordProblem | null {
  const what = PROBLEMS.find((problem) => problem === refused)
  return what === undefined ? null : { what, waitSeconds: Number(wait) || 0 }
}

/** What went wrong, and what to do next. */
export function problemOf(
  problem: PasswordProblem | null,
  words: PasswordWords,
  locale: Locale,
): (Problem & { title: string }) | null {
  if (!problem) return null
  return {
    missing: { title: words.mismatch, field: 'password', text: words.passwordMissing },
    mismatch: { title: words.mismatch, text: words.mismatchNext },
    slow_down: { title: words.slowDown, text: slowDownText(problem.waitSeconds, words, locale) },
  }[problem.what]
}

export function slowDownText(seconds = 0, words: WaitWords, locale: Locale): string {
  const [unit, count] = seconds < 120 ? [words.seconds, seconds] : [words.minutes, seconds / 60]
  return fill(words.slowDownNext, { wait: plural(locale, unit, Math.ceil(count)) })
}
