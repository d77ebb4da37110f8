'use client'

import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Locale } from '@/lib/i18n'
import type { PaletteWords } from './palette-box'

type Props = { words: PaletteWords; locale: Locale }

const PaletteBox = lazy(() => import('./palette-box'))

/** Ctrl/Cmd-K: a combobox in a dialog (WAI-ARIA APG), which is fetched when it is first opened. */
export function Palette({ words, locale }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Each time anew: what was typed before is not what is looked for now.
  const [times, setTimes] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    setOpen(true)
    dialog.current?.showModal()
  }
  const closed = () => {
    setOpen(false)
    setTimes((before) => before + 1)
  }
  useShortcut(open)
  return (
    <>
      <button
        type="button"
        onClick={open}
        className="needs-script flex min-h-10 w-full items-center justify-between gap-3 rounded-control border border-edge bg-paper px-3 text-muted text-small hover:border-ink hover:text-ink"
      >
        {words.open}
        <kbd className="rounded-control border border-line px-1.5 font-mono text-small max-lg:hidden">
          {words.keys}
        </kbd>
      </button>
      <dialog
        ref={dialog}
        aria-label={words.title}
        onClose={closed}
        className="mx-auto mt-[10vh] w-[min(40rem,calc(100vw-2rem))] rounded-panel border border-edge bg-raised p-0 text-ink shadow-control backdrop:bg-paper/70"
      >
        {isOpen && (
          <Suspense>
            <PaletteBox
              key={times}
              words={words}
              locale={locale}
              close={() => dialog.current?.close()}
            />
          </Suspense>
        )}
      </dialog>
    </>
  )
}

function useShortcut(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!isShortcut || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  })
}
