'use client'

import { type ComponentProps, useEffect, useRef, useState } from 'react'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { type AddressFault, originFault, redirectFault } from '@/lib/oidc/redirect-uri'
import { TextArea } from '../_ui/form'

type Words = Messages['admin']['applications']['uris']
type Kind = Parameters<typeof redirectFault>[1]

type Props = Omit<ComponentProps<typeof TextArea>, 'code'> & {
  /** What its lines are: addresses to come back to for that kind of application, or origins. */
  of: Kind | 'origin'
  words: Words
}

/** Addresses, one to a line, checked while they are typed by the rules that the API holds them to. */
export function UriLines({ of, words, ...field }: Props) {
  const [text, setText] = useState(field.defaultValue ?? '')
  const around = useRef<HTMLDivElement>(null)
  // Whoever is quick has typed before the script came.
  useEffect(
    () => setText((before) => around.current?.querySelector('textarea')?.value ?? before),
    [],
  )
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const found = lines.map((line) => ({ line, fault: faultOf(line, of) }))
  const faults = found.flatMap(({ line, fault }) => (fault ? [{ line, fault }] : []))
  return (
    <div
      ref={around}
      className="grid gap-1.5"
      onInput={({ target }) => target instanceof HTMLTextAreaElement && setText(target.value)}
    >
      <TextArea {...field} code />
      <div aria-live="polite" className="needs-script grid gap-1 text-small">
        {faults.map(({ line, fault }) => (
          <p key={line} className="text-danger [overflow-wrap:anywhere]">
            <code className="code">{line}</code>: {words.faults[fault]}
          </p>
        ))}
        {lines.length > 0 && faults.length === 0 && (
          <p className="text-accent">{fill(words.fine, { count: String(lines.length) })}</p>
        )}
      </div>
    </div>
  )
}

function faultOf(line: string, of: Props['of']): AddressFault | null {
  return of === 'origin' ? originFault(line) : redirectFault(line, of)
}
