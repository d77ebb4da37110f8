import type { Problem } from '@/app/_ui/error-summary'
import type { Locale } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import type { LoginState } from './actions'
import type { PasswordWords, WaitWords } from './words'

/** What went wrong, and what to do next. */
export function problemOf(
  { problem, retryAfterSeconds }: LoginState,
  words: PasswordWords,
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

export function slowDownText(seconds = 0, words: WaitWords, locale: Locale): string {
  const [unit, count] = seconds < 120 ? [words.seconds, seconds] : [words.minutes, seconds / 60]
  return fill(words.slowDownNext, { wait: plural(locale, unit, Math.ceil(count)) })
}
