'use client'

import { useEffect, useState } from 'react'

/**
 * `/` searches, `j` and `k` walk the rows, Enter opens one: as its link would. While another page of
 * the table is on its way, its rows are bars.
 */
export function TableKeys({ loading }: { loading: string }) {
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === '/') focusSearch(event)
      if (event.key === 'j') step(1)
      if (event.key === 'k') step(-1)
    }
    const leave = (event: Event) => {
      if (isOwnWay(event)) setBusy(true)
    }
    const back = () => setBusy(false)
    document.addEventListener('keydown', listen)
    document.addEventListener('submit', leave)
    document.addEventListener('click', leave)
    // A page that the browser kept is shown again as it was left.
    window.addEventListener('pageshow', back)
    return () => {
      document.removeEventListener('keydown', listen)
      document.removeEventListener('submit', leave)
      document.removeEventListener('click', leave)
      window.removeEventListener('pageshow', back)
    }
  }, [])
  useEffect(() => {
    for (const table of document.querySelectorAll('[data-table]')) {
      table.setAttribute('aria-busy', String(busy))
    }
  }, [busy])
  return (
    <p role="status" className="sr-only">
      {busy ? loading : ''}
    </p>
  )
}

/** Another search, order or page of the same table, in this window. */
function isOwnWay(event: Event): boolean {
  const { target } = event
  if (event.defaultPrevented || !(target instanceof Element)) return false
  const table = target.closest('[data-table]')
  if (!table) return false
  if (event.type === 'submit') return target.closest('search') !== null
  const link = target.closest('a')
  if (
    !link ||
    (event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.shiftKey))
  ) {
    return false
  }
  return link.pathname === window.location.pathname && link.search !== window.location.search
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
