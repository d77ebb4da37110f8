'use client'

import { useState } from 'react'
import { Field, fieldIds } from '@/app/_ui/field'
import { accentContrast, isReadable, SURFACES, type Theme } from '@/lib/base/contrast'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { useField } from '../../_ui/form'

type Words = Messages['admin']['settings']['branding']
type Props = { theme: Theme; words: Words; defaultValue: string }

/** A colour, how well it can be read, and what it looks like where it will be. */
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
      {/^#[0-9a-f]{6}$/.test(colour) && (
        <>
          <Contrast colour={colour} theme={theme} words={words} />
          <Preview colour={colour} theme={theme} words={words} />
        </>
      )}
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

/** Drawn with attributes: the pages' policy allows no inline styles. */
function Preview({ colour, theme, words }: { colour: string; theme: Theme; words: Words }) {
  const { paper, onAccent } = SURFACES[theme]
  return (
    <svg
      viewBox="0 0 260 96"
      role="img"
      aria-label={words.preview}
      className="w-full rounded-control border border-line"
    >
      <rect width="260" height="96" fill={paper} />
      <path fill={colour} transform="translate(16 14) scale(0.7)" d={MARK} />
      <rect x="16" y="48" width="96" height="32" rx="6" fill={colour} />
      <text x="64" y="69" textAnchor="middle" fontSize="13" fontWeight="600" fill={onAccent}>
        {words.sampleButton}
      </text>
      <text x="124" y="69" fontSize="11" textDecoration="underline" fill={colour}>
        {words.sampleLink}
      </text>
    </svg>
  )
}

const MARK = 'M2 3h6v4h3V3h6v4h3V3h6v22h-6v-7a6 6 0 0 0-12 0v7H2z'
