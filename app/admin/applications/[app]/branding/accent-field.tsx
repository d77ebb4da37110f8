'use client'

import { useState } from 'react'
import { accentContrast, isColour, isReadable, type Theme } from '@/lib/base/contrast'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { TextInput } from '../../../_ui/form'

type Words = Messages['admin']['applications']['branding']
type Props = {
  name: string
  label: string
  theme: Theme
  defaultValue: string
  /** The colour of the portal, which is used if this is empty. */
  portal: string
  words: Words
}

/** A colour with its contrast while it is typed. */
export function AccentField({ name, label, theme, defaultValue, portal, words }: Props) {
  const [typed, setTyped] = useState(defaultValue)
  return (
    <div className="grid content-start gap-3">
      <div onInput={({ target }) => target instanceof HTMLInputElement && setTyped(target.value)}>
        <TextInput
          name={name}
          label={label}
          hint={words.colourHint}
          defaultValue={defaultValue}
          placeholder={portal}
        />
      </div>
      <div aria-live="polite" className="needs-script">
        <Contrast theme={theme} colour={typed.trim()} words={words} />
      </div>
    </div>
  )
}

type Shown = { theme: Theme; colour: string; words: Words }

function Contrast({ theme, colour, words }: Shown) {
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
