'use client'

import { useEffect } from 'react'

const KEPT = 'gatehouse.sample-language'

/** Whoever reads one example in Python wants the others in Python too, also tomorrow. */
export function SampleChoice() {
  useEffect(() => {
    const kept = remembered()
    if (kept) choose(kept)
    const onChange = ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement) || !isChoice(target)) return
      const before = target.getBoundingClientRect().top
      choose(target.value)
      remember(target.value)
      // Longer examples further up must not move the one that is being looked at.
      window.scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
    }
    document.addEventListener('change', onChange)
    return () => document.removeEventListener('change', onChange)
  }, [])
  return null
}

function isChoice(input: HTMLInputElement): boolean {
  return input.dataset.sampleLanguage !== undefined
}

function choose(language: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('[data-sample-language]'))
    if (input.value === language) input.checked = true
}

// Storage can be switched off; then the choice lasts as long as the page.
function remembered(): string | null {
  try {
    return localStorage.getItem(KEPT)
  } catch {
    return null
  }
}

function remember(language: string): void {
  try {
    localStorage.setItem(KEPT, language)
  } catch {}
}
