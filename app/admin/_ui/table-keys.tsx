'use client'

import { useEffect } from 'react'

/** `/` searches, `j` and `k` walk the rows, Enter opens one: as its link would. */
export function TableKeys() {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === '/') focusSearch(event)
      if (event.key === 'j') step(1)
      if (event.key === 'k') step(-1)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return null
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>('[data-table-search]')
  if (!search) return
  event.preventDefault()
  search.focus()
  search.select()
}

function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const next = at === -1 && by === -1 ? rows.length - 1 : at + by
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus()
}
