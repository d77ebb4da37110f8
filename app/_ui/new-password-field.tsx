'use client'

import { type FormEvent, useRef, useState } from 'react'
import type { Locale, Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { useLocale } from './locale'
import { PasswordField } from './password-field'

type Score = 0 | 1 | 2 | 3 | 4
type Strength = { missing: number } | { score: Score }
type Words = Messages['password']
type Props = {
  name: string
  label: string
  error: string | undefined
  shortest: number
  words: Words
  common: Messages['common']
}

const SETTLE_MS = 300

/** A password field that says how good the password is. Without script it is a password field. */
export function NewPasswordField({ name, label, error, shortest, words, common }: Props) {
  const [strength, look] = useStrength(shortest)
  return (
    <div className="grid gap-2" onInput={look}>
      <PasswordField
        name={name}
        label={label}
        hint={fill(words.hint, { count: String(shortest) })}
        error={error}
        autoComplete="new-password"
        words={common}
      />
      <Meter strength={strength} words={words.strength} />
    </div>
  )
}

function useStrength(shortest: number): [Strength | null, (event: FormEvent) => void] {
  const [strength, setStrength] = useState<Strength | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const look = ({ target }: FormEvent) => {
    if (!(target instanceof HTMLInputElement)) return
    clearTimeout(timer.current)
    // Fetched at the first key; said when the typing pauses, not at every letter.
    const chunk = import('./strength')
    timer.current = setTimeout(async () => {
      const password = target.value
      const missing = shortest - [...password.normalize('NFC')].length
      if (password === '') setStrength(null)
      else if (missing > 0) setStrength({ missing })
      else setStrength({ score: (await chunk).scoreOf(password, ownWords(target.form)) })
    }, SETTLE_MS)
  }
  return [strength, look]
}

/** What else the form knows of the person counts against the password. */
function ownWords(form: HTMLFormElement | null): string[] {
  const fields = ['name', 'email', 'username'].map((name) => form?.elements.namedItem(name))
  const typed = fields.flatMap((field) => (field instanceof HTMLInputElement ? field.value : []))
  return ['gatehouse', ...typed, ...typed.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u))]
}

function Meter({ strength, words }: { strength: Strength | null; words: Words['strength'] }) {
  const locale = useLocale()
  const score = strength && 'score' in strength ? strength.score : null
  return (
    <div className="needs-script grid min-h-8 content-start gap-1.5">
      <div aria-hidden="true" className="grid grid-cols-4 gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span key={step} className={`h-1 rounded-control ${colour(score, step)}`} />
        ))}
      </div>
      <p role="status" className="min-h-[1.5em] text-muted text-small">
        {strength && sentence(strength, words, locale)}
      </p>
    </div>
  )
}

function colour(score: Score | null, step: number): string {
  if (score === null || step > Math.max(score, 1)) return 'bg-line'
  return score < 3 ? 'bg-danger' : 'bg-accent'
}

function sentence(strength: Strength, words: Words['strength'], locale: Locale): string {
  if ('score' in strength) return words.scores[strength.score]
  return plural(locale, words.more, strength.missing)
}
