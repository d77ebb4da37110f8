'use client'

import { useState } from 'react'
import { Field, fieldIds } from '@/app/_ui/field'
import { accentContrast, isColour, isReadable, type Theme } from '@/lib/base/contrast'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { useField } from '../../_ui/form'

type Words = Messages['admin']['settings']['branding']
type Props = { theme: Theme; words: Words; defaultValue: string }

/** A colour, and how well it can be read. */
export function AccentField({ theme, words, defaultValue }: Props) {
  const { error, value = defaultValue, key } = useField(theme, defaultValue)
  const [chosen, choose] = useState<string | null>(null)
  const colour = chosen ?? value
  const hint = fill(words.colourHint, { colour: defaultValue })
  const field = { name: theme, label: words[theme], hint, error }
  return (
    <div className="grid content-start gap-3">
      <Field words={field}>
        <input
          key={key}
          type="color"
          defaultValue={value}
          onInput={({ currentTarget }) => choose(currentTarget.value)}
          className="block h-12 w-full cursor-pointer rounded-control border border-edge bg-raised p-1"
          {...fieldIds(field)}
        />
      </Field>
      {isColour(colour) && <Contrast colour={colour} theme={theme} words={words} />}
    </div>
  )
}

function Contrast({ colour, theme, words }: { colour: string; theme: Theme; words: Words }) {
  const ratio = (Math.floor(accentContrast(colour, theme) * 10) / 10).toFixed(1)
  const fine = isReadable(colour, theme)
  return (
    <p role="status" className={`text-small ${fine ? 'text-muted' : 'font-semibold text-danger'}`}>
      <code className="code">{colour}</code> · {fill(words.contrast, { ratio })},{' '}
      {fine ? words.enough : words.tooLow}
    </p>
  )
}
