'use client'

import { type KeyboardEvent, useRef, useState } from 'react'
import { Field, type FieldWords, fieldIds, inputClass } from './field'

type ToggleWords = { showPassword: string; show: string; hide: string; capsLock: string }
type Props = FieldWords & {
  autoComplete: 'current-password' | 'new-password'
  words: ToggleWords
  autoFocus?: boolean
}

export function PasswordField({ autoComplete, words: toggle, autoFocus, ...words }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))

  return (
    <Field words={words} aside={<CapsLockHint text={capsLock ? toggle.capsLock : ''} />}>
      <div className="relative">
        <input
          ref={input}
          type={shown ? 'text' : 'password'}
          className={`${inputClass} pe-20!`}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          required
          // biome-ignore lint/a11y/noAutofocus: the one thing to do on a page of its own
          autoFocus={autoFocus}
          onKeyDown={watchCapsLock}
          onKeyUp={watchCapsLock}
          onBlur={() => setCapsLock(false)}
          {...fieldIds(words)}
        />
        <button
          type="button"
          className="needs-script absolute inset-y-1.5 end-1.5 min-w-14 rounded-control px-3 text-small font-semibold text-accent hover:bg-wash"
          aria-pressed={shown}
          aria-label={toggle.showPassword}
          aria-controls={words.name}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => keepingCaret(input.current, () => setShown(!shown))}
        >
          {shown ? toggle.hide : toggle.show}
        </button>
      </div>
    </Field>
  )
}

function CapsLockHint({ text }: { text: string }) {
  return (
    <span role="status" className="text-small text-muted">
      {text}
    </span>
  )
}

// Changing an input's type moves its caret to the start in some browsers.
function keepingCaret(input: HTMLInputElement | null, change: () => void): void {
  const start = input?.selectionStart ?? null
  const end = input?.selectionEnd ?? null
  change()
  requestAnimationFrame(() => input?.setSelectionRange(start, end))
}
