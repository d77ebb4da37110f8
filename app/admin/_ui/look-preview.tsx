'use client'

import { startTransition, useEffect, useRef, useState } from 'react'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import type { FormState } from '@/lib/browser/api-form'
import type { Messages } from '@/lib/i18n'
import { type Options, Select, useMade, useTyped } from './form'

export type LookPreviewed = { address: string }

type Props = {
  /** The page with what is saved. */
  saved: string
  preview: (form: FormData) => Promise<FormState<LookPreviewed>>
  languages: Options
  language: string
  words: Messages['admin']['settings']['preview']
  busy: string
}

const REST_MS = 350

/** The page itself, in a frame that runs nothing, with what the form around it says. */
export function LookPreview({ saved, preview, languages, language, words, busy }: Props) {
  const made = useMade<LookPreviewed>()
  const panel = useRef<HTMLDivElement>(null)
  const { address, wrong } = useLive(panel, preview, made?.address ?? saved)
  const width = useTyped('preview-width')[0] ?? 'phone'
  const theme = useTyped('preview-theme')[0] ?? 'light'
  return (
    <div
      ref={panel}
      className="group grid content-start gap-4 rounded-panel border border-line bg-raised p-5 xl:sticky xl:top-6"
    >
      <div className="grid gap-1">
        <h2 className="font-semibold text-lead">{words.title}</h2>
        <p className="text-muted text-small">{words.text}</p>
      </div>
      <div className="grid items-end gap-4 sm:grid-cols-3">
        <Select
          name="preview-language"
          label={words.language}
          defaultValue={language}
          options={languages}
        />
        <Choice
          name="preview-width"
          label={words.width}
          chosen={width}
          options={[
            ['phone', words.phone],
            ['desktop', words.desktop],
          ]}
        />
        <Choice
          name="preview-theme"
          label={words.theme}
          chosen={theme}
          options={[
            ['light', words.light],
            ['dark', words.dark],
          ]}
        />
      </div>
      <div className="hidden noscript:block">
        <QuietSubmit label={words.show} busyLabel={busy} answer="preview" />
      </div>
      <p role="status" className="text-danger text-small empty:hidden">
        {wrong && words.wrong}
      </p>
      <div dir="ltr" className="look">
        <div className="rounded-control border border-line">
          {/* Nothing in it can be used, so it is no stop of the keyboard. */}
          <iframe
            key={address}
            src={address}
            title={words.frame}
            sandbox="allow-same-origin"
            tabIndex={-1}
          />
        </div>
      </div>
    </div>
  )
}

type ChoiceProps = { name: string; label: string; chosen: string; options: Options }

function Choice({ name, label, chosen, options }: ChoiceProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-semibold">{label}</legend>
      <div className="flex min-h-12 flex-wrap items-center gap-x-4">
        {options.map(([value, text]) => (
          <label key={value} className="flex min-h-6 items-center gap-2">
            <input
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === chosen}
              className="size-5"
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Asks for the page again once the form rests; the last answer counts. */
function useLive(
  panel: { readonly current: HTMLDivElement | null },
  preview: Props['preview'],
  first: string,
) {
  const [shown, show] = useState<{ address: string; wrong: boolean } | null>(null)
  useEffect(() => {
    const form = panel.current?.closest('form')
    let asked = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = () => {
      asked += 1
      const mine = asked
      startTransition(async () => {
        const answer = form && (await preview(new FormData(form)))
        if (!answer || mine !== asked) return
        const address = answer.made?.address
        show((before) =>
          address === undefined
            ? { address: before?.address ?? first, wrong: true }
            : { address, wrong: false },
        )
      })
    }
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(ask, REST_MS)
    }
    form?.addEventListener('input', wait)
    return () => {
      asked += 1
      clearTimeout(timer)
      form?.removeEventListener('input', wait)
    }
  }, [panel, preview, first])
  return shown ?? { address: first, wrong: false }
}
