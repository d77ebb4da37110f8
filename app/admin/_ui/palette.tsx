'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_ui/button'
import type { Locale } from '@/lib/i18n'
import type { PaletteBox, PaletteWords } from './palette-box'

type Props = { words: PaletteWords; locale: Locale }

/** Ctrl/Cmd-K: a combobox in a dialog (WAI-ARIA APG), which is fetched when it is first opened. */
export function Palette({ words, locale }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { Box, load, isFailed } = usePaletteBox()
  const close = () => dialog.current?.close()
  const open = () => {
    load()
    setOpen(true)
    dialog.current?.showModal()
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
        onClose={() => setOpen(false)}
        className="mx-auto mt-[10vh] w-[min(40rem,calc(100vw-2rem))] rounded-panel border border-edge bg-raised p-0 text-ink shadow-control backdrop:bg-paper/70"
      >
        {/* Each time anew: what was typed before is not what is looked for now. */}
        {isOpen && Box && <Box words={words} locale={locale} close={close} />}
        {isOpen && !Box && (
          <div className="flex items-center justify-between gap-4 p-4">
            <p role="status">{isFailed ? words.failed : words.searching}</p>
            <Button tone="quiet" onClick={close}>
              {words.close}
            </Button>
          </div>
        )}
      </dialog>
    </>
  )
}

/** Its script may be gone, as after an upgrade: then only the palette says so, and not the page. */
function usePaletteBox() {
  const [Box, setBox] = useState<typeof PaletteBox | null>(null)
  const [isFailed, setFailed] = useState(false)
  const load = () => {
    setFailed(false)
    import('./palette-box').then(
      (loaded) => setBox(() => loaded.PaletteBox),
      () => setFailed(true),
    )
  }
  return { Box, load, isFailed }
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
