'use client'

import { useEffect, useRef, useState } from 'react'
import { OWN_ACCENTS } from '@/lib/base/branding'
import { accentContrast, isColour, isReadable, SURFACES, type Theme } from '@/lib/base/contrast'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { TextInput } from '../../../_ui/form'

type Words = Messages['admin']['applications']['branding']
type Props = {
  name: string
  label: string
  theme: Theme
  defaultValue: string
  words: Words
}

/** A colour with its contrast while it is typed, and how it would look. */
export function AccentField({ name, label, theme, defaultValue, words }: Props) {
  const [typed, setTyped] = useState(defaultValue)
  return (
    <div className="grid content-start gap-3">
      <div onInput={({ target }) => target instanceof HTMLInputElement && setTyped(target.value)}>
        <TextInput
          name={name}
          label={label}
          hint={words.colourHint}
          defaultValue={defaultValue}
          placeholder={OWN_ACCENTS[theme]}
        />
      </div>
      <div aria-live="polite" className="needs-script">
        <Verdict theme={theme} colour={typed.trim()} words={words} />
      </div>
      <Sample theme={theme} colour={typed.trim()} words={words} />
    </div>
  )
}

type Shown = { theme: Theme; colour: string; words: Words }

function Verdict({ theme, colour, words }: Shown) {
  if (colour === '') return null
  if (!isColour(colour)) return <p className="text-danger text-small">{words.noColour}</p>
  const ratio = accentContrast(colour, theme)
  const readable = isReadable(colour, theme)
  const text = fill(words.contrast, { ratio: (Math.floor(ratio * 100) / 100).toFixed(2) })
  return (
    <p className={`text-small ${readable ? 'text-accent' : 'text-danger'}`}>
      {text}: {readable ? words.readable : words.unreadable}
    </p>
  )
}

/** The page's own tokens with another accent; what cannot be read is not shown as if it could. */
function Sample({ theme, colour, words }: Shown) {
  const box = useRef<HTMLDivElement>(null)
  const shown = isReadable(colour, theme) ? colour : OWN_ACCENTS[theme]
  useEffect(() => {
    box.current?.style.setProperty('--color-accent', shown)
    box.current?.style.setProperty('--color-on-accent', SURFACES[theme].onAccent)
  }, [shown, theme])
  return (
    <div
      ref={box}
      aria-hidden="true"
      className={`needs-script flex flex-wrap items-center gap-5 rounded-control border border-line p-4 ${theme === 'dark' ? 'bg-ground-dark' : 'bg-ground-light'}`}
    >
      <span className="rounded-control bg-accent px-4 py-2 font-semibold text-on-accent">
        {words.sampleButton}
      </span>
      <span className="text-accent underline underline-offset-4">{words.sampleLink}</span>
    </div>
  )
}
