'use client'

import { lazy, Suspense, useState } from 'react'
import { Button } from '@/app/_ui/button'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'

export type TryParameter = {
  name: string
  place: 'path' | 'query' | 'header'
  required: boolean
  choices: string[]
  hint: string
}

export type TryCall = {
  id: string
  method: string
  path: string
  parameters: TryParameter[]
  /** JSON to start from; null: it takes none. */
  body: string | null
  changes: boolean
}

export type TryWords = Messages['docs']['tryIt']

const TryForm = lazy(() => import('./try-form'))

type Props = { call: TryCall; words: TryWords }

export function TryIt({ call, words }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <div className="needs-script grid gap-4" data-try={call.id}>
      <div>
        <Button
          tone="quiet"
          aria-expanded={open}
          aria-label={open ? undefined : fill(words.openOf, { name: call.id })}
          onClick={() => setOpen(!open)}
        >
          {open ? words.close : words.open}
        </Button>
      </div>
      {open && (
        <Suspense fallback={<p role="status">{words.loading}</p>}>
          <TryForm call={call} words={words} />
        </Suspense>
      )}
    </div>
  )
}
