import type { Problem } from '@/app/_ui/error-summary'
import type { Locale, Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import type { LoginState } from './actions'

type Words = Messages['login']

/** What went wrong, and what to do next. */
export function problemOf(
  { problem, retryAfterSeconds = 0 }: LoginState,
  words: Words,
  locale: Locale,
): (Problem & { title: string }) | null {
  if (!problem) return null
  return {
    missing: { title: words.mismatch, field: 'password', text: words.passwordMissing },
    unknown_passkey: { title: words.mismatch, text: words.passkey.unknown },
    mismatch: { title: words.mismatch, text: words.mismatchNext },
    slow_down: { title: words.slowDown, text: slowDownText(retryAfterSeconds, words, locale) },
  }[problem]
}

function slowDownText(seconds: number, words: Words, locale: Locale): string {
  const [unit, count] = seconds < 120 ? [words.seconds, seconds] : [words.minutes, seconds / 60]
  return fill(words.slowDownNext, { wait: plural(locale, unit, Math.ceil(count)) })
}
